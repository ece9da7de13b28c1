/* The engine on a machine made of counters: the timed loop and the stores are stand-ins in C
 * that log who cleared what, and whether it was dirty. For engine_test.c. */
#ifndef TESTS_UNIT_BENCH_ENGINE_FAKE_H
#define TESTS_UNIT_BENCH_ENGINE_FAKE_H

#include <stdlib.h>
#include <string.h>
#include "tests/unit/unit_test.h"

/* The engine is no part of the pure archive that tests are linked with. */
#include "kernel/bench/engine.c"
#include "kernel/bench/engine_check.c"
#include "kernel/bench/engine_pass.c"
#define make_dirty make_dirty_for_turns /* both files have one of their own */
#include "kernel/bench/engine_turns.c"
#undef make_dirty

#include "kernel/stats/plan.h"

#define KIB 1024ull

enum { REGION = 256 * 1024, LOG = 4096, MEMORY = 1 << 22 };

static struct {
    uint8_t *region;
    uint64_t clock_us, cycles_of_call;
    const struct clear_variant *log[LOG]; /* one entry per turn outside of warming up */
    uint32_t log_first[LOG];              /* the first extent of that turn */
    uint32_t log_count;
    uint32_t clean_calls;      /* timed calls on memory that was not made dirty before */
    uint32_t preempted_passes; /* the next so many passes lose the CPU in every sample */
    uint32_t beside_calls, yield_calls;
    uint64_t sample_us;        /* what a sample in the region takes */
    uint64_t told_us, longest_silence_us;
    bool is_just_told;         /* nothing ran since progress was told */
    bool is_elsewhere;         /* what runs now is an errand of another CPU */
    bool is_noisy;             /* passes take 1 to 1.5 times as long, in turn */
    struct rng noise;
} fake;

static void clear_zero(void *start, uint64_t bytes) { memset(start, 0, bytes); }
static void clear_zero_too(void *start, uint64_t bytes) { memset(start, 0, bytes); }
static void clear_a5(void *start, uint64_t bytes) { memset(start, 0xa5, bytes); }
static void clear_nothing(void *start, uint64_t bytes) { (void)start; (void)bytes; }
static void clear_too_far(void *start, uint64_t bytes) { memset(start, 0, bytes + 8); }
static void clear_too_short(void *start, uint64_t bytes) { memset(start, 0, bytes - 8); }

static struct clear_variant variants[] = {
    { .id = "stosb", .clear = clear_zero, .tier = VARIANT_MANDATORY },
    { .id = "movnti8", .clear = clear_zero_too, .tier = VARIANT_MANDATORY },
    { .id = "stosb_a5", .clear = clear_a5, .tier = VARIANT_CONTROL, .leaves = 0xa5 },
    { .id = "empty", .clear = clear_nothing, .tier = VARIANT_CONTROL,
      .leaves = VARIANT_LEAVES_UNCHANGED },
};
enum { VARIANTS = 4 };
static const bool runnable[VARIANTS] = { true, true, true, true };

void timed_pass(const struct timed_pass *pass)
{
    for (uint32_t i = 0; i < pass->sample_count; i++) {
        uint64_t span = pass->extent_bytes * pass->calls;
        uint8_t *start = (uint8_t *)pass->start + pass->order[i] * span;
        bool is_region = start >= fake.region && start < fake.region + REGION;
        for (uint32_t call = 0; call < pass->calls; call++) {
            if (is_region && start[call * pass->extent_bytes] != 0xC3)
                fake.clean_calls++;
            pass->clear(start + call * pass->extent_bytes, pass->extent_bytes);
        }
        pass->samples[i] = fake.cycles_of_call * pass->calls;
        fake.clock_us += is_region ? fake.sample_us : 10;
    }
    fake.is_just_told = false;
}

void timed_fill(void *start, uint64_t bytes, uint64_t pattern)
{
    memset(start, (int)(pattern & 0xff), bytes);
}

void timed_flush(const void *start, uint64_t bytes, uint64_t line_bytes)
{
    (void)start;
    (void)bytes;
    (void)line_bytes;
}

void timed_flush_old(const void *start, uint64_t bytes, uint64_t line_bytes)
{
    timed_flush(start, bytes, line_bytes);
}

uint64_t timed_holds(const void *start, uint64_t bytes, uint64_t pattern)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < bytes; i += 8)
        wrong += memcmp((const uint8_t *)start + i, &pattern, 8) != 0;
    return wrong;
}

