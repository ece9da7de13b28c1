/* Any bytes as an RSDP and as a root table: no address is given twice, none is
 * zero or the table's own, and the list ends. */
#include <stdlib.h>

#include "kernel/facts/acpi_rsdp.h"
#include "kernel/facts/acpi_sdt.h"

enum { OWN_ADDRESS = 0x1000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_root(const uint8_t *bytes, size_t length)
{
    static uint64_t seen[ACPI_MAX_ROOT_ENTRIES];
    struct acpi_root root;
    uint64_t address;
    uint32_t count = 0;

    if (!acpi_root_open(&root, bytes, length, OWN_ADDRESS, NULL))
        return;
    while (acpi_root_next(&root, &address, NULL) == ACPI_ENTRY) {
        if (count == ACPI_MAX_ROOT_ENTRIES || !address || address == OWN_ADDRESS)
            abort();
        for (uint32_t i = 0; i < count; i++)
            if (seen[i] == address)
                abort();
        seen[count++] = address;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct acpi_rsdp rsdp;

    if (acpi_rsdp_parse(&rsdp, bytes, length) != (rsdp.root_address != 0))
        abort();
    acpi_rsdp_state_text(rsdp.state);
    check_root(bytes, length);
    if (length >= 8 && acpi_sdt_stated_length(bytes) > ACPI_MAX_TABLE_BYTES)
        abort();
    return 0;
}
