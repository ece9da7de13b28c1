/* The binary tree in which CPUs and sets of CPUs are joined, nearest first: every
 * set of CPUs that is nearer to itself than to the rest is a node of it. */
#ifndef KERNEL_STATS_GROUPS_TREE_H
#define KERNEL_STATS_GROUPS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/stats/groups_values.h"

/* Nodes 0 … cpu_count-1 are the CPUs, the last is the machine; a node has a higher
 * number than its children. Its CPUs are order[first] … order[first + size - 1]. */
struct tree_node {
    uint32_t left, right, parent; /* MEASURED_NONE where there is none */
    uint32_t first, size;
};

struct groups_tree {
    struct tree_node *nodes;
    uint32_t node_count;
    uint32_t *order;
};

/* Joins by the mean logarithm of the measured pairs between two sets; sets without
 * a measured pair come last. cpu_count is at least 1. False: the arena is full. */
bool groups_tree_build(struct groups_tree *tree, const struct pair_values *values,
                       struct arena *arena);

#endif
