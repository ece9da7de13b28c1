/* Runs a plan in interleaved blocks. [clear 3.5] */
#include "kernel/bench/engine.h"

#include <stdio.h>

#include "kernel/bench/engine_pass.h"
#include "kernel/bench/engine_turns.h"
#include "kernel/stats/comparisons.h"
#include "kernel/stats/summary.h"

enum { FIRST_EXTENSION = 64, MARKED_CAPACITY = 64 };

bool engine_init(struct engine *engine, const struct engine_machine *machine,
                 struct bench_results *results, const bool *is_runnable, struct arena *arena)
{
    *engine = (struct engine){ .machine = machine, .results = results,
                               .is_runnable = is_runnable };
    uint32_t samples = ENGINE_HARNESS_SAMPLES;
    for (uint32_t i = 0; i < results->setting_count; i++) {
        const struct bench_setting *setting = &results->settings[i];
        samples = setting->pass_samples > samples ? setting->pass_samples : samples;
        if (setting->cell_count > engine->arm_capacity)
            engine->arm_capacity = setting->cell_count;
    }
    engine->order = ARENA_NEW(arena, uint32_t, samples);
    engine->flags = ARENA_NEW(arena, uint32_t, samples);
    engine->scratch = ARENA_NEW(arena, int64_t, samples);
    engine->arms = ARENA_NEW(arena, uint32_t, engine->arm_capacity);
    engine->setting_us = ARENA_NEW(arena, uint64_t, results->setting_count);
    engine->sample_capacity = samples;
    size_t all = (size_t)samples * engine->arm_capacity;
    engine->samples = ARENA_NEW(arena, uint64_t, all);
    engine->marks.smi_before = ARENA_NEW(arena, uint64_t, all);
    engine->marks.smi_after = ARENA_NEW(arena, uint64_t, all);
    engine->marks.core_hz = ARENA_NEW(arena, uint64_t, all);
    engine->marks.has_thermal = ARENA_NEW(arena, uint8_t, all);
    engine->marks.is_preempted = ARENA_NEW(arena, uint8_t, all);
    results->marked_capacity = MARKED_CAPACITY;
    results->marked = ARENA_NEW(arena, struct bench_marked, results->marked_capacity);
    results->is_verified = ARENA_NEW(arena, bool, results->variant_count);
    return !arena->is_exhausted;
}

void *engine_window(struct engine *engine, const struct bench_setting *setting)
{
    return engine->machine->window(engine->machine->context, setting);
}

bool engine_at(struct engine *engine, enum engine_place place,
               void (*function)(void *argument), void *argument)
{
    const struct engine_machine *machine = engine->machine;
    if (machine->run_at != NULL) {
        engine->is_away = place != ENGINE_AT_CLEARING || machine->clears_elsewhere;
        bool is_done = machine->run_at(machine->context, place, function, argument);
        engine->is_away = false;
        return is_done;
    }
    if (place == ENGINE_AT_CLEARING)
        function(argument);
    return place == ENGINE_AT_CLEARING;
}

/* Several CPUs clear at once: one variant after the other. */
static bool run_together(struct engine *engine, const struct bench_setting *setting,
                         uint8_t *start, uint32_t block)
{
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        engine_beat(engine);
        if (!engine_pass_together(engine, setting, start, setting->first_cell + engine->arms[i],
                                  block))
            return false;
    }
    return true;
}

/* All variants once, in a fresh order, on one fresh choice of extents. False: the
 * block is not whole and does not count. */
static bool run_setting(struct engine *engine, uint32_t index, uint32_t block)
{
    struct bench_results *results = engine->results;
    const struct bench_setting *setting = &results->settings[index];
    uint8_t *start = engine_window(engine, setting);
    if (start == NULL)
        return false;
    engine_choose(engine, index, block);
    if (engine->machine->beside != NULL && block % 2 == 0)
        engine->machine->beside(engine->machine->context, index, block);
    if (!(setting->placement == BENCH_PLACE_ONE ? engine_turns_run : run_together)(
            engine, setting, start, block))
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

static uint64_t blocks_us(const struct bench_results *results)
{
    return results->budget_us - results->reserve_us;
}

static uint32_t most_blocks(const struct bench_results *results)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < results->setting_count; i++)
        if (results->settings[i].blocks > most)
            most = results->settings[i].blocks;
    return most;
}

