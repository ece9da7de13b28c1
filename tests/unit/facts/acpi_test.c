/* Tests kernel/facts/acpi_*.c on the tables of tests/cases and on broken ones. */
#include <string.h>

#include "kernel/facts/acpi_fadt.h"
#include "kernel/facts/acpi_madt.h"
#include "kernel/facts/acpi_rsdp.h"
#include "kernel/facts/acpi_slit.h"
#include "kernel/facts/acpi_spcr.h"
#include "kernel/facts/acpi_srat.h"
#include "kernel/facts/madt_cpus.h"
#include "tests/unit/facts/load.h"

static struct input_error error;

static void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

static void put64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof(value));
}

/* A header with a right checksum over `length` bytes. */
static void seal(uint8_t *table, const char *signature, uint32_t length, uint8_t revision)
{
    uint8_t sum = 0;

    memcpy(table, signature, 4);
    put32(table + 4, length);
    table[8] = revision;
    table[9] = 0;
    for (uint32_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + table[i]);
    table[9] = (uint8_t)-sum;
}

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

struct wanted_cpu { uint8_t type; uint32_t id, flags; };

static void assert_madt_is(const char *path, const struct wanted_cpu *wanted, unsigned count)
{
    struct loaded file = load_file(path);
    struct acpi_madt madt;
    struct acpi_madt_entry entry;
    enum acpi_step step;
    unsigned at = 0;

    assert_true(acpi_madt_open(&madt, file.bytes, file.length, &error));
    assert_true(madt.sdt.has_good_checksum);
    while ((step = acpi_madt_next(&madt, &entry, &error)) == ACPI_ENTRY) {
        if (!entry.is_processor)
            continue;
        assert_true(at < count);
        assert_int_equal(entry.type, wanted[at].type);
        assert_int_equal(entry.apic_id, wanted[at].id);
        assert_int_equal(entry.flags, wanted[at].flags);
        at++;
    }
    assert_int_equal(step, ACPI_END);
    assert_int_equal(at, count);
    free(file.bytes);
}

/* The README of each case says what its table lists. */
static void madt_entries_come_in_table_order(void **state)
{
    static const struct wanted_cpu not_first[] = {
        {0, 0x00, 1}, {0, 0x02, 1}, {0, 0x04, 1}, {0, 0x06, 1}, {0, 0x20, 1},
        {0, 0x21, 1}, {0, 0x28, 1}, {0, 0x29, 1}, {0, 0x40, 1}, {0, 0x42, 1}};
    static const struct wanted_cpu x2apic[] = {{9, 0, 1}, {9, 2, 1}, {9, 4, 1}, {9, 6, 1}};
    struct wanted_cpu disabled[32];
    (void)state;

    for (unsigned i = 0; i < 32; i++)
        disabled[i] = (struct wanted_cpu){i < 24 ? 0 : 9, i < 16 ? i : i < 24 ? 0xFF : UINT32_MAX,
                                          i < 4 ? 1 : i < 8 ? 2 : 0};
    assert_madt_is("tests/cases/madt-boot-cpu-not-first/madt.bin", not_first, 10);
    assert_madt_is("tests/cases/madt-x2apic-only/madt.bin", x2apic, 4);
    assert_madt_is("tests/cases/madt-disabled-entries/madt-rev5.bin", disabled, 32);
}

static void empty_slots_are_known_by_their_id(void **state)
{
    struct acpi_madt_entry entry = {.type = ACPI_MADT_LOCAL_APIC, .apic_id = 0xFF};
    (void)state;

    assert_true(acpi_madt_is_empty_slot(&entry));
    entry.type = ACPI_MADT_LOCAL_X2APIC;
    assert_false(acpi_madt_is_empty_slot(&entry));
    entry.apic_id = UINT32_MAX;
    assert_true(acpi_madt_is_empty_slot(&entry));
}

/* One good CPU, then an entry that is made wrong. */
static enum acpi_step step_after_one(const uint8_t *second, size_t length, uint64_t *place)
{
    uint8_t table[128] = {0};
    struct acpi_madt madt;
    struct acpi_madt_entry entry;
    uint8_t *exact;
    enum acpi_step step;

