/* Runs a plan in interleaved blocks. [clear 3.5] */
#include "kernel/bench/engine.h"

#include <stdio.h>
#include <string.h>

#include "kernel/stats/order.h"
#include "kernel/stats/rng.h"
#include "kernel/stats/samples.h"
#include "kernel/stats/summary.h"

#define MIB (1024ull * 1024)

enum {
    PAGE = 4096,
    WARM_UP_ROUND = 5,           /* runs whose median is compared with the next round's */
    WARM_UP_MAX_ROUNDS = 400,
    WARM_UP_MIN_US = 2000,
    HARNESS_SAMPLES = 1001,
    FIRST_MIN_SAMPLES = 16,      /* shorter passes cannot spare their first sample */
    MARKED_MIN_CAPACITY = 256,
    MAX_TAKES = 4,               /* of a pass that was preempted in most samples */
};

static const uint64_t dirty_pattern = 0xC3C3C3C3C3C3C3C3;

bool engine_init(struct engine *engine, const struct engine_machine *machine,
                 struct bench_results *results, const bool *is_runnable, struct arena *arena)
{
    *engine = (struct engine){ .machine = machine, .results = results,
                               .is_runnable = is_runnable };
    uint32_t samples = HARNESS_SAMPLES;
    for (uint32_t i = 0; i < results->setting_count; i++) {
        const struct bench_setting *setting = &results->settings[i];
        samples = setting->pass_samples > samples ? setting->pass_samples : samples;
        if (setting->cell_count > engine->arm_capacity)
            engine->arm_capacity = setting->cell_count;
    }
    engine->order = ARENA_NEW(arena, uint32_t, samples);
    engine->flags = ARENA_NEW(arena, uint32_t, samples);
    engine->samples = ARENA_NEW(arena, uint64_t, samples);
    engine->scratch = ARENA_NEW(arena, int64_t, samples);
    engine->arms = ARENA_NEW(arena, uint32_t, engine->arm_capacity);
    engine->setting_us = ARENA_NEW(arena, uint64_t, results->setting_count);
    engine->marks.smi_after = ARENA_NEW(arena, uint64_t, samples);
    engine->marks.core_hz = ARENA_NEW(arena, uint64_t, samples);
    engine->marks.has_thermal = ARENA_NEW(arena, uint8_t, samples);
    engine->marks.is_preempted = ARENA_NEW(arena, uint8_t, samples);
    results->marked_capacity = MARKED_MIN_CAPACITY;
    results->marked = ARENA_NEW(arena, struct bench_marked, results->marked_capacity);
    results->is_verified = ARENA_NEW(arena, bool, results->variant_count);
    return !arena->is_exhausted;
}

static void flush(const struct engine_machine *machine, const void *start, uint64_t bytes)
{
    if (machine->has_clflushopt)
        timed_flush(start, bytes, machine->line_bytes);
    else
        timed_flush_old(start, bytes, machine->line_bytes);
}

/* --- verification ------------------------------------------------------------------ */

static uint64_t pattern_left_by(const struct clear_variant *variant)
{
    if (variant->leaves == VARIANT_LEAVES_UNCHANGED)
        return dirty_pattern;
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
    timed_fill(start, bytes, dirty_pattern);
    variant->clear(start + PAGE, bytes - 2 * PAGE);
    return count_wrong(engine, start + PAGE, bytes - 2 * PAGE, pattern_left_by(variant)) == 0 &&
           count_wrong(engine, start, PAGE, dirty_pattern) == 0 &&
           count_wrong(engine, start + bytes - PAGE, PAGE, dirty_pattern) == 0;
}

static void *window_of(struct engine *engine, const struct bench_setting *setting)
{
    return engine->machine->window(engine->machine->context, setting->region_bytes,
                                   setting->page_bytes);
}

bool engine_verify(struct engine *engine)
{
    struct bench_results *results = engine->results;
    const struct bench_setting *setting = &results->settings[0];
    uint8_t *start = window_of(engine, setting);
    uint64_t bytes = setting->region_bytes < 2 * MIB ? setting->region_bytes : 2 * MIB;
    bool is_good = start != NULL;
    for (uint32_t i = 0; is_good && i < results->variant_count; i++) {
        if (!engine->is_runnable[i])
            continue;
        results->is_verified[i] = verify_variant(engine, &results->variants[i], start, bytes);
        is_good = results->is_verified[i];
    }
    return is_good;
}

/* --- one pass ------------------------------------------------------------------------ */

static void prepare(struct engine *engine, const struct bench_setting *setting, uint8_t *start)
{
    uint64_t span = setting->extent_bytes * setting->sample_calls;
    uint64_t pattern = setting->state == BENCH_STATE_ZERO ? 0 : dirty_pattern;
    for (uint32_t i = 0; i < setting->pass_samples; i++)
        timed_fill(start + engine->order[i] * span, span, pattern);
    if (setting->state != BENCH_STATE_COLD)
        return;
    for (uint32_t i = 0; i < setting->pass_samples; i++)
        flush(engine->machine, start + engine->order[i] * span, span);
}

