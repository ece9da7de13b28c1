/* The MADT: the CPUs in the order of the table. */
#ifndef KERNEL_FACTS_ACPI_MADT_H
#define KERNEL_FACTS_ACPI_MADT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/acpi_sdt.h"

/* [acpi 5.2.12] */
enum acpi_madt_type {
    ACPI_MADT_LOCAL_APIC = 0,
    ACPI_MADT_IO_APIC = 1,
    ACPI_MADT_LOCAL_APIC_NMI = 4,
    ACPI_MADT_LOCAL_SAPIC = 7,
    ACPI_MADT_LOCAL_X2APIC = 9,
    ACPI_MADT_X2APIC_NMI = 10,
};

enum {
    ACPI_MADT_ENABLED = 1 << 0,
    ACPI_MADT_ONLINE_CAPABLE = 1 << 1, /* means something from table revision 5 on */
};

struct acpi_madt {
    struct acpi_sdt sdt;
    uint32_t lapic_address;
    uint32_t flags;                /* bit 0: a PC/AT dual 8259 is there */
};

struct acpi_madt_entry {
    uint8_t type;
    uint32_t offset, length_bytes;
    /* The rest is set for the three processor types only. */
    bool is_processor;
    uint32_t apic_id;              /* SAPIC: id * 256 + eid */
    uint32_t uid;
    uint32_t flags;                /* as they stand in the table */
};

bool acpi_madt_open(struct acpi_madt *madt, const void *bytes, size_t length_bytes,
                    struct input_error *error);

/* Entries of every type in table order. ACPI_BROKEN with the offset: an entry is
 * shorter than its structure or runs past the table. */
enum acpi_step acpi_madt_next(struct acpi_madt *madt, struct acpi_madt_entry *entry,
                              struct input_error *error);

/* The id cannot be a CPU's: 0xFF in a local APIC entry, 0xFFFFFFFF in an x2APIC
 * entry. Such entries are empty slots. */
bool acpi_madt_is_empty_slot(const struct acpi_madt_entry *entry);

#endif
