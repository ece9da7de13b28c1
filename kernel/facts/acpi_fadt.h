/* The FADT: revision, PM timer, reset register. It grew from revision to
 * revision; a field behind the table's end is absent, not zero. */
#ifndef KERNEL_FACTS_ACPI_FADT_H
#define KERNEL_FACTS_ACPI_FADT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/acpi_sdt.h"

struct acpi_fadt {
    struct acpi_sdt sdt;
    uint8_t revision;            /* of the header: the ACPI major version from 3 on */
    bool has_minor_revision;
    uint8_t minor_revision;      /* the byte at offset 131 as it stands */
    uint32_t flags;
    bool is_hardware_reduced;
    bool has_pm_timer;
    struct acpi_address pm_timer;
    bool is_pm_timer_32_bit;     /* else it wraps after 24 bits */
    bool has_reset;              /* RESET_REG_SUP is set and the register is there */
    struct acpi_address reset;
    uint8_t reset_value;
    uint32_t smi_command_port;   /* 0: none */
    uint32_t pm1a_control_port;  /* 0: none */
    uint16_t boot_architecture;  /* IAPC_BOOT_ARCH; 0 before revision 2 */
};

bool acpi_fadt_parse(struct acpi_fadt *fadt, const void *bytes, size_t length_bytes,
                     struct input_error *error);

/* The firmware claims at least ACPI major.minor. */
bool acpi_fadt_is_at_least(const struct acpi_fadt *fadt, uint8_t major, uint8_t minor);

#endif
