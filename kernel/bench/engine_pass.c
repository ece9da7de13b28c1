/* One arm of a block: memory made dirty, the variant warmed up, its pass timed.
 * [clear 3.5] */
#include "kernel/bench/engine_pass.h"

#include "kernel/stats/order.h"
#include "kernel/stats/rng.h"
#include "kernel/stats/samples.h"

enum {
    WARM_UP_ROUND = 5,           /* runs whose median is compared with the next round's */
    WARM_UP_MAX_ROUNDS = 400,
    WARM_UP_MIN_US = 2000,
    FIRST_MIN_SAMPLES = 16,      /* shorter passes cannot spare their first sample */
    MAX_TAKES = 4,               /* of a pass that was preempted in most samples */
};

static void flush(const struct engine_machine *machine, const void *start, uint64_t bytes)
{
    if (machine->has_clflushopt)
        timed_flush(start, bytes, machine->line_bytes);
    else
        timed_flush_old(start, bytes, machine->line_bytes);
}

/* One arm on its way to the CPUs that work on it. */
struct arm {
    struct engine *engine;
    const struct bench_setting *setting;
    const struct clear_variant *variant;
    struct timed_pass pass;
    uint32_t cell, block;
    void (*run)(void *context, const struct timed_pass *pass);
    void *context;
};

static void make_dirty(void *argument)
{
    const struct arm *arm = argument;
    const struct bench_setting *setting = arm->setting;
    uint8_t *start = arm->pass.start;
    uint64_t span = setting->extent_bytes * setting->sample_calls;
    uint64_t pattern = setting->state == BENCH_STATE_ZERO ? 0 : ENGINE_DIRTY_PATTERN;
    for (uint32_t i = 0; i < setting->pass_samples; i++)
        timed_fill(start + arm->engine->order[i] * span, span, pattern);
    if (setting->state != BENCH_STATE_COLD)
        return;
    for (uint32_t i = 0; i < setting->pass_samples; i++)
        flush(arm->engine->machine, start + arm->engine->order[i] * span, span);
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

static struct arm arm_of(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                         uint32_t cell)
{
    const struct bench_results *results = engine->results;
    const struct clear_variant *variant = &results->variants[results->cells[cell].variant];
    return (struct arm){
        .engine = engine, .setting = setting, .variant = variant, .cell = cell,
        .pass = {
            .clear = variant->clear, .start = start, .extent_bytes = setting->extent_bytes,
            .order = engine->order, .samples = engine->samples,
            .sample_count = setting->pass_samples, .calls = setting->sample_calls,
        },
    };
}

void engine_choose(struct engine *engine, uint32_t index, uint32_t block)
{
    const struct bench_setting *setting = &engine->results->settings[index];
    struct rng rng = rng_of(engine->results->seed, (uint64_t)index << 32 | block);
    uint64_t span = setting->extent_bytes * setting->sample_calls;
    rng_choose(&rng, (uint32_t)(setting->region_bytes / span), engine->order,
               setting->pass_samples);
    rng_permute(&rng, engine->arms, setting->cell_count);
}

static void warm_up_and_run(void *argument)
{
    const struct arm *arm = argument;
    if (arm->setting->state != BENCH_STATE_DIRTY_REMOTE)
        make_dirty(argument);
    warm_up(arm->engine, arm->variant);
    if (arm->run != NULL)
        arm->run(arm->context, &arm->pass);
    else
        time_alone(arm->engine, &arm->pass, arm->cell, arm->block,
                   &arm->engine->results->cells[arm->cell].blocks[arm->block]);
}

/* The other CPU stores first, then the clearing one does everything else. */
static bool run_arm(struct arm *arm)
{
    if (arm->setting->state == BENCH_STATE_DIRTY_REMOTE &&
        !engine_at(arm->engine, ENGINE_AT_REMOTE, make_dirty, arm))
        return false;
    return engine_at(arm->engine, ENGINE_AT_CLEARING, warm_up_and_run, arm);
}

bool engine_pass_with(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                      uint32_t cell, void (*run)(void *context, const struct timed_pass *pass),
                      void *context)
{
    struct arm arm = arm_of(engine, setting, start, cell);
    arm.run = run;
    arm.context = context;
    return run_arm(&arm);
}

bool engine_pass_run(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                     uint32_t cell_index, uint32_t block)
{
    struct bench_results *results = engine->results;
    struct bench_cell *cell = &results->cells[cell_index];
    struct arm arm = arm_of(engine, setting, start, cell_index);
    arm.block = block;
    if (setting->placement != BENCH_PLACE_ONE)
        return engine->machine->time_together != NULL &&
               time_together(engine, setting, &arm.pass, cell, &cell->blocks[block]);
    if (!run_arm(&arm))
        return false;
    for (int take = 1; take < MAX_TAKES && is_mostly_preempted(&cell->blocks[block]); take++) {
        results->retaken_passes++;
        if (!run_arm(&arm))
            return false;
    }
    return true;
}
