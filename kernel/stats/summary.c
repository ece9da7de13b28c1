/* A cell's summary from its blocks. */
#include "kernel/stats/summary.h"

#include <string.h>

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/order.h"

static const int64_t one_ppm = 1000000;

static void sum_counts(struct bench_cell *cell)
{
    memset(cell->flag_counts, 0, sizeof cell->flag_counts);
    cell->sample_count = cell->used_count = 0;
    for (uint32_t i = 0; i < cell->block_count; i++) {
        const struct bench_block *block = &cell->blocks[i];
        cell->sample_count += block->sample_count;
        cell->used_count += block->used_count;
        for (uint32_t flag = 0; flag < BENCH_FLAG_COUNT; flag++)
            cell->flag_counts[flag] += block->flag_counts[flag];
    }
}

/* The block's distance from the mean, in parts per million of the mean. */
static int64_t deviation_ppm(const struct bench_cell *cell, uint32_t block)
{
    uint64_t scaled = fixed_log_scale(cell->blocks[block].median_cycles_q8, 1000000,
                                      cell->mean_cycles_q8);
    return scaled > 1000 * (uint64_t)one_ppm ? 999 * one_ppm : (int64_t)scaled - one_ppm;
}

static void measure_spread(struct bench_cell *cell)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < cell->block_count; i++)
        sum += cell->blocks[i].median_cycles_q8 / cell->block_count;
    cell->mean_cycles_q8 = sum == 0 ? 1 : sum;
    uint64_t squares = 0;
    int64_t neighbours = 0;
    for (uint32_t i = 0; i < cell->block_count; i++) {
        int64_t deviation = deviation_ppm(cell, i);
        squares += (uint64_t)(deviation * deviation) / cell->block_count;
        if (i > 0)
            neighbours += deviation * deviation_ppm(cell, i - 1) / (int64_t)cell->block_count;
    }
    cell->sd_ppm = fixed_log_square_root(squares);
    uint64_t size = (uint64_t)(neighbours < 0 ? -neighbours : neighbours);
    uint64_t share = squares == 0 ? 0 : fixed_log_scale(size, 1000000, squares);
    cell->autocorrelation_ppm = neighbours < 0 ? -(int32_t)share : (int32_t)share;
}

static void measure_order(struct bench_cell *cell)
{
    int64_t values[SHIFT_MAX_PAIRS];
    uint32_t count = cell->block_count, low, high;
    for (uint32_t i = 0; i < count; i++)
        values[i] = (int64_t)cell->blocks[i].median_cycles_q8;
    cell->median_cycles_q8 = (uint64_t)order_median(values, count);
    cell->q1_cycles_q8 = (uint64_t)order_quantile(values, count, 250000);
    cell->q3_cycles_q8 = (uint64_t)order_quantile(values, count, 750000);
    cell->min_cycles_q8 = (uint64_t)order_select(values, count, 0);
    cell->max_cycles_q8 = (uint64_t)order_select(values, count, count - 1);
    if (!order_median_ranks(count, 950000, &low, &high)) {
        low = 1;
        high = count;
    }
    cell->low_cycles_q8 = (uint64_t)order_select(values, count, low - 1);
    cell->high_cycles_q8 = (uint64_t)order_select(values, count, high - 1);
}

static void measure_core_hz(struct bench_cell *cell)
{
    int64_t values[SHIFT_MAX_PAIRS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < cell->block_count; i++)
        if (cell->blocks[i].core_hz != 0)
            values[count++] = (int64_t)cell->blocks[i].core_hz;
    cell->core_hz = count == 0 ? 0 : (uint64_t)order_median(values, count);
}

uint64_t summary_bytes_per_s(uint64_t extent_bytes, uint64_t cycles_q8, uint64_t hz)
{
    if (cycles_q8 == 0 || hz == 0)
        return 0;
    return fixed_log_scale(extent_bytes << 8, hz, cycles_q8);
}

void summary_of_cell(struct bench_cell *cell, const struct bench_setting *setting,
                     uint64_t tsc_hz)
{
    sum_counts(cell);
    if (cell->block_count == 0)
        return;
    measure_order(cell);
    measure_spread(cell);
    measure_core_hz(cell);
    uint64_t extent = setting->extent_bytes;
    cell->bytes_per_s = summary_bytes_per_s(extent, cell->median_cycles_q8, tsc_hz);
    cell->low_bytes_per_s = summary_bytes_per_s(extent, cell->high_cycles_q8, tsc_hz);
    cell->high_bytes_per_s = summary_bytes_per_s(extent, cell->low_cycles_q8, tsc_hz);
    cell->page_cycles_q8 = fixed_log_scale(cell->median_cycles_q8, 4096, extent);
    if (cell->core_hz != 0 && tsc_hz != 0)
        cell->page_core_cycles_q8 = fixed_log_scale(cell->page_cycles_q8, cell->core_hz, tsc_hz);
}
