/* Which pairs of CPUs are measured, in which order, and how far apart they are
 * declared to be. */
#ifndef KERNEL_STATS_MEASURED_PAIRS_H
#define KERNEL_STATS_MEASURED_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/stats/measured_results.h"
#include "kernel/topology/topology.h"

enum {
    PAIRS_ALL_CPUS = 128,     /* up to so many CPUs every pair is measured */
    PAIRS_SAMPLED_PER_CLASS = 12,
};

struct measured_pair {
    uint32_t from, to; /* slots */
};

struct pair_list {
    struct measured_pair *pairs; /* shuffled, so that a drift is no structure */
    uint32_t count;
    uint32_t possible;           /* directed pairs there are */
    bool is_sampled;
};

/* Every directed pair up to PAIRS_ALL_CPUS; above, each CPU gets partners drawn from
 * every declared class it has, PAIRS_SAMPLED_PER_CLASS of each where there are as
 * many, and both directions are measured. False: the arena is full. */
bool pair_list_make(const struct measured_results *results, const struct topology *topology,
                    uint64_t seed, struct arena *arena, struct arena *scratch,
                    struct pair_list *list);

/* The smallest declared mask that holds both. */
enum distance_class pair_distance(const struct measured_results *results,
                                  const struct topology *topology, uint32_t a, uint32_t b);

const char *distance_name(enum distance_class distance); /* "smt", "llc", … */

/* Nanoseconds that stand in for a transfer in a virtual machine when costs are injected:
 * they rise with the declared distance, so that the declared masks agree with them. */
uint32_t distance_nominal_ns(enum distance_class distance);

#endif
