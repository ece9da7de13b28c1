/* One arm of a block: memory made dirty, the variant warmed up, its pass run.
 * [clear 3.5] */
#include "kernel/bench/engine_pass.h"

#include "kernel/stats/order.h"
#include "kernel/stats/rng.h"

enum {
    WARM_UP_ROUND = 5,           /* runs whose median is compared with the next round's */
    WARM_UP_MAX_ROUNDS = 400,
};

static void flush(const struct engine_machine *machine, const void *start, uint64_t bytes)
{
    if (machine->has_clflushopt)
        timed_flush(start, bytes, machine->line_bytes);
    else
        timed_flush_old(start, bytes, machine->line_bytes);
}

void engine_make_dirty(struct engine *engine, const struct bench_setting *setting, uint8_t *start)
{
    uint64_t span = setting->extent_bytes * setting->sample_calls;
    uint64_t pattern = setting->state == BENCH_STATE_ZERO ? 0 : ENGINE_DIRTY_PATTERN;
    uint32_t count = bench_sweep_samples(setting);
    for (uint32_t i = 0; i < count; i++) {
        timed_fill(start + engine->order[i] * span, span, pattern);
        engine_beat(engine);
    }
    if (setting->state != BENCH_STATE_COLD)
        return;
    for (uint32_t i = 0; i < count; i++) {
        flush(engine->machine, start + engine->order[i] * span, span);
        engine_beat(engine);
    }
}

static uint64_t median_warm_up(struct engine *engine, const struct timed_pass *pass)
{
    timed_pass(pass);
    for (uint32_t i = 0; i < pass->sample_count; i++)
        engine->scratch[i] = (int64_t)pass->samples[i];
    engine->results->warm_up_runs += pass->sample_count;
    return (uint64_t)order_median(engine->scratch, pass->sample_count);
}

void engine_warm_up(struct engine *engine, const struct clear_variant *variant, uint64_t least_us)
{
    static const uint32_t in_place[WARM_UP_ROUND] = { 0 };
    uint64_t cycles[WARM_UP_ROUND];
    struct timed_pass pass = {
        .clear = variant->clear, .start = engine->machine->scratch,
        .extent_bytes = ENGINE_SCRATCH_BYTES,
        .order = in_place, .samples = cycles, .sample_count = WARM_UP_ROUND,
        .calls = 1,
    };
    const struct engine_machine *machine = engine->machine;
    uint64_t begin = machine->now_us(machine->context), before = 0;
    for (uint32_t round = 0; round < WARM_UP_MAX_ROUNDS; round++) {
        uint64_t median = median_warm_up(engine, &pass);
        uint64_t gap = median > before ? median - before : before - median;
        if (gap * 100 <= median && machine->now_us(machine->context) - begin >= least_us)
            break;
        before = median;
    }
}

/* False: a CPU did not finish, there is no such number. */
bool engine_pass_together(struct engine *engine, const struct bench_setting *setting,
                          uint8_t *start, uint32_t cell_index, uint32_t block)
{
    const struct engine_machine *machine = engine->machine;
    struct bench_cell *cell = &engine->results->cells[cell_index];
    struct timed_pass pass = {
        .clear = engine->results->variants[cell->variant].clear, .start = start,
        .extent_bytes = setting->extent_bytes, .order = engine->order,
        .samples = engine->samples, .sample_count = setting->pass_samples,
        .calls = setting->sample_calls,
    };
    if (machine->time_together == NULL)
        return false;
    uint64_t cycles_q8 = machine->time_together(machine->context, setting, &pass, cell);
    cell->blocks[block] = (struct bench_block){
        .median_cycles_q8 = cycles_q8, .all_median_cycles_q8 = cycles_q8,
        .q1_cycles_q8 = cycles_q8, .q3_cycles_q8 = cycles_q8, .p95_cycles_q8 = cycles_q8,
        .p99_cycles_q8 = cycles_q8, .min_cycles_q8 = cycles_q8, .max_cycles_q8 = cycles_q8,
        .sample_count = 1, .used_count = 1,
    };
    return cycles_q8 != 0;
}

void engine_choose(struct engine *engine, uint32_t index, uint32_t block)
{
    const struct bench_setting *setting = &engine->results->settings[index];
    struct rng rng = rng_of(engine->results->seed, (uint64_t)index << 32 | block);
    uint64_t span = setting->extent_bytes * setting->sample_calls;
    rng_choose(&rng, (uint32_t)(setting->region_bytes / span), engine->order,
               bench_sweep_samples(setting));
    rng_permute(&rng, engine->arms, setting->cell_count);
}

/* One arm on its way to the CPUs that work on it. */
struct arm {
    struct engine *engine;
    const struct bench_setting *setting;
    const struct clear_variant *variant;
    struct timed_pass pass;
    void (*run)(void *context, const struct timed_pass *pass);
    void *context;
};

static void make_dirty(void *argument)
{
    const struct arm *arm = argument;
    engine_make_dirty(arm->engine, arm->setting, arm->pass.start);
}

static void warm_up_and_run(void *argument)
{
    const struct arm *arm = argument;
    if (arm->setting->state != BENCH_STATE_DIRTY_REMOTE)
        make_dirty(argument);
    engine_warm_up(arm->engine, arm->variant, ENGINE_WARM_UP_US);
    arm->run(arm->context, &arm->pass);
}

bool engine_pass_with(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                      uint32_t cell, void (*run)(void *context, const struct timed_pass *pass),
                      void *context)
{
    const struct bench_results *results = engine->results;
    const struct clear_variant *variant = &results->variants[results->cells[cell].variant];
    struct arm arm = {
        .engine = engine, .setting = setting, .variant = variant, .run = run, .context = context,
        .pass = {
            .clear = variant->clear, .start = start, .extent_bytes = setting->extent_bytes,
            .order = engine->order, .samples = engine->samples,
            .sample_count = bench_sweep_samples(setting), .calls = setting->sample_calls,
        },
    };
    /* Another CPU stores first, then the clearing one does everything else. */
    if (setting->state == BENCH_STATE_DIRTY_REMOTE &&
        !engine_at(engine, ENGINE_AT_REMOTE, make_dirty, &arm))
        return false;
    return engine_at(engine, ENGINE_AT_CLEARING, warm_up_and_run, &arm);
}
