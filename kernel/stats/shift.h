/* The Hodges-Lehmann shift of paired log ratios and its interval: the median of
 * all pairwise means, bounded by the ranks of the signed-rank distribution. */
#ifndef KERNEL_STATS_SHIFT_H
#define KERNEL_STATS_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"

enum { SHIFT_MAX_PAIRS = 256, SHIFT_MAX_WALSH = SHIFT_MAX_PAIRS * (SHIFT_MAX_PAIRS + 1) / 2 };

struct shift_scratch {
    int64_t sums[SHIFT_MAX_WALSH];       /* r_i + r_j, i <= j: twice the means */
    uint64_t share_q62[SHIFT_MAX_WALSH + 1]; /* signed-rank distribution of `pairs` */
    uint32_t pairs;                      /* what share_q62 was made for; 0: nothing */
};

struct shift_estimate {
    int64_t shift_q32;
    bool has_interval95, has_interval99; /* too few pairs have none */
    int64_t low95_q32, high95_q32, low99_q32, high99_q32;
};

/* 1 <= count <= SHIFT_MAX_PAIRS. */
void shift_measure(const int64_t *ratios_q32, uint32_t count, struct shift_scratch *scratch,
                   struct shift_estimate *out);

#endif
