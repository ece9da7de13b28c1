/* Clearing is half of the story: the kernel clears because somebody reads next, and
 * what clearing throws out of the caches has to come back. [clear 2.7, 3.6] */
#include "kernel/bench/engine.h"

#include "kernel/bench/engine_pass.h"
#include "kernel/stats/order.h"
#include "kernel/stats/rng.h"

enum {
    LINE = 64, BLOCKS = 15, EXTENTS = 2, MAX_ROWS = BENCH_CONSUMER_ROWS,
    CONSUMER_STREAM = 0x636f6e73, /* of the seed: no other order uses it */
};

static const uint64_t consumer_extents[EXTENTS] = { 64 << 10, 2 << 20 };

/* One row's medians are taken over these. */
struct series {
    int64_t clear[BLOCKS], read[BENCH_READERS][BLOCKS];
    int64_t before[BENCH_VICTIMS][BLOCKS], after[BENCH_VICTIMS][BLOCKS];
};

struct consuming {
    struct engine *engine;
    const struct bench_setting *setting;
    uint8_t *start;              /* of the region: extents in its first half */
    uint32_t read_variant;
    struct bench_consumer *row;
    struct series *series;
    uint32_t block;
    uint64_t at;                 /* offset of the extent */
    uint64_t cycles;             /* of the step that ran last */
};

static uint64_t time_one(struct consuming *consuming, uint32_t variant, uint8_t *start,
                         uint64_t bytes)
{
    static const uint32_t first = 0;
    uint64_t sample;
    struct timed_pass pass = {
        .clear = consuming->engine->results->variants[variant].clear, .start = start,
        .extent_bytes = bytes, .order = &first, .samples = &sample, .sample_count = 1, .calls = 1,
    };
    timed_pass(&pass);
    return sample;
}

static int64_t per_line_q8(uint64_t cycles, uint64_t bytes)
{
    return (int64_t)((cycles << 8) / (bytes / LINE));
}

static void dirty_and_clear(void *argument)
{
    struct consuming *consuming = argument;
    uint8_t *extent = consuming->start + consuming->at;
    timed_fill(extent, consuming->row->extent_bytes, ENGINE_DIRTY_PATTERN);
    consuming->cycles = time_one(consuming, consuming->row->variant, extent,
                                 consuming->row->extent_bytes);
}

static void read_extent(void *argument)
{
    struct consuming *consuming = argument;
    consuming->cycles = time_one(consuming, consuming->read_variant,
                                 consuming->start + consuming->at, consuming->row->extent_bytes);
}

static void read_by(struct consuming *consuming, enum bench_reader reader, enum engine_place place)
{
    struct bench_consumer *row = consuming->row;
    if (!engine_at(consuming->engine, ENGINE_AT_CLEARING, dirty_and_clear, consuming))
        return;
    consuming->series->clear[consuming->block] =
        per_line_q8(consuming->cycles, row->extent_bytes);
    row->has_reader[reader] = engine_at(consuming->engine, place, read_extent, consuming);
    if (row->has_reader[reader])
        consuming->series->read[reader][consuming->block] =
            per_line_q8(consuming->cycles, row->extent_bytes);
}

/* The set is in the second half of the region. It is read until it is where it fits, read
 * once more with the clock, and again after the clear. */
static void walk_victims(void *argument)
{
    struct consuming *consuming = argument;
    struct bench_consumer *row = consuming->row;
    uint8_t *set = consuming->start + consuming->setting->region_bytes / 2;
    for (uint32_t v = 0; v < BENCH_VICTIMS; v++) {
        uint64_t bytes = row->victim_bytes[v];
        if (!row->has_victim[v])
            continue;
        timed_fill(consuming->start + consuming->at, row->extent_bytes, ENGINE_DIRTY_PATTERN);
        time_one(consuming, consuming->read_variant, set, bytes);
        time_one(consuming, consuming->read_variant, set, bytes);
        consuming->series->before[v][consuming->block] =
            per_line_q8(time_one(consuming, consuming->read_variant, set, bytes), bytes);
        time_one(consuming, row->variant, consuming->start + consuming->at, row->extent_bytes);
        consuming->series->after[v][consuming->block] =
            per_line_q8(time_one(consuming, consuming->read_variant, set, bytes), bytes);
    }
}

static uint64_t median(int64_t *values, uint32_t blocks)
{
    return (uint64_t)order_median(values, blocks);
}

