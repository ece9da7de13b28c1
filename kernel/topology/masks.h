/* Every distinct CPU set once: sets are known by index, and two equal sets
 * always have the same index. */
#ifndef KERNEL_TOPOLOGY_MASKS_H
#define KERNEL_TOPOLOGY_MASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"

enum { MASKS_NONE = UINT32_MAX };

struct mask_table {
    struct cpumask *masks;   /* all of one capacity */
    uint64_t *hashes;
    uint32_t *sizes;         /* members of each */
    uint32_t *firsts;        /* the lowest of them */
    uint32_t count, capacity;
    uint32_t *slots;         /* open addressing: index + 1, 0 free; 2^slot_bits of them */
    unsigned slot_bits;
    uint32_t cpu_count;      /* CPUs a mask can hold */
    struct cpumask joined;   /* scratch of masks_union() */
    struct arena *arena;
};

bool masks_init(struct mask_table *table, uint32_t cpu_count, struct arena *arena);

/* The set of these CPUs (each once, below cpu_count); MASKS_NONE: the arena is full. */
uint32_t masks_of_list(struct mask_table *table, const uint32_t *cpus, uint32_t count);
uint32_t masks_of(struct mask_table *table, const struct cpumask *mask);
/* In the time that the members take, not the width of a mask: most sets are small. */
bool masks_is_subset(const struct mask_table *table, uint32_t inner, uint32_t outer);
uint32_t masks_union(struct mask_table *table, uint32_t a, uint32_t b);

#endif
