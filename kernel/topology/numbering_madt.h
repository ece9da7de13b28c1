/* The processor entries of a MADT in table order. [acpi 5.2.12] */
#ifndef KERNEL_TOPOLOGY_NUMBERING_MADT_H
#define KERNEL_TOPOLOGY_NUMBERING_MADT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/topology/notes.h"

struct madt_cpu {
    uint32_t apic_id;
    uint32_t offset;      /* of the entry in the table */
    bool is_x2apic;       /* type 9 */
    bool is_enabled, is_online_capable;
};

/* The entries up to the first broken one (noted). NULL: the arena is full. When
 * the table has Local SAPIC entries, only those. */
struct madt_cpu *numbering_madt_read(const struct acpi_table *madt, struct arena *arena,
                                     struct topology_notes *notes, uint32_t *count);

#endif
