/* The sign-flip test on the sum of the ratios. Sizes are limited to four times
 * their median first: the limit does not depend on the signs, so the test stays
 * exact, and one pair that an SMI fell into cannot drown the others. */
#include "kernel/stats/signflip.h"

#include <string.h>

#include "kernel/stats/order.h"

static int64_t size_of(int64_t value)
{
    return value < 0 ? -value : value;
}

static void limit_sizes(const int64_t *ratios_q32, uint32_t count,
                        struct signflip_scratch *scratch)
{
    for (uint32_t i = 0; i < count; i++)
        scratch->sizes[i] = size_of(ratios_q32[i]);
    int64_t limit = 4 * order_median(scratch->sizes, count);
    for (uint32_t i = 0; i < count; i++) {
        int64_t size = size_of(ratios_q32[i]);
        scratch->sizes[i] = limit > 0 && size > limit ? limit : size;
    }
}

static void build_sums(uint32_t count, struct signflip_scratch *scratch)
{
    memset(scratch->sums, 0, sizeof scratch->sums);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t pattern = 0; pattern < 256; pattern++)
            scratch->sums[i / 8][pattern] +=
                pattern >> (i % 8) & 1 ? -scratch->sizes[i] : scratch->sizes[i];
}

static int64_t observed_sum(const int64_t *ratios_q32, uint32_t count,
                            const struct signflip_scratch *scratch)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += ratios_q32[i] < 0 ? -scratch->sizes[i] : scratch->sizes[i];
    return size_of(sum);
}

static uint64_t round_up_ppm(uint64_t part, uint64_t whole)
{
    return (part * 1000000 + whole - 1) / whole;
}

static uint64_t exact_p_ppm(uint32_t count, int64_t observed,
                            const struct signflip_scratch *scratch)
{
    uint64_t patterns = (uint64_t)1 << count, as_large = 0;
    for (uint64_t pattern = 0; pattern < patterns; pattern++) {
        int64_t sum = scratch->sums[0][pattern & 255];
        if (count > 8)
            sum += scratch->sums[1][pattern >> 8];
        as_large += size_of(sum) >= observed;
    }
    return round_up_ppm(as_large, patterns);
}

static uint64_t sampled_p_ppm(uint32_t count, int64_t observed, struct rng *rng,
                              const struct signflip_scratch *scratch)
{
    uint32_t groups = (count + 7) / 8;
    uint64_t as_large = 0;
    for (uint32_t flip = 0; flip < SIGNFLIP_FLIPS; flip++) {
        uint64_t signs = 0;
        int64_t sum = 0;
        for (uint32_t group = 0; group < groups; group++) {
            if (group % 8 == 0)
                signs = rng_next(rng);
            sum += scratch->sums[group][signs & 255];
            signs >>= 8;
        }
        as_large += size_of(sum) >= observed;
    }
    /* The observed pattern is one of those that could have been drawn. */
    return round_up_ppm(as_large + 1, SIGNFLIP_FLIPS + 1);
}

uint64_t signflip_p_ppm(const int64_t *ratios_q32, uint32_t count, struct rng *rng,
                        struct signflip_scratch *scratch)
{
    limit_sizes(ratios_q32, count, scratch);
    build_sums(count, scratch);
    int64_t observed = observed_sum(ratios_q32, count, scratch);
    if (count <= SIGNFLIP_EXACT_PAIRS)
        return exact_p_ppm(count, observed, scratch);
    return sampled_p_ppm(count, observed, rng, scratch);
}
