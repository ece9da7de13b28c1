/* The masks of one kind and profile, over the CPUs that were measured. */
#ifndef KERNEL_STATS_AGREEMENT_CLAIMS_H
#define KERNEL_STATS_AGREEMENT_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"
#include "kernel/stats/measured_results.h"
#include "kernel/topology/topology.h"

/* Not every kernel has cluster and die masks. */
bool claims_has_kind(const struct topology *topology, enum topology_mask kind);

struct claims {
    const struct topology *topology;
    enum topology_mask kind;
    uint32_t *logical;          /* per slot: its CPU number in the profile, or MEASURED_NONE */
    struct cpumask *claimed;    /* per slot: the slots that its mask holds */
    uint32_t slot_count;
};

/* False: the arena is full. */
bool claims_init(struct claims *claims, const struct measured_results *results,
                 const struct topology *topology, enum topology_mask kind, struct arena *arena);

bool claims_equal(const struct claims *a, const struct claims *b);

/* True for the lowest slot of a claimed mask of two CPUs or more: walking all slots
 * with it meets each mask once. */
bool claims_is_first(const struct claims *claims, uint32_t slot);

/* True when a mask of a narrower kind than `kind` holds exactly these slots. */
bool claims_has_narrower(const struct claims *claims, enum topology_mask kind,
                         const struct cpumask *slots);
/* True when a cache of the profile holds exactly these slots. */
bool claims_has_cache(const struct claims *claims, const struct cpumask *slots);

/* True when a memory node of the profile holds exactly these slots. */
bool claims_is_node(const struct claims *claims, const struct cpumask *slots);

#endif
