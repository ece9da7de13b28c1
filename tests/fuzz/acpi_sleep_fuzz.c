/* Any bytes as FADT and as DSDT: a sleep type that is found fits its three bits. */
#include <stdlib.h>

#include "kernel/facts/acpi_sleep.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct acpi_sleep_registers registers;
    uint8_t a, b;

    if (acpi_sleep_registers(&registers, bytes, length) &&
        (registers.pm1a_control == 0 || registers.dsdt == 0))
        abort();
    if (acpi_sleep_s5(bytes, length, &a, &b) && (a > 7 || b > 7))
        abort();
    return 0;
}