static void summarise(struct bench_consumer *row, struct series *series, uint32_t blocks)
{
    row->clear_cycles_q8 = median(series->clear, blocks);
    for (uint32_t i = 0; i < BENCH_READERS; i++)
        row->read_cycles_q8[i] = row->has_reader[i] ? median(series->read[i], blocks) : 0;
    for (uint32_t v = 0; v < BENCH_VICTIMS; v++) {
        row->victim_before_q8[v] = row->has_victim[v] ? median(series->before[v], blocks) : 0;
        row->victim_after_q8[v] = row->has_victim[v] ? median(series->after[v], blocks) : 0;
    }
}

/* Whole blocks, as many as there is time for, at least one. */
static void run_rows(struct consuming *consuming, struct bench_after *after, struct series *series,
                     uint64_t end_us)
{
    const struct engine_machine *machine = consuming->engine->machine;
    struct rng rng = rng_of(consuming->engine->results->seed, CONSUMER_STREAM);
    uint32_t order[MAX_ROWS];
    for (consuming->block = 0; consuming->block < BLOCKS; consuming->block++) {
        rng_permute(&rng, order, after->consumer_count);
        for (uint32_t i = 0; i < after->consumer_count; i++) {
            consuming->row = &after->consumers[order[i]];
            consuming->series = &series[order[i]];
            engine_beat(consuming->engine);
            consuming->at = rng_below(&rng, consuming->setting->region_bytes / 2 /
                                                consuming->row->extent_bytes) *
                            consuming->row->extent_bytes;
            read_by(consuming, BENCH_READER_SIBLING, ENGINE_AT_SIBLING);
            read_by(consuming, BENCH_READER_OTHER_CORE, ENGINE_AT_OTHER_CORE);
            read_by(consuming, BENCH_READER_SAME, ENGINE_AT_CLEARING);
            engine_at(consuming->engine, ENGINE_AT_CLEARING, walk_victims, consuming);
        }
        after->consumer_blocks = consuming->block + 1;
        if (machine->now_us(machine->context) >= end_us)
            return;
    }
}

/* Every variant that a kernel uses or the lists argue about, for each extent. */
static void draft_rows(const struct engine *engine, const struct bench_setting *setting,
                       struct bench_after *after)
{
    const struct bench_results *results = engine->results;
    const uint64_t sets[BENCH_VICTIMS] = { engine->machine->l2_bytes / 2,
                                           engine->machine->llc_bytes / 2 };
    for (uint32_t e = 0; e < EXTENTS; e++)
        for (uint32_t i = 0; i < results->variant_count; i++) {
            if (!engine->is_runnable[i] || results->variants[i].tier != VARIANT_MANDATORY ||
                consumer_extents[e] > setting->region_bytes / 2 ||
                after->consumer_count == MAX_ROWS)
                continue;
            struct bench_consumer *row = &after->consumers[after->consumer_count++];
            *row = (struct bench_consumer){ .variant = i, .extent_bytes = consumer_extents[e] };
            for (uint32_t v = 0; v < BENCH_VICTIMS; v++) {
                row->victim_bytes[v] = sets[v] & ~(uint64_t)(LINE - 1);
                row->has_victim[v] = row->victim_bytes[v] != 0 &&
                                     row->victim_bytes[v] <= setting->region_bytes / 2;
            }
        }
}

static void compare_with_pick(const struct bench_results *results, struct bench_after *after)
{
    for (uint32_t i = 0; i < after->consumer_count; i++)
        for (uint32_t k = 0; k < after->consumer_count; k++) {
            const struct bench_consumer *pick = &after->consumers[k];
            if (i != k && pick->extent_bytes == after->consumers[i].extent_bytes &&
                pick->variant == results->pick)
                bench_consumer_compare(&after->consumers[i], pick);
        }
}

void engine_measure_consumers(struct engine *engine, struct bench_after *after, uint64_t end_us)
{
    static struct series series[MAX_ROWS];
    const struct bench_results *results = engine->results;
    const struct bench_setting *setting = &results->settings[0];
    struct consuming consuming = {
        .engine = engine, .setting = setting, .start = engine_window(engine, setting),
        .read_variant = variant_find(results->variants, results->variant_count, "read"),
    };
    if (consuming.start == NULL || consuming.read_variant == UINT32_MAX)
        return;
    draft_rows(engine, setting, after);
    if (engine->machine->now_us(engine->machine->context) >= end_us) {
        after->left_out = after->consumer_count;
        after->consumer_count = 0;
        return;
    }
    run_rows(&consuming, after, series, end_us);
    for (uint32_t i = 0; i < after->consumer_count; i++)
        summarise(&after->consumers[i], &series[i], after->consumer_blocks);
    compare_with_pick(results, after);
}
