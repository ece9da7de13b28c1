/* A block is as many rounds as it has arms. In a round all extents are made dirty once, then
 * the arms take turns through them, a few samples each; from round to round the arms move on
 * by one turn, so that each has cleared every extent once when the block ends:
 *
 *   extents   0-7  8-15  16-23  24-31 …
 *   round 0    A     B      C      A
 *   round 1    B     C      A      B
 *   round 2    C     A      B      C
 *
 * Extents that are too few for a median are swept several times, all of this each time.
 *
 * Times that are compared are milliseconds apart, not a whole pass, so what the neighbours
 * on a shared memory do cancels; and no arm alone meets what filling left in the caches. */
#include "kernel/bench/engine_turns.h"

#include "kernel/bench/engine_pass.h"
#include "kernel/stats/samples.h"

enum {
    /* Clocks are back 650 us after wide vectors. [clear 2.5] */
    WARM_UP_TURN_US = 200, WARM_UP_WIDE_TURN_US = 1000,
    FIRST_MIN_SAMPLES = 16,      /* shorter passes and turns cannot spare their first sample */
    FIRST_MIN_TURN = 8,
    MAX_TAKES = 4,               /* of what was preempted in most samples */
};

struct turns {
    struct engine *engine;
    const struct bench_setting *setting;
    uint8_t *start;
    uint32_t sweep, round, before; /* `before`: the arm that had the last turn */
    uint64_t warmed;             /* bit i: arm i has had a turn in this block */
};

static const struct clear_variant *variant_of(const struct turns *turns, uint32_t arm)
{
    const struct bench_results *results = turns->engine->results;
    return &results->variants[results->cells[turns->setting->first_cell + arm].variant];
}

static bool is_wide(const struct clear_variant *variant)
{
    return (variant->needs & (VARIANT_NEEDS_AVX | VARIANT_NEEDS_AVX512F)) != 0;
}

/* The arm's marks, from the sample `first` on. */
static struct engine_marks marks_from(const struct engine *engine, uint32_t arm, uint32_t first)
{
    size_t at = (size_t)arm * engine->sample_capacity + first;
    struct engine_marks marks = engine->marks;
    marks.smi_before += at;
    marks.smi_after += at;
    marks.core_hz += at;
    marks.has_thermal += at;
    marks.is_preempted += at;
    return marks;
}

/* The arm's samples of the sweep begin there. */
static uint32_t sweep_start(const struct turns *turns)
{
    return turns->sweep * bench_sweep_samples(turns->setting);
}

static void take_turn(const struct turns *turns, uint32_t arm, uint32_t first, uint32_t count)
{
    struct engine *engine = turns->engine;
    uint32_t at = sweep_start(turns) + first;
    struct timed_pass pass = {
        .clear = variant_of(turns, arm)->clear, .start = turns->start,
        .extent_bytes = turns->setting->extent_bytes, .order = engine->order + first,
        .samples = engine->samples + (size_t)arm * engine->sample_capacity + at,
        .sample_count = count, .calls = turns->setting->sample_calls,
    };
    struct engine_marks marks = marks_from(engine, arm, at);
    engine->machine->time_pass(engine->machine->context, &pass, &marks);
    engine->marks.has_smi = marks.has_smi;
    engine->marks.has_core_hz = marks.has_core_hz;
    engine->marks.has_thermal_log = marks.has_thermal_log;
    engine->marks.has_preempted = marks.has_preempted;
}

static void make_dirty(void *argument)
{
    const struct turns *turns = argument;
    engine_make_dirty(turns->engine, turns->setting, turns->start);
}

/* An arm's first turn in a block is warmed up for longer than those that follow. */
static uint64_t warm_up_us(struct turns *turns, uint32_t arm)
{
    bool is_warm = arm < 64 && (turns->warmed >> arm & 1);
    bool is_after_wide = is_wide(variant_of(turns, turns->before));
    if (arm < 64)
        turns->warmed |= 1ull << arm;
    if (!is_warm)
        return ENGINE_WARM_UP_US;
    return is_after_wide || is_wide(variant_of(turns, arm)) ? WARM_UP_WIDE_TURN_US
                                                            : WARM_UP_TURN_US;
}

static void run_round(void *argument)
{
    struct turns *turns = argument;
    struct engine *engine = turns->engine;
    const struct bench_setting *setting = turns->setting;
    if (setting->state != BENCH_STATE_DIRTY_REMOTE)
        make_dirty(argument);
    uint32_t turn = turns->round, all = bench_sweep_samples(setting);
    for (uint32_t first = 0; first < all; turn++) {
        uint32_t left = all - first;
        uint32_t arm = engine->arms[turn % setting->cell_count];
        uint32_t count = left < setting->turn_samples ? left : setting->turn_samples;
        engine_beat(engine); /* before the warm-up: the samples do not see it */
        engine_warm_up(engine, variant_of(turns, arm), warm_up_us(turns, arm));
        take_turn(turns, arm, first, count);
        turns->before = arm;
        first += count;
    }
}

