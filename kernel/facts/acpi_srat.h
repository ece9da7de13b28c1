/* The SRAT: which CPU and which memory belongs to which proximity domain. */
#ifndef KERNEL_FACTS_ACPI_SRAT_H
#define KERNEL_FACTS_ACPI_SRAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/acpi_sdt.h"

/* [acpi 5.2.16] */
enum acpi_srat_type {
    ACPI_SRAT_LOCAL_APIC = 0,
    ACPI_SRAT_MEMORY = 1,
    ACPI_SRAT_X2APIC = 2,
    ACPI_SRAT_GENERIC_INITIATOR = 5,
};

enum {
    ACPI_SRAT_ENABLED = 1 << 0,
    ACPI_SRAT_MEMORY_HOT_PLUGGABLE = 1 << 1,
    ACPI_SRAT_MEMORY_NON_VOLATILE = 1 << 2,
};

struct acpi_srat {
    struct acpi_sdt sdt;
};

struct acpi_srat_entry {
    uint8_t type;
    uint32_t offset, length_bytes;
    bool is_known;               /* one of the four types: the fields below are set */
    bool is_enabled;             /* else nothing below means anything */
    uint32_t domain;             /* as wide as the table's revision makes it */
    uint32_t flags;
    uint32_t apic_id;            /* processor types */
    uint64_t start, size_bytes;  /* memory */
};

bool acpi_srat_open(struct acpi_srat *srat, const void *bytes, size_t length_bytes,
                    struct input_error *error);

/* Entries of every type in table order, disabled ones too. ACPI_BROKEN with the
 * offset: a length that its type does not allow, or past the table. */
enum acpi_step acpi_srat_next(struct acpi_srat *srat, struct acpi_srat_entry *entry,
                              struct input_error *error);

#endif
