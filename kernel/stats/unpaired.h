/* Two independent lists of numbers, as two boots or two machines give them: the
 * shift of their logarithms, its interval, and Mann and Whitney's test, both from
 * random relabelling. [clear 4.1] */
#ifndef KERNEL_STATS_UNPAIRED_H
#define KERNEL_STATS_UNPAIRED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/rng.h"
#include "kernel/stats/shift.h"

enum { UNPAIRED_MAX = SHIFT_MAX_PAIRS, UNPAIRED_RELABELLINGS = 100000 };

struct unpaired_scratch {
    int64_t differences[UNPAIRED_MAX * UNPAIRED_MAX];
    uint32_t counts[2 * UNPAIRED_MAX * UNPAIRED_MAX + 1]; /* how often each 2U came up */
    int64_t pooled[2 * UNPAIRED_MAX];
    uint32_t ranks[2 * UNPAIRED_MAX], labels[2 * UNPAIRED_MAX]; /* twice the midranks */
};

struct unpaired_estimate {
    int64_t shift_q32;        /* median of ln(b_j / a_i) */
    bool has_interval95, has_interval99;
    int64_t low95_q32, high95_q32, low99_q32, high99_q32;
    uint64_t p_ppm;           /* two-sided, rounded up */
};

/* Values are not 0; 1 to UNPAIRED_MAX of each. */
void unpaired_measure(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                      struct rng *rng, struct unpaired_scratch *scratch,
                      struct unpaired_estimate *out);

#endif
