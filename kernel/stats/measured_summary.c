/* Sums and roots of 64 bits, scaled where a square would not fit. */
#include "kernel/stats/measured_summary.h"

#include "kernel/stats/order.h"

enum { MILLION = 1000000, SQUARE_BITS = 25 };

uint32_t square_root(uint64_t value)
{
    uint64_t root = 0;

    for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= value)
            root |= bit;
    return (uint32_t)root;
}

static uint64_t scaled(uint64_t cycles, uint64_t tsc_hz, uint64_t per_thousandth)
{
    uint64_t khz = tsc_hz / 1000, product;

    if (!khz)
        return 0;
    return __builtin_mul_overflow(cycles, per_thousandth, &product) ? UINT64_MAX : product / khz;
}

uint64_t cycles_to_ns(uint64_t cycles, uint64_t tsc_hz)
{
    return scaled(cycles, tsc_hz, MILLION);
}

uint64_t cycles_to_ps(uint64_t cycles, uint64_t tsc_hz)
{
    return scaled(cycles, tsc_hz, 1000ull * MILLION);
}

/* Squares of differences are kept below 2^50, so that 2^14 of them fit. */
static uint64_t deviation(const uint64_t *ns, uint32_t count, uint64_t average, uint64_t range)
{
    unsigned shift = 0;
    uint64_t sum = 0;

    while (range >> shift >> SQUARE_BITS)
        shift++;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t difference = (ns[i] > average ? ns[i] - average : average - ns[i]) >> shift;

        sum += difference * difference;
    }
    return (uint64_t)square_root(sum / count) << shift;
}

struct measured_duration duration_of(const uint64_t *ns, uint32_t count)
{
    struct measured_duration duration = {.count = count, .min_ns = UINT64_MAX};
    uint64_t sum = 0;

    if (!count)
        return (struct measured_duration){0};
    for (uint32_t i = 0; i < count; i++) {
        sum += ns[i];
        if (ns[i] < duration.min_ns)
            duration.min_ns = ns[i];
        if (ns[i] > duration.max_ns)
            duration.max_ns = ns[i];
    }
    duration.average_ns = (sum + count / 2) / count;
    duration.deviation_ns =
        deviation(ns, count, duration.average_ns, duration.max_ns - duration.min_ns);
    return duration;
}

void measured_mask_of(struct measured_mask *mask, const struct measured_results *results,
                      const struct cpumask *slots)
{
    mask->cpus = (struct cpumask){mask->words, MEASURED_MASK_WORDS};
    cpumask_clear(&mask->cpus);
    CPUMASK_FOR_EACH(slot, slots)
        cpumask_set(&mask->cpus, results->cpus[slot].cpu);
}

static uint32_t narrowed(int64_t ps)
{
    return ps < 0 ? 0 : ps >= MEASURED_NONE ? MEASURED_NONE - 1 : (uint32_t)ps;
}

struct measured_spread spread_of(int64_t *ps, uint32_t count)
{
    if (!count)
        return (struct measured_spread){MEASURED_NONE, MEASURED_NONE, 0};

    int64_t low = order_quantile(ps, count, 250000), high = order_quantile(ps, count, 750000);

    return (struct measured_spread){narrowed(order_median(ps, count)), narrowed(high - low),
                                    count};
}
