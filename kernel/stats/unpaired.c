/* The two-sample shift and test. U counts the pairs with b above a; under the null
 * hypothesis every choice of which values are called b is equally likely. */
#include "kernel/stats/unpaired.h"

#include <string.h>

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/order.h"

/* Twice the midranks (1 is the least) of the pooled logs, a first. */
static void rank_pooled(struct unpaired_scratch *scratch, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t below = 0, equal = 0;
        for (uint32_t k = 0; k < count; k++) {
            below += scratch->pooled[k] < scratch->pooled[i];
            equal += scratch->pooled[k] == scratch->pooled[i];
        }
        scratch->ranks[i] = 2 * below + equal + 1;
    }
}

/* 2U of the values with these indexes: twice the rank sum less its minimum. */
static uint32_t twice_u(const struct unpaired_scratch *scratch, const uint32_t *members,
                        uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += scratch->ranks[members[i]];
    return sum - count * (count + 1);
}

/* Draws b_count of all labels without replacement, again and again. */
static void relabel(struct unpaired_scratch *scratch, uint32_t count, uint32_t b_count,
                    uint32_t top, struct rng *rng)
{
    memset(scratch->counts, 0, (top + 1) * sizeof *scratch->counts);
    for (uint32_t i = 0; i < count; i++)
        scratch->labels[i] = i;
    for (uint32_t draw = 0; draw < UNPAIRED_RELABELLINGS; draw++) {
        for (uint32_t i = 0; i < b_count; i++) {
            uint32_t other = i + (uint32_t)rng_below(rng, count - i);
            uint32_t kept = scratch->labels[i];
            scratch->labels[i] = scratch->labels[other];
            scratch->labels[other] = kept;
        }
        scratch->counts[twice_u(scratch, scratch->labels, b_count)]++;
    }
}

/* Both tails as far from the middle as what was observed. */
static uint64_t p_of(const struct unpaired_scratch *scratch, uint32_t observed, uint32_t top)
{
    uint32_t near = observed < top - observed ? observed : top - observed;
    uint64_t as_far = 1; /* the observed labelling is one of those that could be drawn */
    for (uint32_t u = 0; u <= top; u++)
        if (u <= near || u >= top - near)
            as_far += scratch->counts[u];
    uint64_t p = (as_far * 1000000 + UNPAIRED_RELABELLINGS) / (UNPAIRED_RELABELLINGS + 1);
    return p > 1000000 ? 1000000 : p;
}

/* Largest k with P(U <= k-1) <= tail: the interval is the k-th difference from either
 * end. 0: none. */
static uint32_t interval_rank(const struct unpaired_scratch *scratch, uint32_t pairs,
                              uint32_t tail_ppm)
{
    uint64_t allowed = (uint64_t)UNPAIRED_RELABELLINGS * tail_ppm / 1000000, sum = 0;
    for (uint32_t u = 0; u <= pairs; u++) {
        sum += scratch->counts[2 * u];
        if (u > 0)
            sum += scratch->counts[2 * u - 1];
        if (sum > allowed)
            return u;
    }
    return 0;
}

static bool interval(struct unpaired_scratch *scratch, uint32_t pairs, uint32_t tail_ppm,
                     int64_t *low, int64_t *high)
{
    uint32_t rank = interval_rank(scratch, pairs, tail_ppm);
    if (rank == 0)
        return false;
    *low = order_select(scratch->differences, pairs, rank - 1);
    *high = order_select(scratch->differences, pairs, pairs - rank);
    return true;
}

void unpaired_measure(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                      struct rng *rng, struct unpaired_scratch *scratch,
                      struct unpaired_estimate *out)
{
    uint32_t pairs = 0, count = a_count + b_count, members[UNPAIRED_MAX];
    for (uint32_t i = 0; i < a_count; i++)
        scratch->pooled[i] = fixed_log_ratio_q32(a[i], a[0]);
    for (uint32_t j = 0; j < b_count; j++) {
        scratch->pooled[a_count + j] = fixed_log_ratio_q32(b[j], a[0]);
        members[j] = a_count + j;
    }
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t j = 0; j < b_count; j++)
            scratch->differences[pairs++] = scratch->pooled[a_count + j] - scratch->pooled[i];
    rank_pooled(scratch, count);
    relabel(scratch, count, b_count, 2 * pairs, rng);
    *out = (struct unpaired_estimate){ .shift_q32 = order_median(scratch->differences, pairs) };
    out->p_ppm = p_of(scratch, twice_u(scratch, members, b_count), 2 * pairs);
    out->has_interval95 = interval(scratch, pairs, 25000, &out->low95_q32, &out->high95_q32);
    out->has_interval99 = interval(scratch, pairs, 5000, &out->low99_q32, &out->high99_q32);
}
