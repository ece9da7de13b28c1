/* Values of pairs and sorted sets of them: medians and ends instead of means,
 * logarithms instead of differences, because noise grows with the value. */
#include "kernel/stats/groups_values.h"

#include "kernel/stats/measured_results.h"

enum {
    DISTURBED_FACTOR = 2,              /* between the two directions of one pair */
    OUTLIER_NUMERATOR = 3,             /* a step of 3/2 to the values above it … */
    OUTLIER_DENOMINATOR = 2,
    SIGMA_PER_IQR_PERMILLE = 741,      /* of a normal distribution: 1 / 1.349 */
    SIGMA_MIN_COUNT = 4,
    INSERTION_SORT_COUNT = 16,
};

static uint32_t both_directions(uint32_t there, uint32_t back)
{
    if (there == MEASURED_NONE || back == MEASURED_NONE)
        return there == MEASURED_NONE ? back : there;

    uint32_t low = there < back ? there : back;
    uint32_t high = there < back ? back : there;

    return high / DISTURBED_FACTOR > low ? low : low + (high - low) / 2;
}

/* The logarithms of two directions differ by twice what their mean is off. Looks at
 * pairs of one bin, or of all when `bin` is NOISE_BIN_COUNT. */
static uint32_t direction_noise(const struct pair_values *values, const uint32_t *median_ps,
                                uint32_t bin, struct value_set *differences)
{
    uint32_t count = values->cpu_count;

    differences->count = 0;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            uint32_t there = median_ps[a * count + b], back = median_ps[b * count + a];
            uint32_t low_log, high_log;

            if (there == MEASURED_NONE || back == MEASURED_NONE)
                continue;
            low_log = log2_of(there < back ? there : back);
            high_log = log2_of(there < back ? back : there);
            if (bin == NOISE_BIN_COUNT || noise_bin_of((low_log + high_log) / 2) == bin)
                value_set_add(differences, high_log - low_log);
        }
    if (differences->count < SIGMA_MIN_COUNT)
        return 0;
    value_set_sort(differences);
    return value_set_quantile(differences, 500) * SIGMA_PER_IQR_PERMILLE / 1000;
}

static void measure_noise(struct pair_values *values, const uint32_t *median_ps,
                          struct value_set *scratch)
{
    values->noise_log = direction_noise(values, median_ps, NOISE_BIN_COUNT, scratch);
    values->has_noise = values->noise_log != 0; /* a mirrored matrix does not tell */
    for (uint32_t bin = 0; bin < NOISE_BIN_COUNT && values->has_noise; bin++)
        if (values->has_bin[bin])
            values->noise_at[bin] = direction_noise(values, median_ps, bin, scratch);
}

static void fold(struct pair_values *values, const uint32_t *median_ps, struct value_set *all)
{
    uint32_t count = values->cpu_count;

    for (uint32_t a = 0; a < count; a++) {
        values->ps[a * count + a] = MEASURED_NONE;
        for (uint32_t b = a + 1; b < count; b++) {
            uint32_t ps = both_directions(median_ps[a * count + b], median_ps[b * count + a]);

            values->ps[a * count + b] = values->ps[b * count + a] = ps;
            value_set_add(all, ps);
            if (ps != MEASURED_NONE)
                values->has_bin[noise_bin_of(log2_of(ps))] = true;
        }
    }
    value_set_sort(all);
    values->pair_count = all->count;
}

/* A border between groups is crossed by at least as many pairs as one CPU has
 * partners. Fewer values than half of that, high above all the rest, are no border. */
static uint32_t outlier_limit(const struct value_set *all, uint32_t cpu_count)
{
    uint32_t limit = MEASURED_NONE;
    uint32_t most = cpu_count ? all->count / cpu_count : 0;

    for (uint32_t i = 1; i <= most && i < all->count; i++) {
        uint64_t upper = all->ps[all->count - i], lower = all->ps[all->count - i - 1];

        if (upper * OUTLIER_DENOMINATOR > lower * OUTLIER_NUMERATOR)
            limit = (uint32_t)upper;
    }
    return limit;
}

static void leave_out(struct pair_values *values, uint32_t limit_ps)
{
    uint32_t count = values->cpu_count;

    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            uint32_t ps = values->ps[a * count + b];

            if (ps == MEASURED_NONE || ps < limit_ps)
                continue;
            values->ps[a * count + b] = values->ps[b * count + a] = MEASURED_NONE;
            values->outliers++;
            values->pair_count--;
        }
}

bool pair_values_init(struct pair_values *values, const uint32_t *median_ps, uint32_t cpu_count,
                      struct arena *arena)
{
    size_t pairs = (size_t)cpu_count * cpu_count;
    struct value_set all = {.ps = ARENA_NEW(arena, uint32_t, pairs / 2 + 1),
                            .capacity = (uint32_t)(pairs / 2 + 1)};