static void *fake_window(void *context, const struct bench_setting *setting)
{
    (void)context;
    return setting->region_bytes <= REGION ? fake.region : NULL;
}

static void fake_time_pass(void *context, const struct timed_pass *pass,
                           struct engine_marks *marks)
{
    (void)context;
    assert_false(fake.is_just_told); /* a warm-up comes between a line and the samples */
    for (int i = 0; i < VARIANTS; i++)
        if (variants[i].clear == pass->clear && fake.log_count < LOG) {
            fake.log_first[fake.log_count] = pass->order[0];
            fake.log[fake.log_count++] = &variants[i];
        }
    timed_pass(pass);
    uint64_t more = fake.is_noisy ? rng_below(&fake.noise, 50) : 0;
    for (uint32_t i = 0; i < pass->sample_count; i++)
        pass->samples[i] += pass->samples[i] * more / 100;
    marks->has_preempted = true;
    for (uint32_t i = 0; i < pass->sample_count; i++)
        marks->is_preempted[i] = fake.preempted_passes > 0;
    if (fake.preempted_passes > 0)
        fake.preempted_passes--;
}

static uint64_t fake_now_us(void *context)
{
    (void)context;
    return fake.clock_us;
}

static void fake_beside(void *context, uint32_t setting, uint32_t block)
{
    (void)context;
    (void)setting;
    (void)block;
    fake.beside_calls++;
}

static void fake_yield(void *context)
{
    (void)context;
    fake.yield_calls++;
}

static void fake_progress(void *context, const struct engine_progress *progress)
{
    (void)context;
    assert_false(fake.is_elsewhere);
    assert_true(progress->percent < 100);
    uint64_t silence_us = fake.clock_us - fake.told_us;
    if (silence_us > fake.longest_silence_us)
        fake.longest_silence_us = silence_us;
    fake.told_us = fake.clock_us;
    fake.is_just_told = true;
}

static bool fake_run_at(void *context, enum engine_place place, void (*function)(void *argument),
                        void *argument)
{
    (void)context;
    (void)place;
    fake.is_elsewhere = true;
    function(argument);
    fake.is_elsewhere = false;
    return true;
}

struct fixture {
    struct arena arena;
    struct engine_machine machine;
    struct bench_results results;
    struct engine engine;
};

static struct fixture *fixture_with(uint32_t blocks, uint64_t budget_us, uint64_t extent)
{
    static uint8_t memory[MEMORY], scratch[ENGINE_SCRATCH_BYTES];
    static uint8_t region[REGION] __attribute__((aligned(4096)));
    static const uint64_t pages[] = { 4 * KIB }, sizes[] = { REGION };
    static const struct plan_placement alone = { BENCH_PLACE_ONE, 1 };
    static struct fixture f;
    const char *why;
    memset(&fake, 0, sizeof fake);
    memset(&f, 0, sizeof f);
    fake.region = region;
    fake.cycles_of_call = 700;
    fake.sample_us = 10;
    arena_init(&f.arena, memory, sizeof memory);
    struct plan_request request = {
        .variants = variants, .variant_count = VARIANTS, .is_runnable = runnable, .pick = 0,
        .chosen_variants = 7, .sizes = sizes, .size_count = 1, .extents = &extent,
        .extent_count = 1, .pages = pages, .page_count = 1, .placements = &alone,
        .placement_count = 1, .blocks = blocks, .budget_us = budget_us, .seed = 5,
        .usable_bytes = REGION, .assumed_bytes_per_s = 1000000000,
    };
    assert_true(plan_build(&request, &f.arena, &f.results, &why));
    f.results.tsc_hz = 1000000000;
    f.results.delta_ppm = 20000;
    f.machine = (struct engine_machine){ .window = fake_window, .time_pass = fake_time_pass,
                                         .now_us = fake_now_us, .progress = fake_progress,
                                         .scratch = scratch,
                                         .beside = fake_beside, .yield = fake_yield,
                                         .line_bytes = 64 };
    assert_true(engine_init(&f.engine, &f.machine, &f.results, runnable, &f.arena));
    return &f;
}

static struct fixture *fixture_of(uint32_t blocks, uint64_t budget_us)
{
    return fixture_with(blocks, budget_us, 4 * KIB);
}

#endif
