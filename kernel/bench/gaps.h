/* Looks for time that is taken away from a CPU that does nothing else. */
#ifndef KERNEL_BENCH_GAPS_H
#define KERNEL_BENCH_GAPS_H

#include "kernel/stats/bench_after.h"

/* On the CPU that calls it, for `observe_us`. */
void gaps_scan(struct bench_gaps *gaps, uint64_t observe_us, bool has_smi_count);

#endif
