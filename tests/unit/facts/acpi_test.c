/* Tests kernel/facts/acpi_*.c on the tables of tests/cases and on broken ones. */
#include <string.h>

#include "kernel/facts/acpi_fadt.h"
#include "kernel/facts/acpi_rsdp.h"
#include "kernel/facts/acpi_slit.h"
#include "kernel/facts/acpi_spcr.h"
#include "kernel/facts/acpi_srat.h"
#include "tests/unit/facts/acpi_build.h"
#include "tests/unit/facts/load.h"

static struct input_error error;

/* cases/rsdp-variants/README.md, "Right outcome" */
static void the_six_rsdp_states_lead_to_the_right_root(void **state)
{
    static const struct {
        const char *path;
        enum acpi_rsdp_state state;
        bool is_xsdt;
        uint64_t root;
    } cases[] = {
        {"tests/cases/rsdp-variants/v1.bin", ACPI_RSDP_GOOD, false, 0x7FE2000},
        {"tests/cases/rsdp-variants/v1-tail.bin", ACPI_RSDP_GOOD, false, 0x7FE2000},
        {"tests/cases/rsdp-variants/v2.bin", ACPI_RSDP_GOOD, true, 0x7FE3000},
        {"tests/cases/rsdp-variants/v2-noxsdt.bin", ACPI_RSDP_NO_XSDT, false, 0x7FE2000},
        {"tests/cases/rsdp-variants/v2-badext.bin", ACPI_RSDP_BAD_EXTENDED, false, 0x7FE2000},
        {"tests/cases/rsdp-variants/v1-badsum.bin", ACPI_RSDP_NONE, false, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct loaded file = load_file(cases[i].path);
        struct acpi_rsdp rsdp;

        assert_int_equal(acpi_rsdp_parse(&rsdp, file.bytes, file.length), cases[i].root != 0);
        assert_int_equal(rsdp.state, cases[i].state);
        assert_int_equal(rsdp.is_xsdt, cases[i].is_xsdt);
        assert_true(rsdp.root_address == cases[i].root);
        assert_true(strlen(acpi_rsdp_state_text(rsdp.state)) > 10);
        free(file.bytes);
    }
}

static void a_cut_rsdp_is_not_read_beyond_its_end(void **state)
{
    struct loaded file = load_file("tests/cases/rsdp-variants/v2.bin");
    struct acpi_rsdp rsdp;
    (void)state;

    for (size_t length = 0; length < 36; length++) {
        char *cut = malloc(length ? length : 1);

        memcpy(cut, file.bytes, length);
        assert_int_equal(acpi_rsdp_parse(&rsdp, cut, length), length >= 20);
        if (length >= 20)
            assert_int_equal(rsdp.state, ACPI_RSDP_CUT);
        free(cut);
    }
    free(file.bytes);
}

/* cases/srat-several-ranges/README.md */
static void srat_entries_keep_domain_range_and_state(void **state)
{
    struct loaded file = load_file("tests/cases/srat-several-ranges/srat.bin");
    struct acpi_srat srat;
    struct acpi_srat_entry entry;
    uint64_t bytes[2] = {0, 0};
    unsigned cpus[2] = {0, 0}, disabled = 0, hot_pluggable = 0, wide = 0;
    (void)state;

    assert_true(acpi_srat_open(&srat, file.bytes, file.length, &error));
    while (acpi_srat_next(&srat, &entry, &error) == ACPI_ENTRY) {
        assert_true(entry.is_known);
        if (!entry.is_enabled) {
            disabled++;
            continue;
        }
        assert_true(entry.domain < 2);
        if (entry.type == ACPI_SRAT_MEMORY && entry.flags & ACPI_SRAT_MEMORY_HOT_PLUGGABLE)
            hot_pluggable++;
        else if (entry.type == ACPI_SRAT_MEMORY)
            bytes[entry.domain] += entry.size_bytes;
        else
            cpus[entry.domain]++;
        if (entry.type == ACPI_SRAT_X2APIC)
            wide += entry.apic_id == (entry.domain ? 0x120 : 0x100);
    }
    assert_int_equal(disabled, 2);
    assert_int_equal(hot_pluggable, 1);
    assert_int_equal(wide, 2);
    assert_int_equal(cpus[0], 5);
    assert_int_equal(cpus[1], 5);
    assert_true(bytes[0] == (640ull << 10) + (2ull << 30) - (1 << 20) + (62ull << 30));
    assert_true(bytes[1] == 64ull << 30);
    free(file.bytes);
}

static void an_srat_domain_is_as_wide_as_the_revision_makes_it(void **state)
{
    uint8_t table[48 + 16 + 40] = {0};
    struct acpi_srat srat;
    struct acpi_srat_entry entry;
    (void)state;

    memcpy(table + 48, "\x00\x10\x05\x09\x01\x00\x00\x00\x00\x01\x02\x03", 12);
    memcpy(table + 64, "\x01\x28\x05\x01\x02\x03", 6);
    table[64 + 28] = 1;
    for (uint8_t revision = 1; revision <= 3; revision++) {
        seal(table, "SRAT", sizeof(table), revision);
        assert_true(acpi_srat_open(&srat, table, sizeof(table), &error));
        assert_int_equal(acpi_srat_next(&srat, &entry, &error), ACPI_ENTRY);
        assert_int_equal(entry.domain, revision >= 2 ? 0x03020105 : 5);
        assert_int_equal(entry.apic_id, 9);
        assert_int_equal(acpi_srat_next(&srat, &entry, &error), ACPI_ENTRY);
        assert_int_equal(entry.domain, revision >= 2 ? 0x03020105 : 5);
        assert_true(entry.is_enabled);
        assert_int_equal(acpi_srat_next(&srat, &entry, &error), ACPI_END);
    }
    table[49] = 15;
    assert_true(acpi_srat_open(&srat, table, sizeof(table), &error));
    assert_int_equal(acpi_srat_next(&srat, &entry, &error), ACPI_BROKEN);
    assert_int_equal(error.place, 48);
}

static void a_generic_initiator_has_a_domain(void **state)
{
    uint8_t table[48 + 32] = {0};
    struct acpi_srat srat;
    struct acpi_srat_entry entry;
    (void)state;

    table[48] = 5;
    table[49] = 32;
    put32(table + 52, 0x01020304);
    put32(table + 72, 1);
    seal(table, "SRAT", sizeof(table), 3);
    assert_true(acpi_srat_open(&srat, table, sizeof(table), &error));
    assert_int_equal(acpi_srat_next(&srat, &entry, &error), ACPI_ENTRY);
    assert_int_equal(entry.domain, 0x01020304);
    assert_true(entry.is_enabled);
}

static void slit_distances_are_read_row_by_row(void **state)
{
    uint8_t table[44 + 4] = {0};
    struct acpi_slit slit;
    (void)state;

    put64(table + 36, 2);
    memcpy(table + 44, "\x0a\x15\x1f\x0a", 4);
    seal(table, "SLIT", sizeof(table), 1);
    assert_true(acpi_slit_open(&slit, table, sizeof(table), &error));
    assert_int_equal(slit.count, 2);
    assert_int_equal(acpi_slit_distance(&slit, 0, 1), 21);
    assert_int_equal(acpi_slit_distance(&slit, 1, 0), 31);
    assert_int_equal(acpi_slit_distance(&slit, 2, 0), 0);
    put64(table + 36, 3);
    assert_false(acpi_slit_open(&slit, table, sizeof(table), &error));
    put64(table + 36, 1ull << 32);
    assert_false(acpi_slit_open(&slit, table, sizeof(table), &error));
}

/* cases/spcr-mmio-uart/README.md */
static void spcr_ports_have_stride_width_and_rate(void **state)
{
    static const struct {
        const char *path;
        bool is_io;
        uint64_t address;
        uint32_t stride, access, baud;
    } cases[] = {
        {"tests/cases/spcr-mmio-uart/spcr-mmio32.bin", false, 0xFEDC9000, 4, 4, 115200},
        {"tests/cases/spcr-mmio-uart/spcr-mmio8.bin", false, 0xFE030000, 1, 1, 57600},
        {"tests/cases/spcr-mmio-uart/spcr-io.bin", true, 0x2F8, 1, 1, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct loaded file = load_file(cases[i].path);
        struct acpi_spcr spcr;

        assert_true(acpi_spcr_parse(&spcr, file.bytes, file.length, &error));
        assert_true(spcr.is_16550);
        assert_true(spcr.has_port);
        assert_int_equal(spcr.is_io, cases[i].is_io);
        assert_true(spcr.address == cases[i].address);
        assert_int_equal(spcr.stride_bytes, cases[i].stride);
        assert_int_equal(spcr.access_bytes, cases[i].access);
        assert_int_equal(spcr.baud, cases[i].baud);
        put64((uint8_t *)file.bytes + 44, 0);
        assert_true(acpi_spcr_parse(&spcr, file.bytes, file.length, &error));
        assert_false(spcr.has_port);
        assert_false(acpi_spcr_parse(&spcr, file.bytes, 58, &error));
        free(file.bytes);
    }
}

/* Offsets of [acpi 5.2.9]. */
static void fadt_fields_are_absent_before_the_table_had_them(void **state)
{
    uint8_t table[276] = {0};
    struct acpi_fadt fadt;
    (void)state;

    put32(table + 76, 0x608);
    table[91] = 4;
    put32(table + 112, 1 << 8 | 1 << 10);
    memcpy(table + 116, "\x01\x08\x00\x01\xf9\x0c", 6);
    table[128] = 6;
    table[131] = 4;
    seal(table, "FACP", 276, 6);
    assert_true(acpi_fadt_parse(&fadt, table, 276, &error));
    assert_true(fadt.has_pm_timer);
    assert_true(fadt.is_pm_timer_32_bit);
    assert_int_equal(fadt.pm_timer.address, 0x608);
    assert_true(fadt.has_reset);
    assert_int_equal(fadt.reset.space, ACPI_SPACE_IO);
    assert_int_equal(fadt.reset.address, 0xCF9);
    assert_int_equal(fadt.reset_value, 6);
    assert_true(acpi_fadt_is_at_least(&fadt, 6, 3));
    assert_true(acpi_fadt_is_at_least(&fadt, 5, 9));
    assert_false(acpi_fadt_is_at_least(&fadt, 6, 5));
    assert_false(acpi_fadt_is_at_least(&fadt, 7, 0));

    put64(table + 212, 0x1808);
    table[208] = ACPI_SPACE_IO;
    seal(table, "FACP", 276, 6);
    assert_true(acpi_fadt_parse(&fadt, table, 276, &error));
    assert_int_equal(fadt.pm_timer.address, 0x1808);

    seal(table, "FACP", 116, 1);
    assert_true(acpi_fadt_parse(&fadt, table, 276, &error));
    assert_false(fadt.has_reset);
    assert_false(fadt.has_minor_revision);
    assert_int_equal(fadt.pm_timer.address, 0x608);
    seal(table, "FACP", 115, 1);
    assert_false(acpi_fadt_parse(&fadt, table, 276, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_six_rsdp_states_lead_to_the_right_root),
        cmocka_unit_test(a_cut_rsdp_is_not_read_beyond_its_end),
        cmocka_unit_test(srat_entries_keep_domain_range_and_state),
        cmocka_unit_test(an_srat_domain_is_as_wide_as_the_revision_makes_it),
        cmocka_unit_test(a_generic_initiator_has_a_domain),
        cmocka_unit_test(slit_distances_are_read_row_by_row),
        cmocka_unit_test(spcr_ports_have_stride_width_and_rate),
        cmocka_unit_test(fadt_fields_are_absent_before_the_table_had_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