    *values = (struct pair_values){.cpu_count = cpu_count,
                                   .ps = ARENA_NEW(arena, uint32_t, pairs + 1)};
    if (!all.ps || !values->ps)
        return false;
    fold(values, median_ps, &all);
    leave_out(values, outlier_limit(&all, cpu_count));
    measure_noise(values, median_ps, &all);
    return true;
}

uint32_t noise_bin_of(uint32_t value_log)
{
    return value_log / NOISE_BINS_LOG;
}

uint32_t log2_of(uint32_t value)
{
    if (value < 2)
        return 0;

    uint32_t whole = 31 - (uint32_t)__builtin_clz(value);
    uint64_t mantissa = (uint64_t)value << (31 - whole); /* 1.0 is 2^31 */
    uint32_t result = whole;

    for (uint32_t bit = 0; bit < 10; bit++) { /* 2^10 is LOG2_ONE */
        mantissa = mantissa * mantissa >> 31;
        result <<= 1;
        if (mantissa >> 32) {
            result |= 1;
            mantissa >>= 1;
        }
    }
    return result;
}

void value_set_add(struct value_set *set, uint32_t ps)
{
    if (ps != MEASURED_NONE && set->count < set->capacity)
        set->ps[set->count++] = ps;
}

static void insertion_sort(uint32_t *ps, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = ps[i], hole = i;

        for (; hole > 0 && ps[hole - 1] > value; hole--)
            ps[hole] = ps[hole - 1];
        ps[hole] = value;
    }
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;

    *a = *b;
    *b = kept;
}

/* Splits around the median of three; returns how many are in the lower part, which is
 * neither none nor all. */
static uint32_t partition(uint32_t *ps, uint32_t count)
{
    uint32_t low = 0, high = count - 1;

    if (ps[count / 2] < ps[low])
        swap(&ps[count / 2], &ps[low]);
    if (ps[high] < ps[low])
        swap(&ps[high], &ps[low]);
    if (ps[high] < ps[count / 2])
        swap(&ps[high], &ps[count / 2]);

    uint32_t pivot = ps[count / 2];

    for (;;) {
        while (ps[low] < pivot)
            low++;
        while (ps[high] > pivot)
            high--;
        if (low >= high)
            return high + 1;
        swap(&ps[low++], &ps[high--]);
    }
}

/* Quicksort without recursion: the larger part waits, so the stack stays shallow. */
void value_set_sort(struct value_set *set)
{
    struct { uint32_t *ps; uint32_t count; } waiting[32];
    uint32_t depth = 0, count = set->count;
    uint32_t *ps = set->ps;

    for (;;) {
        while (count > INSERTION_SORT_COUNT) {
            uint32_t lower = partition(ps, count);
            bool is_lower_larger = lower > count - lower;

            waiting[depth].ps = is_lower_larger ? ps : ps + lower;
            waiting[depth++].count = is_lower_larger ? lower : count - lower;
            ps = is_lower_larger ? ps + lower : ps;
            count = is_lower_larger ? count - lower : lower;
        }
        insertion_sort(ps, count);
        if (!depth)
            return;
        ps = waiting[--depth].ps;
        count = waiting[depth].count;
    }
}

uint32_t value_set_quantile(const struct value_set *set, uint32_t permille)
{
    return set->ps[(uint64_t)(set->count - 1) * permille / 1000];
}

uint32_t value_set_low(const struct value_set *set, uint32_t trim)
{
    return set->ps[trim < set->count ? trim : set->count - 1];
}

uint32_t value_set_high(const struct value_set *set, uint32_t trim)
{
    return set->ps[trim < set->count ? set->count - 1 - trim : 0];
}

uint32_t value_set_spread(const struct value_set *set)
{
    uint32_t quarter = set->count ? (set->count - 1) / 4 : 0;

    if (!set->count)
        return 0;
    return (log2_of(set->ps[set->count - 1 - quarter]) - log2_of(set->ps[quarter])) *
           SIGMA_PER_IQR_PERMILLE / 1000;
}

uint32_t value_set_sigma(const struct value_set *set)
{
    return set->count < SIGMA_MIN_COUNT ? 0 : value_set_spread(set);
}

uint32_t value_sets_above(const struct value_set *low, const struct value_set *high)
{
    uint64_t halves = 0; /* 2 for "above", 1 for a tie */
    uint32_t below = 0, not_above = 0;

    if (!low->count || !high->count)
        return 500;
    for (uint32_t i = 0; i < high->count; i++) {
        while (below < low->count && low->ps[below] < high->ps[i])
            below++;
        while (not_above < low->count && low->ps[not_above] <= high->ps[i])
            not_above++;
        halves += below + not_above;
    }
    return (uint32_t)(halves * 500 / ((uint64_t)low->count * high->count));
}
