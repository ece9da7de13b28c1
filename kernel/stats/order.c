/* Order statistics by selection in place. Pivots are medians of three, so that
 * sorted input, the usual case with a drifting clock, is not the slow one. */
#include "kernel/stats/order.h"

/* Room for the sum of 4096 terms that are at most this over their number. */
static const uint64_t one_q62 = (uint64_t)1 << 62;

static void swap(int64_t *a, int64_t *b)
{
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the median of first, middle and last into the middle and returns it. */
static int64_t pivot_of(int64_t *values, uint32_t first, uint32_t last)
{
    uint32_t middle = first + (last - first) / 2;
    if (values[middle] < values[first])
        swap(&values[middle], &values[first]);
    if (values[last] < values[first])
        swap(&values[last], &values[first]);
    if (values[last] < values[middle])
        swap(&values[last], &values[middle]);
    return values[middle];
}

int64_t order_select(int64_t *values, uint32_t count, uint32_t rank)
{
    uint32_t first = 0, last = count - 1;
    while (first < last) {
        int64_t pivot = pivot_of(values, first, last);
        uint32_t i = first, j = last;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j) {
                swap(&values[i], &values[j]);
                i++;
                if (j == 0)
                    break;
                j--;
            }
        }
        if (rank <= j)
            last = j;
        else if (rank >= i)
            first = i;
        else
            break; /* between the two parts every value equals the pivot */
    }
    return values[rank];
}

int64_t order_median(int64_t *values, uint32_t count)
{
    if (count == 0)
        return 0;
    int64_t upper = order_select(values, count, count / 2);
    if (count % 2 == 1)
        return upper;
    int64_t lower = order_select(values, count, count / 2 - 1);
    return lower + (upper - lower) / 2;
}

int64_t order_quantile(int64_t *values, uint32_t count, uint32_t ppm)
{
    if (count == 0)
        return 0;
    uint64_t rank = ((uint64_t)count * ppm + 999999) / 1000000;
    return order_select(values, count, rank == 0 ? 0 : (uint32_t)rank - 1);
}

/* The terms are kept relative to the middle one, because 2^-count vanishes:
 * term(i-1) = term(i) * i / (count-i+1). `tail` is the sum of terms 0 … below. */
bool order_median_ranks(uint32_t count, uint32_t confidence_ppm, uint32_t *low, uint32_t *high)
{
    if (count == 0 || count > 4096)
        return false;
    uint64_t middle = one_q62 / (count + 1u), term = middle, tail = middle;
    for (uint32_t i = count / 2; i > 0; i--) {
        term = term / (count - i + 1) * i;
        tail += term;
    }
    uint64_t total = count % 2 == 1 ? 2 * tail : 2 * tail - middle;
    uint64_t allowed = total / 2000000 * (1000000 - confidence_ppm);
    uint32_t below = count / 2;
    term = middle;
    while (tail > allowed && below > 0) {
        tail -= term;
        term = term / (count - below + 1) * below;
        below--;
    }
    if (tail > allowed)
        return false;
    *low = below + 1;
    *high = count - below;
    return true;
}
