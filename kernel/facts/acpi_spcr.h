/* The SPCR: the serial port that the firmware uses as its console. */
#ifndef KERNEL_FACTS_ACPI_SPCR_H
#define KERNEL_FACTS_ACPI_SPCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/acpi_sdt.h"

struct acpi_spcr {
    struct acpi_sdt sdt;
    uint8_t interface_type;
    bool is_16550;          /* a type whose registers are those of the 16550 */
    bool is_io;             /* ports; else memory */
    bool has_port;          /* false: no address, or neither ports nor memory */
    uint64_t address;
    uint32_t stride_bytes;  /* from one register to the next */
    uint32_t access_bytes;  /* width of one access: 1, 2 or 4 */
    uint32_t baud;          /* 0: keep what the firmware has set */
    uint8_t baud_code;      /* as it stands in the table */
    uint32_t gsi;
};

bool acpi_spcr_parse(struct acpi_spcr *spcr, const void *bytes, size_t length_bytes,
                     struct input_error *error);

#endif
