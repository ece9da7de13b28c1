/* Before anything is timed: do the variants clear what they should, and what does the
 * harness itself cost? */
#include "kernel/bench/engine.h"

#include <string.h>

#include "kernel/bench/engine_pass.h"
#include "kernel/stats/order.h"

#define MIB (1024ull * 1024)

enum { PAGE = 4096 };

static uint64_t pattern_left_by(const struct clear_variant *variant)
{
    if (variant->leaves == VARIANT_LEAVES_UNCHANGED)
        return ENGINE_DIRTY_PATTERN;
    return (uint64_t)variant->leaves * 0x0101010101010101ull;
}

/* Reads by another CPU where there is one. */
static uint64_t count_wrong(struct engine *engine, const uint8_t *start, uint64_t bytes,
                            uint64_t pattern)
{
    uint64_t wrong;
    const struct engine_machine *machine = engine->machine;
    if (machine->count_wrong != NULL &&
        machine->count_wrong(machine->context, start, bytes, pattern, &wrong)) {
        engine->results->is_verified_by_other_cpu = true;
        return wrong;
    }
    return timed_holds(start, bytes, pattern);
}

/* One call over all pages but the first and the last, which have to stay as they were. */
static bool verify_variant(struct engine *engine, const struct clear_variant *variant,
                           uint8_t *start, uint64_t bytes)
{
    timed_fill(start, bytes, ENGINE_DIRTY_PATTERN);
    variant->clear(start + PAGE, bytes - 2 * PAGE);
    return count_wrong(engine, start + PAGE, bytes - 2 * PAGE, pattern_left_by(variant)) == 0 &&
           count_wrong(engine, start, PAGE, ENGINE_DIRTY_PATTERN) == 0 &&
           count_wrong(engine, start + bytes - PAGE, PAGE, ENGINE_DIRTY_PATTERN) == 0;
}

bool engine_verify(struct engine *engine)
{
    struct bench_results *results = engine->results;
    const struct bench_setting *setting = &results->settings[0];
    uint8_t *start = engine_window(engine, setting);
    uint64_t bytes = setting->region_bytes < 2 * MIB ? setting->region_bytes : 2 * MIB;
    bool is_good = start != NULL;
    if (bytes < ENGINE_SCRATCH_BYTES) { /* no room for pages that have to stay */
        start = engine->machine->scratch;
        bytes = ENGINE_SCRATCH_BYTES;
    }
    for (uint32_t i = 0; is_good && i < results->variant_count; i++) {
        if (!engine->is_runnable[i])
            continue;
        results->is_verified[i] = verify_variant(engine, &results->variants[i], start, bytes);
        is_good = results->is_verified[i];
    }
    return is_good;
}

void engine_measure_harness(struct engine *engine)
{
    struct bench_results *results = engine->results;
    uint32_t empty = variant_find(results->variants, results->variant_count, "empty");
    const struct bench_setting *setting = &results->settings[0];
    uint8_t *start = engine_window(engine, setting);
    if (empty == UINT32_MAX || start == NULL)
        return;
    results->harness_calls = setting->sample_calls;
    memset(engine->order, 0, ENGINE_HARNESS_SAMPLES * sizeof *engine->order);
    struct timed_pass pass = {
        .clear = results->variants[empty].clear, .start = start, .extent_bytes = PAGE,
        .order = engine->order, .samples = engine->samples, .sample_count = ENGINE_HARNESS_SAMPLES,
        .calls = setting->sample_calls,
    };
    timed_pass(&pass); /* the first time warms the code */
    timed_pass(&pass);
    for (uint32_t i = 0; i < ENGINE_HARNESS_SAMPLES; i++)
        engine->scratch[i] = (int64_t)((engine->samples[i] << 8) / pass.calls);
    results->harness_median_q8 = (uint64_t)order_median(engine->scratch, ENGINE_HARNESS_SAMPLES);
    results->harness_q1_q8 =
        (uint64_t)order_quantile(engine->scratch, ENGINE_HARNESS_SAMPLES, 250000);
    results->harness_q3_q8 =
        (uint64_t)order_quantile(engine->scratch, ENGINE_HARNESS_SAMPLES, 750000);
}
