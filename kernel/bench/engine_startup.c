/* What one call of rep stos costs before the first page, and per page. [clear 3.6] */
#include "kernel/bench/engine.h"

#include "kernel/stats/order.h"

enum { PAGE = 4096, SAMPLES = 101, ROUNDS = 5 };

static const char *const startup_variants[] = { "stosq", "stosb" };

struct timing {
    struct engine *engine;
    struct bench_startup *startup;
};

/* The lengths take turns; a length's value is the least of its rounds' medians, since
 * nothing but disturbance can differ between them. */
static void time_lengths(void *argument)
{
    static const uint32_t in_place[SAMPLES] = { 0 };
    struct timing *timing = argument;
    struct engine *engine = timing->engine;
    struct timed_pass pass = {
        .clear = engine->results->variants[timing->startup->variant].clear,
        .start = engine->machine->scratch, .order = in_place, .samples = engine->samples,
        .sample_count = SAMPLES, .calls = 1,
    };
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < BENCH_STARTUP_LENGTHS; i++) {
            uint64_t *cycles = &timing->startup->cycles_q8[i];
            pass.extent_bytes = (uint64_t)bench_startup_pages(i) * PAGE;
            timed_pass(&pass);
            for (uint32_t s = 0; s < SAMPLES; s++)
                engine->scratch[s] = (int64_t)(engine->samples[s] << 8);
            uint64_t median = (uint64_t)order_median(engine->scratch, SAMPLES);
            if (*cycles == 0 || median < *cycles)
                *cycles = median;
        }
}

void engine_measure_startup(struct engine *engine, struct bench_after *after)
{
    const struct bench_results *results = engine->results;
    for (uint32_t i = 0; i < sizeof startup_variants / sizeof startup_variants[0]; i++) {
        uint32_t variant = variant_find(results->variants, results->variant_count,
                                        startup_variants[i]);
        struct bench_startup *startup = &after->startups[after->startup_count];
        struct timing timing = { .engine = engine, .startup = startup };
        if (variant == UINT32_MAX || !engine->is_runnable[variant])
            continue;
        *startup = (struct bench_startup){ .variant = variant };
        if (!engine_at(engine, ENGINE_AT_CLEARING, time_lengths, &timing))
            continue;
        bench_startup_fit(startup);
        after->startup_count++;
    }
}
