/* Firmware's memory, readable wherever it is. */
#ifndef KERNEL_CAPTURE_ACPI_MEMORY_H
#define KERNEL_CAPTURE_ACPI_MEMORY_H

#include <stdint.h>

/* `bytes` at a physical address, to be read at once and not kept: NULL when they are
 * neither in the direct map nor can be mapped. */
const uint8_t *acpi_memory(uint64_t physical, uint64_t bytes);

/* The first RSDP in the places where a BIOS puts it; 0: none. */
uint64_t acpi_memory_find_rsdp(void);

#endif
