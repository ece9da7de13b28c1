/* The root pointer: which of the two root tables may be believed. */
#ifndef KERNEL_FACTS_ACPI_RSDP_H
#define KERNEL_FACTS_ACPI_RSDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACPI_RSDP_V1_BYTES = 20, ACPI_RSDP_V2_BYTES = 36 }; /* [acpi 5.2.5.3] */

enum acpi_rsdp_state {
    ACPI_RSDP_GOOD,
    ACPI_RSDP_NO_XSDT,       /* revision 2 without an XSDT address: the RSDT is used */
    ACPI_RSDP_BAD_EXTENDED,  /* the second sum or the length is wrong: the RSDT is used */
    ACPI_RSDP_CUT,           /* revision 2, but only the first 20 bytes were handed over */
    ACPI_RSDP_NO_ROOT,       /* no address of a root table that could be used */
    ACPI_RSDP_NONE,          /* not an RSDP: no signature, or the first sum is wrong */
};

struct acpi_rsdp {
    enum acpi_rsdp_state state;
    uint8_t revision;
    char oem_id[7];
    bool is_xsdt;            /* root_address is that of an XSDT */
    uint64_t root_address;   /* 0 in the last two states */
};

/* False in the last two states. */
bool acpi_rsdp_parse(struct acpi_rsdp *rsdp, const void *bytes, size_t length_bytes);

/* One sentence for a report. */
const char *acpi_rsdp_state_text(enum acpi_rsdp_state state);

#endif
