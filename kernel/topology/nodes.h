/* NUMA nodes: the table that SRAT gives, the default for every CPU number, the
 * vendors' own step, and the distances. [rules 7.6, 7.8] */
#ifndef KERNEL_TOPOLOGY_NODES_H
#define KERNEL_TOPOLOGY_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/topology/leaves.h"
#include "kernel/topology/notes.h"
#include "kernel/topology/numbering.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

enum { NODES_MAX = 1024, NODES_NONE = -1 };

struct node_of_apic { uint32_t apic_id; int32_t node; uint32_t offset; /* of the SRAT entry */ };

struct memory_block { uint64_t start, end; int32_t node; };

struct nodes {
    bool has_srat;               /* a table that was accepted, or stated nodes */
    struct node_of_apic *apics;  /* ascending by id, each once */
    uint32_t apic_count;
    uint32_t *domain;            /* proximity domain of each node */
    uint64_t *bytes;             /* memory of each node */
    bool *is_online;
    uint32_t count;              /* node numbers given so far */
    uint32_t cpu_node_count;     /* nodes with an enabled processor entry */
};

bool nodes_build(const struct leaves *leaves, const struct rule_profile *rules,
                 struct arena *arena, struct topology_notes *notes, struct nodes *out);

/* Sorts the table; of two entries for an id the one further back in the SRAT counts. */
void nodes_sort(struct nodes *nodes);

/* The table's node for an APIC id, or NODES_NONE. */
int32_t nodes_of_apic(const struct nodes *nodes, uint32_t apic_id);
bool nodes_is_online(const struct nodes *nodes, int64_t node);

/* Steps 2 and 3 for all possible CPUs: `node` by logical number. A node without
 * memory that has a CPU comes online. */
void nodes_default(struct nodes *nodes, const struct numbering *numbering, int32_t *node);

/* Step 4 of AMD and Hygon. */
int32_t nodes_amd_step(const struct nodes *nodes, uint32_t fwid, uint32_t cid, uint32_t eid,
                       uint32_t llc_id, uint32_t cpu, struct topology_notes *notes);
/* Step 4 of Intel; `current` is what steps 2 and 3 gave. */
int32_t nodes_intel_step(const struct nodes *nodes, uint32_t fwid, int32_t current);

/* The online nodes with their CPUs, and the distances, for the topology. */
bool nodes_publish(const struct nodes *nodes, const struct machine_facts *facts,
                   struct arena *arena, struct topology *topology);

#endif
