/* Which CPUs clear at the same time in each placement, from the masks of a profile. */
#ifndef KERNEL_STATS_BENCH_PLACES_H
#define KERNEL_STATS_BENCH_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"
#include "kernel/stats/bench_results.h"
#include "kernel/topology/topology.h"

/* CPUs by their index in machine_facts.cpus. */
struct bench_group {
    enum bench_placement kind;
    struct cpumask cpus;
};

/* Groups of at least two CPUs out of `allowed` (indexes into facts.cpus), at most
 * BENCH_PLACE_COUNT; one that equals an earlier one is left out. False: the arena is
 * full. The siblings are
 * those of CPU 0 of the facts, the boot CPU. */
bool bench_places_make(const struct topology *topology, uint32_t fact_count,
                       const struct cpumask *allowed, struct arena *arena,
                       struct bench_group *groups, uint32_t *group_count);

#endif
