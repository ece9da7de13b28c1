/* Any bytes as an SRAT: the walk ends, stays inside, and says where it broke. */
#include <stdlib.h>

#include "kernel/facts/acpi_srat.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct acpi_srat srat;
    struct acpi_srat_entry entry;
    struct input_error error = {0};
    enum acpi_step step;
    size_t steps = 0;

    if (!acpi_srat_open(&srat, bytes, length, &error))
        return 0;
    while ((step = acpi_srat_next(&srat, &entry, &error)) == ACPI_ENTRY)
        if (entry.offset + entry.length_bytes > length || ++steps > length / 2 ||
            (entry.is_enabled && !entry.is_known))
            abort();
    if (step == ACPI_BROKEN && (error.place >= length || !error.text[0]))
        abort();
    return 0;
}
