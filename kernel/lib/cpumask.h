/* Sets of CPUs by logical number, and the two texts sysfs has for them. */
#ifndef KERNEL_LIB_CPUMASK_H
#define KERNEL_LIB_CPUMASK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/textbuf.h"

#define CPUMASK_NONE UINT32_MAX /* "no CPU" where a CPU number is returned */

struct cpumask {
    uint64_t *words;
    uint32_t word_count; /* capacity is 64 * word_count CPUs */
};

/* An empty set able to hold CPUs 0 … cpu_count-1. False: the arena is full. */
bool cpumask_init(struct cpumask *mask, uint32_t cpu_count, struct arena *arena);

void cpumask_clear(struct cpumask *mask);
void cpumask_set(struct cpumask *mask, uint32_t cpu);
void cpumask_drop(struct cpumask *mask, uint32_t cpu);
/* False for a CPU beyond the capacity. */
bool cpumask_has(const struct cpumask *mask, uint32_t cpu);

uint32_t cpumask_count(const struct cpumask *mask);
uint32_t cpumask_first(const struct cpumask *mask);
/* The next member above `cpu`, or CPUMASK_NONE. */
uint32_t cpumask_next(const struct cpumask *mask, uint32_t cpu);

/* Sets of different capacity compare as if the shorter were padded with zeros. */
bool cpumask_equal(const struct cpumask *a, const struct cpumask *b);
bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b);
bool cpumask_is_subset(const struct cpumask *inner, const struct cpumask *outer);

/* target |= source and target &= source; members beyond target's capacity are lost. */
void cpumask_or(struct cpumask *target, const struct cpumask *source);
void cpumask_and(struct cpumask *target, const struct cpumask *source);
/* Both must have the same capacity. */
void cpumask_copy(struct cpumask *target, const struct cpumask *source);

/* "0-3,8": ascending, a run of two or more as a-b; nothing for an empty set.
 * [linux Documentation/admin-guide/cputopology.rst] */
void cpumask_put_list(struct textbuf *out, const struct cpumask *mask);

/* The hex map of `nr_cpu_ids` bits in 32-bit groups, most significant first. */
void cpumask_put_hex(struct textbuf *out, const struct cpumask *mask, uint32_t nr_cpu_ids);

/* Reads a list; "-" and "" are the empty set. False: malformed or a CPU beyond
 * the capacity; the mask is then unspecified. */
bool cpumask_parse_list(struct cpumask *mask, const char *text);

#define CPUMASK_FOR_EACH(cpu, mask) \
    for (uint32_t cpu = cpumask_first(mask); cpu != CPUMASK_NONE; cpu = cpumask_next((mask), cpu))

#endif
