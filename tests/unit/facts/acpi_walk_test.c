/* Tests the walks over MADT entries and root tables: kernel/facts/acpi_madt.c,
 * acpi_sdt.c and madt_cpus.c. */
#include <string.h>

#include "kernel/facts/acpi_madt.h"
#include "kernel/facts/madt_cpus.h"
#include "tests/unit/facts/acpi_build.h"
#include "tests/unit/facts/load.h"

static struct input_error error;

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
        cmocka_unit_test(madt_entries_come_in_table_order),
        cmocka_unit_test(empty_slots_are_known_by_their_id),
        cmocka_unit_test(a_broken_madt_entry_is_named_by_its_offset),
        cmocka_unit_test(sapic_ids_have_two_parts),
        cmocka_unit_test(a_header_that_lies_is_refused),
        cmocka_unit_test(only_a_sane_length_is_mapped),
        cmocka_unit_test(a_root_table_gives_each_table_once),
        cmocka_unit_test(an_endless_root_table_is_cut_off),
        cmocka_unit_test(a_madt_alone_lists_its_cpus_boot_cpu_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
