/* Any bytes as the tables without entries: SLIT, SPCR and FADT. */
#include <stdlib.h>

#include "kernel/facts/acpi_fadt.h"
#include "kernel/facts/acpi_slit.h"
#include "kernel/facts/acpi_spcr.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_slit(const uint8_t *bytes, size_t length)
{
    struct acpi_slit slit;

    if (!acpi_slit_open(&slit, bytes, length, NULL) || !slit.count)
        return;
    acpi_slit_distance(&slit, slit.count - 1, slit.count - 1);
    if (acpi_slit_distance(&slit, slit.count, 0) != 0)
        abort();
}

static void check_spcr(const uint8_t *bytes, size_t length)
{
    struct acpi_spcr spcr;

    if (acpi_spcr_parse(&spcr, bytes, length, NULL) &&
        (spcr.stride_bytes == 0 || spcr.stride_bytes > 32 ||
         (spcr.access_bytes != 1 && spcr.access_bytes != 2 && spcr.access_bytes != 4)))
        abort();
}

static void check_fadt(const uint8_t *bytes, size_t length)
{
    struct acpi_fadt fadt;

    if (acpi_fadt_parse(&fadt, bytes, length, NULL) &&
        ((fadt.has_pm_timer && !fadt.pm_timer.address) ||
         (fadt.has_reset && !fadt.reset.address)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    check_slit(bytes, length);
    check_spcr(bytes, length);
    check_fadt(bytes, length);
    return 0;
}
