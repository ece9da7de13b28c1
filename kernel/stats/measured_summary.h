/* Numbers about many measurements: durations with their deviation, times from
 * cycles, medians of times. Integers only. */
#ifndef KERNEL_STATS_MEASURED_SUMMARY_H
#define KERNEL_STATS_MEASURED_SUMMARY_H

#include <stdint.h>

#include "kernel/stats/measured_results.h"

/* The largest integer whose square is not above `value`. */
uint32_t square_root(uint64_t value);

/* 0 when tsc_hz is below 1 kHz; the largest number when the result does not fit. */
uint64_t cycles_to_ns(uint64_t cycles, uint64_t tsc_hz);
uint64_t cycles_to_ps(uint64_t cycles, uint64_t tsc_hz);

/* Minimum, maximum, average and the standard deviation of the values as they are (of
 * the population, not an estimate from a sample); all 0 for none. */
struct measured_duration duration_of(const uint64_t *ns, uint32_t count);

/* Median and interquartile range of int64 picoseconds; reorders them. MEASURED_NONE
 * for none. */
struct measured_spread spread_of(int64_t *ps, uint32_t count);

/* A set of slots as the logical CPU numbers that a reader knows. */
enum { MEASURED_MASK_WORDS = 128 }; /* 8,192 CPUs */
struct measured_mask {
    uint64_t words[MEASURED_MASK_WORDS];
    struct cpumask cpus;
};
void measured_mask_of(struct measured_mask *mask, const struct measured_results *results,
                      const struct cpumask *slots);

/* What Linux's clock watchdog and TSC test would object to, the pairs that contend
 * without being siblings, CPUs that did not come back: one finding each. Verdicts on
 * hardware are left out in a virtual machine unless costs were injected. */
struct findings;
void measured_findings(const struct measured_results *results, struct findings *findings);

#endif