static uint64_t median_warm_up(struct engine *engine, const struct timed_pass *pass)
{
    timed_pass(pass);
    for (uint32_t i = 0; i < pass->sample_count; i++)
        engine->scratch[i] = (int64_t)pass->samples[i];
    engine->results->warm_up_runs += pass->sample_count;
    return (uint64_t)order_median(engine->scratch, pass->sample_count);
}

/* The same variant on memory beside the region, until two rounds agree within
 * 1 % and 2 ms have gone by, so that clock and licences are steady. */
static void warm_up(struct engine *engine, const struct clear_variant *variant)
{
    static const uint32_t in_place[WARM_UP_ROUND] = { 0 };
    struct timed_pass pass = {
        .clear = variant->clear, .start = engine->machine->scratch,
        .extent_bytes = ENGINE_SCRATCH_BYTES,
        .order = in_place, .samples = engine->samples, .sample_count = WARM_UP_ROUND,
        .calls = 1,
    };
    const struct engine_machine *machine = engine->machine;
    uint64_t begin = machine->now_us(machine->context), before = 0;
    for (uint32_t round = 0; round < WARM_UP_MAX_ROUNDS; round++) {
        uint64_t median = median_warm_up(engine, &pass);
        uint64_t gap = median > before ? median - before : before - median;
        if (gap * 100 <= median && machine->now_us(machine->context) - begin >= WARM_UP_MIN_US)
            break;
        before = median;
    }
}

static void keep_marked(struct bench_results *results, uint32_t cell, uint32_t block,
                        const struct samples *samples, const uint32_t *flags)
{
    const uint32_t announced = 1u << BENCH_FLAG_FIRST;
    for (uint32_t i = 0; i < samples->count; i++) {
        if ((flags[i] & ~announced) == 0 || results->marked_count == results->marked_capacity)
            continue;
        results->marked[results->marked_count++] = (struct bench_marked){
            .cell = cell, .block = block, .sample = i, .cycles = samples->cycles[i],
            .flags = flags[i],
        };
    }
}

static void time_alone(struct engine *engine, const struct timed_pass *pass, uint32_t cell_index,
                       uint32_t block, struct bench_block *out)
{
    struct engine_marks *marks = &engine->marks;
    engine->machine->time_pass(engine->machine->context, pass, marks);
    struct samples samples = {
        .cycles = engine->samples, .count = pass->sample_count, .calls = pass->calls,
        .smi_after = marks->has_smi ? marks->smi_after : NULL, .smi_before = marks->smi_before,
        .core_hz = marks->has_core_hz ? marks->core_hz : NULL,
        .has_thermal = marks->has_thermal_log ? marks->has_thermal : NULL,
        .is_preempted = marks->has_preempted ? marks->is_preempted : NULL,
        .is_first_warm_up = pass->sample_count >= FIRST_MIN_SAMPLES,
    };
    samples_mark(&samples, engine->flags, engine->scratch);
    samples_summarise(&samples, engine->flags, engine->scratch, out);
    keep_marked(engine->results, cell_index, block, &samples, engine->flags);
}

static bool is_mostly_preempted(const struct bench_block *block)
{
    return block->flag_counts[BENCH_FLAG_PREEMPTED] * 2 > block->sample_count;
}

/* False: a CPU did not finish, there is no such number. */
static bool time_together(struct engine *engine, const struct bench_setting *setting,
                          const struct timed_pass *pass, struct bench_cell *cell,
                          struct bench_block *out)
{
    uint64_t cycles_q8 = engine->machine->time_together(engine->machine->context, setting, pass,
                                                        cell);
    *out = (struct bench_block){
        .median_cycles_q8 = cycles_q8, .all_median_cycles_q8 = cycles_q8,
        .q1_cycles_q8 = cycles_q8, .q3_cycles_q8 = cycles_q8, .p95_cycles_q8 = cycles_q8,
        .p99_cycles_q8 = cycles_q8, .min_cycles_q8 = cycles_q8, .max_cycles_q8 = cycles_q8,
        .sample_count = 1, .used_count = 1,
    };
    return cycles_q8 != 0;
}

/* --- blocks -------------------------------------------------------------------------- */

static bool run_arm(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                    uint32_t cell_index, uint32_t block)
{
    struct bench_results *results = engine->results;
    struct bench_cell *cell = &results->cells[cell_index];
    const struct clear_variant *variant = &results->variants[cell->variant];
    struct timed_pass pass = {
        .clear = variant->clear, .start = start, .extent_bytes = setting->extent_bytes,
        .order = engine->order, .samples = engine->samples,
        .sample_count = setting->pass_samples, .calls = setting->sample_calls,
    };
    if (setting->placement != BENCH_PLACE_ONE)
        return engine->machine->time_together != NULL &&
               time_together(engine, setting, &pass, cell, &cell->blocks[block]);
    prepare(engine, setting, start);
    warm_up(engine, variant);
    time_alone(engine, &pass, cell_index, block, &cell->blocks[block]);
    for (int take = 1; take < MAX_TAKES && is_mostly_preempted(&cell->blocks[block]); take++) {
        results->retaken_passes++;
        prepare(engine, setting, start);
        warm_up(engine, variant);
        time_alone(engine, &pass, cell_index, block, &cell->blocks[block]);
    }
    return true;
}

