/* Any bytes as the tables without entries: SLIT, SPCR and FADT, and as those of watchdogs. */
#include <stdlib.h>
#include <string.h>

#include "kernel/facts/acpi_fadt.h"
#include "kernel/facts/acpi_slit.h"
#include "kernel/facts/acpi_spcr.h"
#include "kernel/facts/watchdog.h"

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

/* What is asked for can be read, whatever the table says, and every answer is taken. */
static void check_watchdogs(const uint8_t *bytes, size_t length)
{
    struct acpi_table table = {"", 0, bytes, (uint32_t)length};
    struct machine_facts facts = {.tables = &table, .table_count = 1};
    struct watchdogs found;

    memcpy(table.signature, bytes, length < 4 ? length : 4);
    watchdogs_find(&facts, &found);
    for (uint32_t i = 0; i < found.want_count; i++) {
        struct facts_register *want = &found.wants[i];
        uint64_t limit = want->space == FACTS_PORT ? 1 << 16 : 1ull << 36;

        if (want->space == FACTS_PCI || want->address + want->bytes > limit ||
            (want->bytes != 1 && want->bytes != 2 && want->bytes != 4))
            abort();
        want->value = want->address & 0xFF;
    }
    facts.registers = found.wants;
    facts.register_count = found.want_count;
    struct watchdogs again;
    watchdogs_find(&facts, &again);
    if (again.count != found.count || again.want_count != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    check_slit(bytes, length);
    check_spcr(bytes, length);
    check_watchdogs(bytes, length);
    check_fadt(bytes, length);
    return 0;
}
