/* The sign-flip permutation test: if both arms were the same, each paired log
 * ratio could as well have had the other sign. */
#ifndef KERNEL_STATS_SIGNFLIP_H
#define KERNEL_STATS_SIGNFLIP_H

#include <stdint.h>

#include "kernel/stats/rng.h"
#include "kernel/stats/shift.h"

enum {
    SIGNFLIP_EXACT_PAIRS = 16, /* up to here all 2^n sign patterns are tried */
    SIGNFLIP_FLIPS = 100000,   /* above it, this many random ones */
};

struct signflip_scratch {
    int64_t sizes[SHIFT_MAX_PAIRS];
    int64_t sums[SHIFT_MAX_PAIRS / 8][256]; /* signed sum of eight sizes, by sign pattern */
};

/* Two-sided p in parts per million, rounded up. 1 <= count <= SHIFT_MAX_PAIRS. */
uint64_t signflip_p_ppm(const int64_t *ratios_q32, uint32_t count, struct rng *rng,
                        struct signflip_scratch *scratch);

#endif