/* All variants once, in a fresh order, on one fresh choice of extents. False: the
 * block is not whole and does not count. */
static bool run_setting(struct engine *engine, uint32_t index, uint32_t block)
{
    struct bench_results *results = engine->results;
    const struct bench_setting *setting = &results->settings[index];
    uint8_t *start = window_of(engine, setting);
    if (start == NULL)
        return false;
    struct rng rng = rng_of(results->seed, (uint64_t)index << 32 | block);
    uint64_t span = setting->extent_bytes * setting->sample_calls;
    rng_choose(&rng, (uint32_t)(setting->region_bytes / span), engine->order,
               setting->pass_samples);
    rng_permute(&rng, engine->arms, setting->cell_count);
    if (engine->machine->beside != NULL && block % 2 == 0)
        engine->machine->beside(engine->machine->context, index, block);
    for (uint32_t i = 0; i < setting->cell_count; i++)
        if (!run_arm(engine, setting, start, setting->first_cell + engine->arms[i], block))
            return false;
    if (engine->machine->beside != NULL && block % 2 == 1)
        engine->machine->beside(engine->machine->context, index, block);
    for (uint32_t i = 0; i < setting->cell_count; i++)
        results->cells[setting->first_cell + i].block_count = block + 1;
    return true;
}

static uint64_t elapsed_us(const struct engine *engine)
{
    return engine->machine->now_us(engine->machine->context) - engine->start_us;
}

static void tell_progress(const struct engine *engine, uint32_t block, uint32_t setting)
{
    const struct bench_results *results = engine->results;
    const struct engine_machine *machine = engine->machine;
    if (machine->progress == NULL)
        return;
    uint32_t blocks = results->settings[0].blocks, settings = results->setting_count;
    uint64_t done = (uint64_t)block * settings + setting, all = (uint64_t)blocks * settings;
    uint64_t used = elapsed_us(engine);
    uint64_t left = done == 0 ? results->planned_us : used / done * (all - done);
    uint64_t budget_left = results->budget_us > used ? results->budget_us - used : 0;
    char doing[48];
    snprintf(doing, sizeof doing, "block %u of %u", block + 1, blocks);
    machine->progress(machine->context, &(struct engine_progress){
        .doing = doing, .percent = (uint32_t)(done * 100 / all),
        .left_us = left < budget_left ? left : budget_left });
}

/* A setting takes part in a block when its last one would still fit the budget. A
 * setting that is left out once stays out: its blocks have to follow each other. */
static void run_block(struct engine *engine, uint32_t block)
{
    struct bench_results *results = engine->results;
    for (uint32_t i = 0; i < results->setting_count; i++) {
        struct bench_setting *setting = &results->settings[i];
        uint32_t done = results->cells[setting->first_cell].block_count;
        uint64_t begin = elapsed_us(engine);
        if (done != block || begin + engine->setting_us[i] > results->budget_us)
            continue;
        tell_progress(engine, block, i);
        if (run_setting(engine, i, block))
            engine->setting_us[i] = elapsed_us(engine) - begin;
    }
}

void engine_measure_harness(struct engine *engine)
{
    struct bench_results *results = engine->results;
    uint32_t empty = variant_find(results->variants, results->variant_count, "empty");
    const struct bench_setting *setting = &results->settings[0];
    uint8_t *start = window_of(engine, setting);
    if (empty == UINT32_MAX || start == NULL)
        return;
    results->harness_calls = setting->sample_calls;
    memset(engine->order, 0, HARNESS_SAMPLES * sizeof *engine->order);
    struct timed_pass pass = {
        .clear = results->variants[empty].clear, .start = start, .extent_bytes = PAGE,
        .order = engine->order, .samples = engine->samples, .sample_count = HARNESS_SAMPLES,
        .calls = setting->sample_calls,
    };
    timed_pass(&pass); /* the first time warms the code */
    timed_pass(&pass);
    for (uint32_t i = 0; i < HARNESS_SAMPLES; i++)
        engine->scratch[i] = (int64_t)((engine->samples[i] << 8) / pass.calls);
    results->harness_median_q8 = (uint64_t)order_median(engine->scratch, HARNESS_SAMPLES);
    results->harness_q1_q8 = (uint64_t)order_quantile(engine->scratch, HARNESS_SAMPLES, 250000);
    results->harness_q3_q8 = (uint64_t)order_quantile(engine->scratch, HARNESS_SAMPLES, 750000);
}

void engine_run(struct engine *engine)
{
    struct bench_results *results = engine->results;
    engine->start_us = engine->machine->now_us(engine->machine->context);
    for (uint32_t block = 0; block < results->settings[0].blocks; block++)
        run_block(engine, block);
    results->used_us = elapsed_us(engine);
    for (uint32_t i = 0; i < results->cell_count; i++)
        summary_of_cell(&results->cells[i], &results->settings[results->cells[i].setting],
                        results->tsc_hz);
}