    memcpy(table + 44, "\x00\x08\x05\x07\x01\x00\x00\x00", 8);
    memcpy(table + 52, second, length);
    seal(table, "APIC", (uint32_t)(52 + length), 3);
    exact = malloc(52 + length);
    memcpy(exact, table, 52 + length);
    assert_true(acpi_madt_open(&madt, exact, 52 + length, &error));
    assert_int_equal(acpi_madt_next(&madt, &entry, &error), ACPI_ENTRY);
    assert_int_equal(entry.apic_id, 7);
    assert_int_equal(entry.uid, 5);
    assert_int_equal(entry.offset, 44);
    step = acpi_madt_next(&madt, &entry, &error);
    *place = error.place;
    free(exact);
    return step;
}

static void a_broken_madt_entry_is_named_by_its_offset(void **state)
{
    static const struct { uint8_t bytes[16]; size_t length; enum acpi_step step; } entries[] = {
        {{0, 0, 1, 1, 1, 0, 0, 0}, 8, ACPI_BROKEN},     /* length 0 */
        {{0, 1, 1, 1, 1, 0, 0, 0}, 8, ACPI_BROKEN},     /* length 1 */
        {{0, 7, 1, 1, 1, 0, 0, 0}, 8, ACPI_BROKEN},     /* shorter than its structure */
        {{9, 8, 1, 1, 1, 0, 0, 0}, 8, ACPI_BROKEN},
        {{0, 9, 1, 1, 1, 0, 0, 0}, 8, ACPI_BROKEN},     /* past the table */
        {{0x80, 255, 1}, 3, ACPI_BROKEN},
        {{0x80, 3, 1}, 3, ACPI_ENTRY},                  /* a type nobody knows */
        {{0, 8, 1, 1, 1, 0, 0, 0}, 8, ACPI_ENTRY},
        {{0}, 1, ACPI_END},                             /* a byte of padding */
        {{0}, 0, ACPI_END},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        uint64_t place;

        assert_int_equal(step_after_one(entries[i].bytes, entries[i].length, &place),
                         entries[i].step);
        if (entries[i].step == ACPI_BROKEN)
            assert_int_equal(place, 52);
    }
}

static void sapic_ids_have_two_parts(void **state)
{
    static const uint8_t sapic[16] = {7, 16, 3, 0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0};
    uint8_t table[60] = {0};
    struct acpi_madt madt;
    struct acpi_madt_entry entry;
    (void)state;

    memcpy(table + 44, sapic, 16);
    seal(table, "APIC", 60, 3);
    assert_true(acpi_madt_open(&madt, table, 60, &error));
    assert_int_equal(acpi_madt_next(&madt, &entry, &error), ACPI_ENTRY);
    assert_int_equal(entry.apic_id, 0x1234);
    assert_int_equal(entry.uid, 9);
    assert_int_equal(entry.flags, 1);
}

static void a_header_that_lies_is_refused(void **state)
{
    uint8_t table[64] = {0};
    struct acpi_madt madt;
    (void)state;

    seal(table, "APIC", 44, 3);
    assert_true(acpi_madt_open(&madt, table, 44, &error));
    assert_false(acpi_madt_open(&madt, table, 43, &error));
    assert_false(acpi_madt_open(&madt, table, 35, &error));
    assert_false(acpi_madt_open(&madt, table, 0, &error));
    seal(table, "APIC", 43, 3);
    assert_false(acpi_madt_open(&madt, table, 64, &error));
    seal(table, "APIX", 44, 3);
    assert_false(acpi_madt_open(&madt, table, 64, &error));
    seal(table, "APIC", 44, 3);
    table[9]++;
    assert_true(acpi_madt_open(&madt, table, 44, &error));
    assert_false(madt.sdt.has_good_checksum);
}

static void only_a_sane_length_is_mapped(void **state)
{
    uint8_t header[8] = "APIC";
    (void)state;

    put32(header + 4, 35);
    assert_int_equal(acpi_sdt_stated_length(header), 0);
    put32(header + 4, 36);
    assert_int_equal(acpi_sdt_stated_length(header), 36);
    put32(header + 4, (16 << 20) + 1);
    assert_int_equal(acpi_sdt_stated_length(header), 0);
}

