/* The ratios of the blocks are paired in their run; the two runs are independent samples of
 * them. What both times of a block have in common, a clock or a neighbour, is not in them. */
#include "host/bench_agreement.h"

#include <math.h>

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/order.h"
#include "kernel/stats/shift.h"

enum { SEED = 1 };

static const double unit = 1e9; /* ratios as whole numbers */

/* The ratio of that block; 0: there is none. */
static uint64_t ratio_at(const struct bench_series *series, uint32_t i)
{
    if (i >= series->over_count || i >= series->under_count || series->over[i] == 0 ||
        series->under[i] == 0)
        return 0;
    double ratio = unit * (double)series->over[i] / (double)series->under[i];
    return ratio < 1 ? 1 : ratio > 1e18 ? (uint64_t)1e18 : (uint64_t)llround(ratio);
}

static uint32_t ratios_of(const struct bench_series *series, uint64_t *ratios)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < UNPAIRED_MAX; i++)
        if (ratio_at(series, i) != 0)
            ratios[used++] = ratio_at(series, i);
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

bool bench_agreement_of_twins(const struct bench_series *a, const struct bench_series *b,
                              struct bench_agreement *out)
{
    static struct shift_scratch scratch;
    uint64_t ratios_a[UNPAIRED_MAX], ratios_b[UNPAIRED_MAX];
    int64_t gaps_q32[SHIFT_MAX_PAIRS];
    uint32_t count = 0;
    struct shift_estimate estimate;
    for (uint32_t i = 0; i < SHIFT_MAX_PAIRS && i < UNPAIRED_MAX; i++) {
        uint64_t ratio_a = ratio_at(a, i), ratio_b = ratio_at(b, i);
        if (ratio_a == 0 || ratio_b == 0)
            continue;
        ratios_a[count] = ratio_a;
        ratios_b[count] = ratio_b;
        gaps_q32[count++] = fixed_log_ratio_q32(ratio_b, ratio_a);
    }
    if (count == 0)
        return false;
    shift_measure(gaps_q32, count, &scratch, &estimate);
    *out = (struct bench_agreement){
        .ratio_a = median_of(ratios_a, count), .ratio_b = median_of(ratios_b, count),
        .gap_percent = percent_of(estimate.shift_q32), .has_interval = estimate.has_interval95,
        .low95_percent = percent_of(estimate.low95_q32),
        .high95_percent = percent_of(estimate.high95_q32),
    };
    return true;
}
