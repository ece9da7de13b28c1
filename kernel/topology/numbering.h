/* Which CPUs a kernel counts and what numbers it gives them. [rules 7.1-7.5] */
#ifndef KERNEL_TOPOLOGY_NUMBERING_H
#define KERNEL_TOPOLOGY_NUMBERING_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/topology/leaves.h"
#include "kernel/topology/notes.h"
#include "kernel/topology/rules.h"

/* CPUs that a source numbers above this are left out: no kernel has so many. */
enum { NUMBERING_CPU_LIMIT = FACTS_CPU_LIMIT };

struct numbering {
    uint32_t nr_cpu_ids;          /* possible CPUs */
    uint32_t *apic_id;            /* FWID, by logical number */
    uint32_t *fact;               /* index into machine_facts.cpus, or FACTS_NO_CPU */
    bool *is_present;             /* has a number because it is there, not for later */
    uint32_t *registered;         /* every counted APIC id once, ascending */
    uint32_t registered_count;
    bool has_madt;
};

/* Numbers the CPUs by the MADT, or by the source where it has Linux's own
 * numbers or no MADT. False: the arena is full. */
bool numbering_build(const struct leaves *leaves, const struct rule_profile *rules,
                     struct arena *arena, struct topology_notes *notes, struct numbering *out);

/* Ascending, each once; the new count. Sorts in place. */
uint32_t numbering_sort_unique(uint32_t *ids, uint32_t count);

#endif