/* Its own address, a zero and a repetition are passed over. */
static void a_root_table_gives_each_table_once(void **state)
{
    static const uint64_t listed[] = {0x1000, 0, 0x2000, 0x1000, 0x9000, 0x3000, 0x3000};
    static const uint64_t wanted[] = {0x1000, 0x2000, 0x3000};
    uint8_t table[36 + 8 * 7 + 4] = {0};
    struct acpi_root root;
    uint64_t address;
    (void)state;

    for (int is_xsdt = 0; is_xsdt < 2; is_xsdt++) {
        uint32_t width = is_xsdt ? 8 : 4, length = 36 + width * 7;

        for (unsigned i = 0; i < 7; i++)
            memcpy(table + 36 + i * width, &listed[i], width);
        seal(table, is_xsdt ? "XSDT" : "RSDT", length, 1);
        assert_true(acpi_root_open(&root, table, length, 0x9000, &error));
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(acpi_root_next(&root, &address, &error), ACPI_ENTRY);
            assert_true(address == wanted[i]);
        }
        assert_int_equal(acpi_root_next(&root, &address, &error), ACPI_END);
        assert_int_equal(root.skipped_count, 4);
    }
    seal(table, "XSDT", 36 + 8 * 7 + 4, 1);
    assert_true(acpi_root_open(&root, table, sizeof(table), 0x9000, &error));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(acpi_root_next(&root, &address, &error), ACPI_ENTRY);
    assert_int_equal(acpi_root_next(&root, &address, &error), ACPI_BROKEN);
    assert_int_equal(error.place, 36 + 8 * 7);
    assert_false(acpi_root_open(&root, "XSDT", 4, 0, &error));
}

static void an_endless_root_table_is_cut_off(void **state)
{
    static uint8_t table[36 + 8 * 2000];
    struct acpi_root root;
    uint64_t address;
    unsigned count = 0;
    (void)state;

    for (unsigned i = 0; i < 2000; i++)
        put64(table + 36 + 8 * i, 0x1000 * (i + 1));
    seal(table, "XSDT", sizeof(table), 1);
    assert_true(acpi_root_open(&root, table, sizeof(table), 0, &error));
    while (acpi_root_next(&root, &address, &error) == ACPI_ENTRY)
        count++;
    assert_int_equal(count, ACPI_MAX_ROOT_ENTRIES);
    assert_int_equal(acpi_root_next(&root, &address, &error), ACPI_BROKEN);
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

static void a_madt_alone_lists_its_cpus_boot_cpu_first(void **state)
{
    static _Alignas(16) uint8_t memory[1 << 16];
    struct loaded file = load_file("tests/cases/madt-boot-cpu-not-first/madt.bin");
    struct acpi_table table = {.signature = "APIC", .bytes = (uint8_t *)file.bytes,
                               .length_bytes = (uint32_t)file.length};
    struct machine_facts facts = {.tables = &table, .table_count = 1};
    struct arena arena;
    uint32_t boot = 0x20;
    (void)state;

    arena_init(&arena, memory, sizeof(memory));
    assert_true(madt_cpus_add(&facts, &boot, &arena));
    assert_int_equal(facts.cpu_count, 10);
    assert_int_equal(facts.cpus[0].apic_id, 0x20);
    assert_int_equal(facts.cpus[1].apic_id, 0);
    assert_int_equal(facts.cpus[9].apic_id, 0x42);
    assert_true(madt_cpus_add(&facts, NULL, &arena));
    assert_int_equal(facts.cpus[0].apic_id, 0);
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_six_rsdp_states_lead_to_the_right_root),
        cmocka_unit_test(a_cut_rsdp_is_not_read_beyond_its_end),
        cmocka_unit_test(madt_entries_come_in_table_order),
        cmocka_unit_test(empty_slots_are_known_by_their_id),
        cmocka_unit_test(a_broken_madt_entry_is_named_by_its_offset),
        cmocka_unit_test(sapic_ids_have_two_parts),
        cmocka_unit_test(a_header_that_lies_is_refused),
        cmocka_unit_test(only_a_sane_length_is_mapped),
        cmocka_unit_test(a_root_table_gives_each_table_once),
        cmocka_unit_test(an_endless_root_table_is_cut_off),
        cmocka_unit_test(srat_entries_keep_domain_range_and_state),
        cmocka_unit_test(an_srat_domain_is_as_wide_as_the_revision_makes_it),
        cmocka_unit_test(a_generic_initiator_has_a_domain),
        cmocka_unit_test(slit_distances_are_read_row_by_row),
        cmocka_unit_test(spcr_ports_have_stride_width_and_rate),
        cmocka_unit_test(fadt_fields_are_absent_before_the_table_had_them),
        cmocka_unit_test(a_madt_alone_lists_its_cpus_boot_cpu_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
