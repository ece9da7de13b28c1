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

static void check_want(const struct facts_register *want)
{
    uint64_t limit = want->space == FACTS_PORT ? 1 << 16 : 1ull << 36;

    if (want->space == FACTS_PCI || want->address + want->bytes > limit ||
        (want->bytes != 1 && want->bytes != 2 && want->bytes != 4))
        abort();
}

/* As the image asks: what is wanted can be read, once, and only a full list leaves more to
 * ask for. */
static void check_watchdogs(const uint8_t *bytes, size_t length)
{
    struct facts_register known[WATCHDOG_ROUNDS_MAX * WATCHDOG_WANTS_MAX];
    struct acpi_table table = {"", 0, bytes, (uint32_t)length};
    struct machine_facts facts = {.tables = &table, .table_count = 1, .registers = known};
    uint32_t count = 0, last = WATCHDOG_WANTS_MAX;
    struct watchdogs found;

    memcpy(table.signature, bytes, length < 4 ? length : 4);
    for (int round = 0; round < WATCHDOG_ROUNDS_MAX; round++) {
        watchdogs_find(&facts, &found);
        if ((round && found.count != count) || (found.want_count && last < WATCHDOG_WANTS_MAX))
            abort();
        count = found.count;
        last = found.want_count;
        for (uint32_t i = 0; i < found.want_count; i++) {
            struct facts_register want = found.wants[i];

            check_want(&want);
            if (facts_find_register(&facts, want.space, want.address, want.bytes))
                abort();
            want.value = want.address & 0xFF;
            known[facts.register_count++] = want;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    check_slit(bytes, length);
    check_spcr(bytes, length);
    check_watchdogs(bytes, length);
    check_fadt(bytes, length);
    return 0;
}
