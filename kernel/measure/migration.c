/* What moving costs: one CPU writes a working set, another walks it. Sizes from 16 KiB
 * to four times the last-level cache, for every declared distance there is. */
#include "kernel/measure/caches.h"
#include "kernel/measure/chain.h"
#include "kernel/measure/measuring.h"
#include "kernel/stats/measured_pairs.h"
#include "kernel/stats/measured_summary.h"

enum {
    SMALLEST_BYTES = 16 << 10, SIZE_STEP_SHIFT = 2,
    UNKNOWN_LLC_LARGEST_BYTES = 64 << 20, LARGEST_BYTES = 512 << 20,
    VIRTUAL_LARGEST_BYTES = 64 << 10,
    MAX_SIZES = 12, PAIRS_PER_CLASS = 3, REPEATS = 5, VIRTUAL_REPEATS = 1,
};

struct move {
    uint8_t *memory;
    uint64_t bytes;
    bool does_write;
    uint64_t cycles;
};

static void write_or_walk(uint32_t cpu, void *context)
{
    struct move *move = context;
    uint64_t start;

    (void)cpu;
    if (move->does_write) {
        chain_write(move->memory, move->bytes);
        return;
    }
    start = measuring_stamp();
    chain_walk(move->memory, move->bytes / LINE_BYTES);
    move->cycles = measuring_stamp() - start;
}

/* Picoseconds for the whole walk on `to` after `from` wrote; -1: it did not finish. */
static int64_t move_once(struct measuring *measuring, uint64_t bytes, uint32_t from, uint32_t to)
{
    struct move move = {.memory = measuring_memory(measuring, from)->bytes, .bytes = bytes,
                        .does_write = true};

    if (measuring_memory(measuring, from)->size_bytes < bytes)
        move.memory = measuring->job->memory[0].bytes;
    if (!measuring_on(measuring, from, write_or_walk, &move))
        return -1;
    move.does_write = false;
    if (!measuring_on(measuring, to, write_or_walk, &move))
        return -1;
    return (int64_t)(cycles_to_ps(move.cycles, measuring->results->tsc_hz) /
                     (bytes / LINE_BYTES));
}

/* Up to PAIRS_PER_CLASS pairs of that distance, from different CPUs. */
static uint32_t choose_pairs(const struct measuring *measuring, enum distance_class distance,
                             struct measured_pair *pairs)
{
    uint32_t count = measuring->results->cpu_count, found = 0;

    for (uint32_t a = 0; a < count && found < PAIRS_PER_CLASS; a++)
        for (uint32_t b = 0; b < count; b++)
            if (b != a && pair_distance(measuring->results, measuring->job->topology, a, b) ==
                              distance) {
                pairs[found++] = (struct measured_pair){a, b};
                break;
            }
    return found;
}

static void measure_row(struct measuring *measuring, struct measured_migration_row *row,
                        const struct measured_pair *pairs, uint32_t repeats)
{
    int64_t stay[PAIRS_PER_CLASS * REPEATS];
    uint32_t moved = 0, stayed = 0;

    for (uint32_t i = 0; i < row->pair_count * repeats; i++) {
        const struct measured_pair *pair = &pairs[i % row->pair_count];
        int64_t ps = move_once(measuring, row->bytes, pair->from, pair->to);

        if (ps >= 0)
            measuring->samples[moved++] = ps;
        ps = move_once(measuring, row->bytes, pair->from, pair->from);
        if (ps >= 0)
            stay[stayed++] = ps;
    }
    struct measured_spread spread = spread_of(measuring->samples, moved);

    row->ps_per_line = spread.median_ps;
    row->iqr_ps_per_line = spread.iqr_ps;
    row->stay_ps_per_line = spread_of(stay, stayed).median_ps;
    if (moved)
        row->cycles_x16_per_line =
            (uint32_t)((uint64_t)row->ps_per_line * (measuring->results->tsc_hz / 1000) /
                       (1000000000 / 16));
}

static uint64_t largest_bytes(const struct measuring *measuring, uint64_t llc_bytes)
{
    uint64_t largest = llc_bytes ? 4 * llc_bytes : UNKNOWN_LLC_LARGEST_BYTES;

    if (measuring->results->is_virtual)
        largest = VIRTUAL_LARGEST_BYTES;
    if (largest > LARGEST_BYTES)
        largest = LARGEST_BYTES;
    if (largest > measuring->job->memory[0].size_bytes)
        largest = measuring->job->memory[0].size_bytes;
    return chain_floor(largest);
}

/* The last size is the largest one even when the steps miss it. */
static uint32_t choose_sizes(uint64_t largest, uint64_t *sizes)
{
    uint32_t count = 0;

    for (uint64_t bytes = SMALLEST_BYTES; bytes < largest && count < MAX_SIZES - 1;
         bytes <<= SIZE_STEP_SHIFT)
        sizes[count++] = bytes;
    if (largest >= SMALLEST_BYTES)
        sizes[count++] = largest;
    return count;
}

bool measure_migration(struct measuring *measuring)
{
    struct measured_results *results = measuring->results;
    struct measured_migration *migration =
        ARENA_NEW(measuring->arena, struct measured_migration, 1);
    struct measured_pair pairs[DISTANCE_CLASSES][PAIRS_PER_CLASS];
    uint32_t pair_counts[DISTANCE_CLASSES];
    uint64_t sizes[MAX_SIZES];
    uint32_t size_count;

    if (!migration)
        return false;
    migration->rows = ARENA_NEW(measuring->arena, struct measured_migration_row,
                                MAX_SIZES * DISTANCE_CLASSES);
    if (!migration->rows)
        return false;
    migration->repeats = results->is_virtual ? VIRTUAL_REPEATS : REPEATS;
    migration->llc_bytes =
        caches_last_bytes(&measuring->job->topology->cpus[results->cpus[0].cpu]);
    size_count = choose_sizes(largest_bytes(measuring, migration->llc_bytes), sizes);
    for (uint32_t distance = 0; distance < DISTANCE_CLASSES; distance++)
        pair_counts[distance] = choose_pairs(measuring, distance, pairs[distance]);
    for (uint32_t i = 0; i < size_count; i++) {
        for (uint32_t distance = 0; distance < DISTANCE_CLASSES; distance++) {
            struct measured_migration_row *row = &migration->rows[migration->row_count];

            if (!pair_counts[distance] || !measuring_has_time(measuring))
                continue;
            *row = (struct measured_migration_row){.distance = distance, .bytes = sizes[i],
                                                   .pair_count = pair_counts[distance]};
            measure_row(measuring, row, pairs[distance], migration->repeats);
            migration->row_count++;
        }
        measuring_tell(measuring, i, size_count);
    }
    results->migration = migration;
    return true;
}
