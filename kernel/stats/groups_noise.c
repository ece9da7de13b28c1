/* How much a value is off in this matrix, by its size: the gap that makes a group is
 * measured in it. */
#include "kernel/stats/groups_borders.h"

#include "kernel/stats/measured_results.h"

enum {
    MIN_NOISE = 30,        /* 2 %: no clock and no CPU is better than that … */
    FEW_PAIRS_NOISE = 400, /* and so much more, divided by the number of pairs */
    JOIN_MIN_VALUES = 6,
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Median spread of the joins whose values are in `bin`, or of all with at least
 * `least` values; 0 when there is none. */
static uint32_t join_noise(struct borders *borders, uint32_t bin, uint32_t least)
{
    struct value_set *sigmas = &borders->inside, *widest = &borders->widest;

    sigmas->count = 0;
    for (uint32_t i = borders->values->cpu_count; i < borders->tree.node_count; i++) {
        borders_widest(borders, i);
        if (widest->count >= least &&
            (bin == NOISE_BIN_COUNT ||
             noise_bin_of(log2_of(value_set_quantile(widest, 500))) == bin))
            value_set_add(sigmas, value_set_spread(widest));
    }
    value_set_sort(sigmas);
    return sigmas->count ? value_set_quantile(sigmas, 500) : 0;
}

/* The spread of a typical join, and what the two directions of a pair say. Small sets
 * show too little spread of their own, and few pairs say little about noise. */
void borders_measure_noise(struct borders *borders)
{
    const struct pair_values *values = borders->values;
    uint32_t floor = MIN_NOISE + FEW_PAIRS_NOISE / (values->pair_count + 1);
    uint32_t joins = join_noise(borders, NOISE_BIN_COUNT, JOIN_MIN_VALUES);

    /* Where the directions tell the noise, what joins have beyond it is structure: a
     * join across several levels is spread by what it joins. */
    if (values->has_noise && joins > PAIR_VALUES_NOISY)
        joins = PAIR_VALUES_NOISY;
    borders->noise_log = larger(larger(joins, values->noise_log), floor);
    for (uint32_t bin = 0; bin < NOISE_BIN_COUNT; bin++) {
        uint32_t own = values->has_bin[bin] ?
                           larger(values->noise_at[bin], join_noise(borders, bin, 2)) : 0;

        borders->noise_at[bin] = larger(own, borders->noise_log);
    }
}
