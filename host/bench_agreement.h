/* How far two runs disagree about one ratio of times. */
#ifndef HOST_BENCH_AGREEMENT_H
#define HOST_BENCH_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/unpaired.h"

/* Times of two things in the same blocks of one run; 0: none in that block. */
struct bench_series {
    const uint64_t *over, *under;
    uint32_t over_count, under_count;
};

struct bench_agreement {
    double ratio_a, ratio_b;        /* medians of over/under, block by block */
    double gap_percent;             /* shift from the ratios of A to those of B */
    double low95_percent, high95_percent;
    bool has_interval;
};

/* Two runs one after the other: independent samples (Hodges-Lehmann of all differences).
 * False: one of them has no common block. */
bool bench_agreement_of(const struct bench_series *a, const struct bench_series *b, uint32_t stream,
                        struct unpaired_scratch *scratch, struct bench_agreement *out);

/* Two runs in turn: block i of one beside block i of the other, so what lasts longer than
 * a block is in both (Hodges-Lehmann of the Walsh averages). Alike otherwise. */
bool bench_agreement_of_twins(const struct bench_series *a, const struct bench_series *b,
                              struct bench_agreement *out);

#endif
