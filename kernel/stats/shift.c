/* Hodges-Lehmann. The interval's ranks come from the exact distribution of
 * Wilcoxon's signed-rank sum, built up one rank at a time. [clear 4.1] */
#include "kernel/stats/shift.h"

#include "kernel/stats/order.h"

/* share[w] = P(W = w) when each of the ranks 1 … pairs is added with chance 1/2. */
static void build_distribution(struct shift_scratch *scratch, uint32_t pairs)
{
    if (scratch->pairs == pairs)
        return;
    uint64_t *share = scratch->share_q62;
    uint32_t top = 0;
    share[0] = (uint64_t)1 << 62;
    for (uint32_t rank = 1; rank <= pairs; rank++) {
        for (uint32_t w = top + 1; w <= top + rank; w++)
            share[w] = 0;
        top += rank;
        for (uint32_t w = top + 1; w-- > 0;)
            share[w] = (share[w] + (w >= rank ? share[w - rank] : 0)) / 2;
    }
    scratch->pairs = pairs;
}

/* Largest k with P(W <= k-1) <= tail: the interval is the k-th pairwise mean from
 * either end. 0: even the whole range covers less than asked. */
static uint32_t interval_rank(const struct shift_scratch *scratch, uint32_t walsh_count,
                              uint64_t tail_q62)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w <= walsh_count; w++) {
        sum += scratch->share_q62[w];
        if (sum > tail_q62)
            return w;
    }
    return 0;
}

static bool measure_interval(struct shift_scratch *scratch, uint32_t walsh_count,
                             uint64_t tail_q62, int64_t *low, int64_t *high)
{
    uint32_t rank = interval_rank(scratch, walsh_count, tail_q62);
    if (rank == 0)
        return false;
    *low = order_select(scratch->sums, walsh_count, rank - 1) / 2;
    *high = order_select(scratch->sums, walsh_count, walsh_count - rank) / 2;
    return true;
}

void shift_measure(const int64_t *ratios_q32, uint32_t count, struct shift_scratch *scratch,
                   struct shift_estimate *out)
{
    const uint64_t one_q62 = (uint64_t)1 << 62;
    uint32_t walsh_count = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i; j < count; j++)
            scratch->sums[walsh_count++] = ratios_q32[i] + ratios_q32[j];
    build_distribution(scratch, count);
    *out = (struct shift_estimate){ .shift_q32 = order_median(scratch->sums, walsh_count) / 2 };
    out->has_interval95 = measure_interval(scratch, walsh_count, one_q62 / 40, &out->low95_q32,
                                           &out->high95_q32);
    out->has_interval99 = measure_interval(scratch, walsh_count, one_q62 / 200, &out->low99_q32,
                                           &out->high99_q32);
}
