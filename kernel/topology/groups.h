/* CPUs with equal keys linked to each other, without testing all pairs. */
#ifndef KERNEL_TOPOLOGY_GROUPS_H
#define KERNEL_TOPOLOGY_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/topology/masks.h"

enum { GROUPS_KEY_PARTS = 6 };

/* What a CPU must have in common with another. */
struct group_key {
    uint32_t part[GROUPS_KEY_PARTS];
    bool is_set;      /* false: the CPU belongs to no group */
    bool initiates;   /* it looks for partners (see enum group_link) */
};

/* Which pairs with equal keys are linked. */
enum group_link {
    LINK_BY_LATER,    /* those whose later CPU, in the order given, initiates */
    LINK_BY_EITHER,   /* those of which one initiates */
    LINK_WHOLE,       /* all of the group when one initiates */
};

struct groups {
    struct mask_table *masks;
    const uint32_t *order;   /* CPUs in bring-up order */
    uint32_t count;
    uint32_t *result;        /* by CPU: mask so far, MASKS_NONE: only the CPU itself */
    struct group_key *key;   /* by CPU: filled by the caller */
    /* scratch */
    uint32_t *slots, slot_mask;
    uint32_t *next;          /* by position: next position of the same group */
    uint32_t *last;          /* by head position: last position of the group */
    uint32_t *heads, head_count;
    uint32_t *members, *picked;
};

/* Room for CPUs 0 … cpu_count-1. */
bool groups_init(struct groups *groups, uint32_t cpu_count, struct mask_table *masks,
                 struct arena *arena);

/* From here on about these CPUs, in bring-up order, without results. */
void groups_start(struct groups *groups, const uint32_t *order, uint32_t count);

/* Links by the keys as they are; a CPU's result becomes the union with what it has. */
bool groups_link(struct groups *groups, enum group_link link);

/* Every CPU's mask; those without partners get themselves. */
bool groups_finish(struct groups *groups);

/* For each group of equal keys: its members in bring-up order. */
void groups_visit(struct groups *groups,
                  void (*visit)(void *context, const uint32_t *cpus, uint32_t count),
                  void *context);

#endif