static bool is_mostly_preempted(const struct turns *turns, uint32_t arm, uint32_t first,
                                uint32_t count)
{
    const struct engine_marks marks = marks_from(turns->engine, arm, first);
    uint32_t preempted = 0;
    for (uint32_t i = 0; marks.has_preempted && i < count; i++)
        preempted += marks.is_preempted[i];
    return preempted * 2 > count;
}

/* A turn is a whole sweep: the round belongs to one arm. */
static bool is_turn_whole(const struct bench_setting *setting)
{
    return setting->turn_samples >= bench_sweep_samples(setting);
}

static bool take_round(struct turns *turns)
{
    engine_beat(turns->engine);
    /* The other CPU stores first, then the clearing one does everything else. */
    if (turns->setting->state == BENCH_STATE_DIRTY_REMOTE &&
        !engine_at(turns->engine, ENGINE_AT_REMOTE, make_dirty, turns))
        return false;
    return engine_at(turns->engine, ENGINE_AT_CLEARING, run_round, turns);
}

/* The round's arm, when it had its CPU for half of its samples at the most, once more. */
static bool take_round_again(struct turns *turns)
{
    struct engine *engine = turns->engine;
    uint32_t arm = engine->arms[turns->round];
    for (int take = 1; take < MAX_TAKES &&
                       is_mostly_preempted(turns, arm, sweep_start(turns),
                                           bench_sweep_samples(turns->setting)); take++) {
        engine->results->retaken_passes++;
        if (!take_round(turns))
            return false;
    }
    return true;
}

/* A round that goes through four times the caches is its own before and after; with less,
 * another run's lines would be found in them. */
static bool is_round_above_caches(const struct turns *turns)
{
    const struct bench_setting *setting = turns->setting;
    const struct engine_machine *machine = turns->engine->machine;
    uint64_t caches = machine->l2_bytes + machine->llc_bytes;
    return caches != 0 && bench_sweep_samples(setting) * setting->sample_calls *
                              setting->extent_bytes >= 4 * caches;
}

static bool run_one_round(struct turns *turns)
{
    if (turns->round + turns->sweep != 0 && is_round_above_caches(turns))
        engine_yield(turns->engine);
    return take_round(turns) && (!is_turn_whole(turns->setting) || take_round_again(turns));
}

static bool run_sweeps(struct turns *turns)
{
    const struct bench_setting *setting = turns->setting;
    turns->warmed = 0;
    turns->before = turns->engine->arms[0];
    for (turns->sweep = 0; turns->sweep < setting->sweeps; turns->sweep++)
        for (turns->round = 0; turns->round < setting->cell_count; turns->round++)
            if (!run_one_round(turns))
                return false;
    return true;
}

static uint32_t count_preempted(const struct turns *turns)
{
    uint32_t count = 0;
    for (uint32_t arm = 0; arm < turns->setting->cell_count; arm++)
        count += is_mostly_preempted(turns, arm, 0, turns->setting->pass_samples);
    return count;
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

static void summarise(const struct turns *turns, uint32_t arm, uint32_t block)
{
    struct engine *engine = turns->engine;
    const struct bench_setting *setting = turns->setting;
    const struct engine_marks marks = marks_from(engine, arm, 0);
    uint32_t cell = setting->first_cell + arm;
    bool spares_first = setting->pass_samples >= FIRST_MIN_SAMPLES &&
                        setting->turn_samples >= FIRST_MIN_TURN;
    struct samples samples = {
        .cycles = engine->samples + (size_t)arm * engine->sample_capacity,
        .count = setting->pass_samples, .calls = setting->sample_calls,
        .smi_before = marks.smi_before, .smi_after = marks.has_smi ? marks.smi_after : NULL,
        .core_hz = marks.has_core_hz ? marks.core_hz : NULL,
        .has_thermal = marks.has_thermal_log ? marks.has_thermal : NULL,
        .is_preempted = marks.has_preempted ? marks.is_preempted : NULL,
        .turn_samples = spares_first ? setting->turn_samples : 0,
    };
    samples_mark(&samples, engine->flags, engine->scratch);
    samples_summarise(&samples, engine->flags, engine->scratch,
                      &engine->results->cells[cell].blocks[block]);
    keep_marked(engine->results, cell, block, &samples, engine->flags);
}

bool engine_turns_run(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                      uint32_t block)
{
    struct turns turns = { .engine = engine, .setting = setting, .start = start };
    uint32_t preempted;
    if (!run_sweeps(&turns))
        return false;
    /* Of passes in many turns none can be taken again alone. */
    for (int take = 1; take < MAX_TAKES && !is_turn_whole(setting) &&
                       (preempted = count_preempted(&turns)) != 0; take++) {
        engine->results->retaken_passes += preempted;
        if (!run_sweeps(&turns))
            return false;
    }
    for (uint32_t arm = 0; arm < setting->cell_count; arm++)
        summarise(&turns, arm, block);
    return true;
}
