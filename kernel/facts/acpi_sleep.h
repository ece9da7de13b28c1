/* What powering off and resetting take: the sleep type of S5 and the registers. */
#ifndef KERNEL_FACTS_ACPI_SLEEP_H
#define KERNEL_FACTS_ACPI_SLEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PM1 control registers and DSDT of a FADT; ports are 0 where there is none. */
struct acpi_sleep_registers {
    uint16_t pm1a_control, pm1b_control;
    uint16_t smi_command;
    uint8_t acpi_enable;       /* value for smi_command that switches ACPI mode on */
    uint64_t dsdt;             /* physical */
};

/* False: the table is too short or ACPI is hardware-reduced and has no such registers. */
bool acpi_sleep_registers(struct acpi_sleep_registers *registers, const void *fadt,
                          size_t length_bytes);

/* SLP_TYPa and SLP_TYPb of S5: the object \_S5 is a package of small integers, found by
 * looking for its definition, without running any AML. False: there is none like that. */
bool acpi_sleep_s5(const void *dsdt, size_t length_bytes, uint8_t *type_a, uint8_t *type_b);

#endif
