/* Counting MADT entries and giving numbers: what happens between the table and the
 * logical CPUs. [rules 7.2-7.5] */
#ifndef KERNEL_TOPOLOGY_NUMBERING_COUNT_H
#define KERNEL_TOPOLOGY_NUMBERING_COUNT_H

#include "kernel/topology/numbering.h"
#include "kernel/topology/numbering_madt.h"

struct numberer {
    const struct leaves *leaves;
    const struct numbering_rules *rules;
    struct topology_notes *notes;
    struct numbering *out;
    const struct madt_cpu *entries;
    uint32_t entry_count;
    bool has_online_capable;    /* the FADT says ACPI 6.3 or later */
    bool is_virtual;            /* under a hypervisor the kernel detects */
    bool has_usable_lapic;
    bool is_bsp_marked;
    uint32_t boot_id;
    bool has_seen_first;
    uint32_t next;              /* number of the next new CPU */
    uint32_t present_count, disabled_count;
    uint32_t *slots;            /* APIC id -> number + 1, open addressing */
    uint32_t slot_mask;
    uint32_t *first_offset;     /* by number: the entry that was enabled first */
};

/* The place where an APIC id's number + 1 is kept; 0 there: it has none. */
uint32_t *numbering_slot(struct numberer *numberer, uint32_t apic_id);

/* Numbers all entries that count, and the ids that are registered for later. */
void numbering_count(struct numberer *numberer);

#endif
