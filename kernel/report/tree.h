/* A topology as a tree of objects, for formats and drawings that need one. Masks do
 * not have to nest; what overlaps something else without being inside is left out. */
#ifndef KERNEL_REPORT_TREE_H
#define KERNEL_REPORT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/topology/topology.h"

/* From the outside in, where sets are equal. */
enum tree_level {
    TREE_PACKAGE, TREE_DIE, TREE_L4, TREE_L3, TREE_L2, TREE_L1, TREE_CORE, TREE_NODE,
    TREE_COUNT,
};

/* The data or unified cache of a cache level; NULL when the CPU has none. */
const struct topology_cache *tree_cache(const struct topology_cpu *cpu, enum tree_level level);

const struct topology_node *tree_node(const struct topology *topology, uint32_t cpu);

/* The set of that level that holds the CPU; NULL: the CPU has none. */
const struct cpumask *tree_set(const struct topology *topology, uint32_t cpu,
                               enum tree_level level);

/* The level of the object to draw next around a CPU, inside `scope`: of the levels
 * not in `used` (bits), the one with the largest set that is an object, the outer
 * level where sets are equal. TREE_COUNT: only the CPU itself is left. All members
 * of the chosen set get the same answer, so an object is drawn at its first CPU. */
enum tree_level tree_next_level(const struct topology *topology, uint32_t cpu,
                                const struct cpumask *scope, uint32_t used);

/* What a loop over a scope has drawn: it asks for no member of an object again, which would
 * take the time of N times the object's CPUs. CPUs beyond the room are asked for, each. */
enum { TREE_SEEN_CPUS = 8192 };
struct tree_seen {
    struct cpumask mask;
    uint64_t words[TREE_SEEN_CPUS / 64];
};
void tree_seen_init(struct tree_seen *seen);

/* True when the CPUs of nodes[node] are an object somewhere in the tree. */
bool tree_node_is_object(const struct topology *topology, uint32_t node);

#endif
