/* The values of a pair matrix as groups.c looks at them: one per pair of CPUs,
 * in picoseconds, and sorted sets of them with robust ends and spread. */
#ifndef KERNEL_STATS_GROUPS_VALUES_H
#define KERNEL_STATS_GROUPS_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"

enum {
    LOG2_ONE = 1024,         /* differences of logarithms are in 1/1024 of a doubling */
    PAIR_VALUES_NOISY = 118, /* 8 % noise: a border of 30 % is only three times as much */
    NOISE_BINS_LOG = 512,    /* noise is kept per half doubling of the value */
    NOISE_BIN_COUNT = 64,
};

struct pair_values {
    uint32_t cpu_count;
    uint32_t *ps;        /* symmetric, [a * cpu_count + b]; MEASURED_NONE: not measured */
    uint32_t pair_count; /* measured and not left out */
    uint32_t outliers;   /* left out */
    bool has_noise;      /* enough pairs were measured both ways */
    uint32_t noise_log;  /* standard deviation of a value, from how the directions differ */
    bool has_bin[NOISE_BIN_COUNT];      /* some value is of this size */
    uint32_t noise_at[NOISE_BIN_COUNT]; /* the same by size of the value; 0: not known */
};

/* `median_ps` is [from * cpu_count + to]. Both directions become one value: their
 * mean, or the lower when one is more than twice the other (a disturbance only
 * lengthens). Values that stand far above all others and are too few to be a border
 * between groups are left out and counted. False: the arena is full. */
bool pair_values_init(struct pair_values *values, const uint32_t *median_ps, uint32_t cpu_count,
                      struct arena *arena);

static inline uint32_t pair_value(const struct pair_values *values, uint32_t a, uint32_t b)
{
    return values->ps[a * values->cpu_count + b];
}

/* A logarithm of 32-bit values is below 32 * LOG2_ONE, which is the last bin's end. */
uint32_t noise_bin_of(uint32_t value_log);

/* Binary logarithm in 1/1024, 0 for 0 and 1. */
uint32_t log2_of(uint32_t value);

/* A growing list of values; sorted before it is asked anything. */
struct value_set {
    uint32_t *ps;
    uint32_t count, capacity;
};

void value_set_add(struct value_set *set, uint32_t ps); /* MEASURED_NONE is passed over */
void value_set_sort(struct value_set *set);
/* The value below which `permille` of the set lie, by nearest rank; the set is not empty. */
uint32_t value_set_quantile(const struct value_set *set, uint32_t permille);
/* The ends after `trim` values were taken off there. */
uint32_t value_set_low(const struct value_set *set, uint32_t trim);
uint32_t value_set_high(const struct value_set *set, uint32_t trim);
/* Standard deviation of the logarithms as the quartiles suggest it. Of two to four
 * values the range stands in, which is about right on average. */
uint32_t value_set_spread(const struct value_set *set);
/* The same, and 0 below four values. */
uint32_t value_set_sigma(const struct value_set *set);
/* How often, in permille, a value of `high` is above one of `low` (ties count half). */
uint32_t value_sets_above(const struct value_set *low, const struct value_set *high);

#endif
