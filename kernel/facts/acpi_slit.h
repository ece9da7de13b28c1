/* The SLIT: relative distances between proximity domains. */
#ifndef KERNEL_FACTS_ACPI_SLIT_H
#define KERNEL_FACTS_ACPI_SLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/acpi_sdt.h"

struct acpi_slit {
    struct acpi_sdt sdt;
    uint32_t count;          /* of domains: the matrix has count * count bytes */
    const uint8_t *matrix;
};

/* False with *error: the matrix does not fit into the table. */
bool acpi_slit_open(struct acpi_slit *slit, const void *bytes, size_t length_bytes,
                    struct input_error *error);

/* 10 is local, 255 unreachable; 0 for a domain that the table does not have. */
uint8_t acpi_slit_distance(const struct acpi_slit *slit, uint32_t from, uint32_t to);

#endif
