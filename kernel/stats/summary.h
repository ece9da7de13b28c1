/* A cell's summary from its blocks: order statistics, spread, rates. */
#ifndef KERNEL_STATS_SUMMARY_H
#define KERNEL_STATS_SUMMARY_H

#include <stdint.h>

#include "kernel/stats/bench_results.h"
#include "kernel/stats/shift.h"

/* Fills the cell's numbers from cell->blocks[0 … block_count-1], at most
 * SHIFT_MAX_PAIRS of them. `tsc_hz` 0 leaves the rates 0. */
void summary_of_cell(struct bench_cell *cell, const struct bench_setting *setting,
                     uint64_t tsc_hz);

/* bytes/s when one extent takes cycles_q8/256 cycles of a clock of `hz`. */
uint64_t summary_bytes_per_s(uint64_t extent_bytes, uint64_t cycles_q8, uint64_t hz);

#endif
