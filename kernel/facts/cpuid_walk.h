/* Which leaves and sub-leaves of CPUID there are to read, by the rule of each leaf and
 * never by the vendor. The instruction itself is the caller's. */
#ifndef KERNEL_FACTS_CPUID_WALK_H
#define KERNEL_FACTS_CPUID_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"

struct cpuid_walk {
    struct cpuid_regs (*read)(void *context, uint32_t leaf, uint32_t subleaf);
    void *context;
    struct cpuid_row *rows;
    uint32_t capacity;
    uint32_t count;
    bool is_cut; /* there was more than `capacity` */
};

/* Reads everything, in ascending order within basic, hypervisor, extended and Centaur
 * leaves. A sub-leaf that ends a list is kept too: it was read. */
void cpuid_walk_all(struct cpuid_walk *walk);

#endif
