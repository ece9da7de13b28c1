/* Which nodes of the tree are groups: the separation test and what puts its
 * answer in doubt. The steps between groups.c and the sorted values. */
#ifndef KERNEL_STATS_GROUPS_BORDERS_H
#define KERNEL_STATS_GROUPS_BORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/stats/groups_tree.h"
#include "kernel/stats/groups_values.h"

struct borders {
    const struct pair_values *values;
    struct groups_tree tree;
    bool is_sampled;
    bool *is_group;        /* per node; the machine itself counts as one */
    uint32_t *context;     /* per node: the nearest group above it */
    uint32_t *weak_gap;    /* per node: its gap when separated, but too little to stand
                              alone; 0 otherwise */
    bool *has_group_below; /* per node: itself or a node below is a group */
    uint32_t noise_log;    /* what a value is off by, in this matrix as a whole … */
    uint32_t noise_at[NOISE_BIN_COUNT]; /* and by its size */
    struct value_set inside, outside, across, widest; /* scratch */
    uint32_t unchecked_part_pairs; /* of all contexts so far … */
    uint32_t part_pairs;           /* and those there are */
};

/* False: the arena is full. */
bool borders_init(struct borders *borders, const struct pair_values *values, bool is_sampled,
                  struct arena *scratch);

/* Marks the groups. */
void borders_find(struct borders *borders);

/* Why the marks are not to be trusted, or NULL. */
const char *borders_doubt(struct borders *borders);

/* Values between the members of a node; between a node and the other members of
 * `context`; sorted. */
void borders_inside(const struct borders *borders, uint32_t node, struct value_set *set);
void borders_outside(const struct borders *borders, uint32_t node, uint32_t context,
                     struct value_set *set);

/* Values between the two sets that `node` joined, into `widest`: the widest step inside. */
void borders_widest(struct borders *borders, uint32_t node);

/* Fills noise_log and noise_at (groups_noise.c). */
void borders_measure_noise(struct borders *borders);

/* How many values may be taken off an end: few, and fewer than one CPU has part in. */
uint32_t borders_trim(uint32_t value_count, uint32_t member_count);

#endif
