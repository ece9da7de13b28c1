/* Copies the ACPI tables, wherever they lie, into machine_facts. */
#ifndef KERNEL_CAPTURE_ACPI_CAPTURE_H
#define KERNEL_CAPTURE_ACPI_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/info/boot_info.h"
#include "kernel/facts/acpi_rsdp.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/input_error.h"

enum {
    ACPI_CAPTURE_MAX_TABLES = 256,
    ACPI_CAPTURE_MAX_TABLE_BYTES = 1 << 20, /* of one table; a longer one is cut */
};

struct acpi_capture {
    struct acpi_rsdp rsdp;     /* state ACPI_RSDP_NONE: found nowhere */
    bool is_rsdp_from_copy;    /* the loader handed over bytes, not their place */
    bool is_root_broken;       /* `root_error` says how */
    struct input_error root_error;
    uint32_t unreadable_count; /* entries that lead to memory nobody can see, or to no table */
    uint32_t cut_count;        /* tables longer than we copy */
    uint32_t dropped_count;    /* tables that found no room */
};

/* AML is not used: of DSDT, SSDT and PSDT only the header is kept. False: the arena is
 * full. No RSDP is an outcome, not a failure. */
bool acpi_capture(struct machine_facts *facts, const struct boot_info *info, struct arena *arena,
                  struct acpi_capture *outcome);

#endif
