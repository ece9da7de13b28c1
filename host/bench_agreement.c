/* The ratios of the blocks are paired in their run; the two runs are independent samples of
 * them. What both times of a block have in common, a clock or a neighbour, is not in them. */
#include "host/bench_agreement.h"

#include <math.h>

#include "kernel/stats/order.h"

enum { SEED = 1 };

static const double unit = 1e9; /* ratios as whole numbers */

static uint32_t ratios_of(const struct bench_series *series, uint64_t *ratios)
{
    uint32_t count = series->over_count < series->under_count ? series->over_count
                                                              : series->under_count;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count && i < UNPAIRED_MAX; i++) {
        if (series->over[i] == 0 || series->under[i] == 0)
            continue;
        double ratio = unit * (double)series->over[i] / (double)series->under[i];
        ratios[used++] = ratio < 1 ? 1 : ratio > 1e18 ? (uint64_t)1e18 : (uint64_t)llround(ratio);
    }
    return used;
}

static double median_of(const uint64_t *ratios, uint32_t count)
{
    int64_t sorted[UNPAIRED_MAX];
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (int64_t)ratios[i];
    return (double)order_median(sorted, count) / unit;
}

static double percent_of(int64_t shift_q32)
{
    return expm1((double)shift_q32 / 4294967296.0) * 100;
}

bool bench_agreement_of(const struct bench_series *a, const struct bench_series *b, uint32_t stream,
                        struct unpaired_scratch *scratch, struct bench_agreement *out)
{
    uint64_t ratios_a[UNPAIRED_MAX], ratios_b[UNPAIRED_MAX];
    uint32_t count_a = ratios_of(a, ratios_a), count_b = ratios_of(b, ratios_b);
    struct unpaired_estimate estimate;
    struct rng rng = rng_of(SEED, stream);
    if (count_a == 0 || count_b == 0)
        return false;
    unpaired_measure(ratios_a, count_a, ratios_b, count_b, &rng, scratch, &estimate);
    *out = (struct bench_agreement){
        .ratio_a = median_of(ratios_a, count_a), .ratio_b = median_of(ratios_b, count_b),
        .gap_percent = percent_of(estimate.shift_q32), .has_interval = estimate.has_interval95,
        .low95_percent = percent_of(estimate.low95_q32),
        .high95_percent = percent_of(estimate.high95_q32),
    };
    return true;
}