static uint64_t budget_left_us(const struct engine *engine)
{
    uint64_t used = elapsed_us(engine), budget = engine->results->budget_us;
    return budget > used ? budget - used : 0;
}

static void tell(struct engine *engine, const struct engine_progress *now)
{
    const struct engine_machine *machine = engine->machine;
    engine->told = *now;
    engine->told_us = machine->now_us(machine->context);
    if (machine->progress != NULL)
        machine->progress(machine->context, now);
}

void engine_beat(struct engine *engine)
{
    const struct engine_machine *machine = engine->machine;
    if (engine->is_away || engine->told.doing == NULL)
        return;
    uint64_t gone = machine->now_us(machine->context) - engine->told_us;
    if (gone < ENGINE_BEAT_US)
        return;
    struct engine_progress now = engine->told;
    /* A block that takes longer than those before it: the budget is the bound. */
    now.left_us = now.left_us > gone ? now.left_us - gone : budget_left_us(engine);
    tell(engine, &now);
}

static void tell_progress(struct engine *engine, uint32_t block, uint32_t setting)
{
    const struct bench_results *results = engine->results;
    uint32_t blocks = most_blocks(results), settings = results->setting_count;
    uint64_t done = (uint64_t)block * settings + setting, all = (uint64_t)blocks * settings;
    uint64_t used = elapsed_us(engine);
    uint64_t left = done == 0 ? results->planned_us : used / done * (all - done);
    uint64_t budget_left = budget_left_us(engine);
    uint64_t of_blocks = done * 100 / all, of_budget = used * 100 / results->budget_us;
    uint64_t percent = of_blocks > of_budget ? of_blocks : of_budget;
    snprintf(engine->doing, sizeof engine->doing, "block %u of %u", block + 1, blocks);
    tell(engine, &(struct engine_progress){
        .doing = engine->doing, .percent = (uint32_t)(percent < 99 ? percent : 99),
        .left_us = left < budget_left ? left : budget_left });
}

void engine_yield(struct engine *engine)
{
    if (engine->machine->yield != NULL)
        engine->machine->yield(engine->machine->context);
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
        if (done != block || block >= setting->blocks ||
            begin + engine->setting_us[i] > blocks_us(results))
            continue;
        tell_progress(engine, block, i);
        if (run_setting(engine, i, block))
            engine->setting_us[i] = elapsed_us(engine) - begin;
        engine_yield(engine);
    }
}

/* Twice the blocks (30 to 64, 128 and 256) where the spread hides differences of delta. The
 * rule looks at the spread only. A run that is void anyway is not made longer. False:
 * no setting is extended. */
static bool extend(struct engine *engine)
{
    struct bench_results *results = engine->results;
    bool is_extended = false;
    for (uint32_t i = 0; i < results->note_count; i++)
        if (results->notes[i].is_void)
            return false;
    for (uint32_t i = 0; i < results->setting_count; i++) {
        struct bench_setting *setting = &results->settings[i];
        uint32_t done = results->cells[setting->first_cell].block_count;
        uint32_t wanted = setting->blocks < FIRST_EXTENSION ? FIRST_EXTENSION
                                                            : setting->blocks * 2;
        if (done < setting->blocks || wanted > setting->block_capacity ||
            comparisons_blocks_needed(results, i) <= setting->blocks)
            continue;
        setting->blocks = wanted;
        is_extended = true;
    }
    return is_extended;
}

void engine_run(struct engine *engine)
{
    struct bench_results *results = engine->results;
    uint32_t block = 0;
    engine->start_us = engine->machine->now_us(engine->machine->context);
    do {
        for (uint32_t last = most_blocks(results); block < last; block++)
            run_block(engine, block);
    } while (elapsed_us(engine) < blocks_us(results) && extend(engine));
    results->used_us = elapsed_us(engine);
    for (uint32_t i = 0; i < results->cell_count; i++)
        summary_of_cell(&results->cells[i], &results->settings[results->cells[i].setting],
                        results->tsc_hz);
}
