/* The decision rule: DIFFERENT, EQUIVALENT within delta, or INCONCLUSIVE with
 * the smallest difference that could have been seen. [clear 4.4] */
#ifndef KERNEL_STATS_VERDICT_H
#define KERNEL_STATS_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/bench_results.h"
#include "kernel/stats/rng.h"
#include "kernel/stats/shift.h"
#include "kernel/stats/signflip.h"

struct verdict_scratch {
    struct shift_scratch shift;
    struct signflip_scratch flips;
    int64_t ratios_q32[SHIFT_MAX_PAIRS], sorted[SHIFT_MAX_PAIRS];
};

/* The paired numbers of one comparison: shift, intervals, p, MDE. ratios_q32[i]
 * is ln(b/a) in block i; out->delta_ppm has to be set. */
void verdict_measure(const int64_t *ratios_q32, uint32_t count, struct rng *rng,
                     struct verdict_scratch *scratch, struct bench_verdict *out);

/* Blocks in which a difference of delta would be seen with 90 % power, by the spread
 * of these ratios alone. */
uint32_t verdict_blocks_needed(const int64_t *ratios_q32, uint32_t count, uint64_t delta_ppm);

/* holm_p_ppm of the BENCH_PRIMARY ones among them, p_ppm for the others. */
void verdict_holm(struct bench_verdict *verdicts, uint32_t count);

/* The outcome, from the numbers that are there. */
void verdict_decide(struct bench_verdict *verdict);

#endif
