/* Tests kernel/capture/cpu_list.c on the MADTs of tests/cases: which CPUs are started. */
#include "kernel/capture/cpu_list.c"

#include <string.h>

#include "tests/unit/facts/load.h"
#include "tests/unit/unit_test.h"

enum { ARENA_BYTES = 1 << 20 };

struct listing {
    struct machine_facts facts;
    struct acpi_table table;
    struct cpu_list list;
};

static uint8_t storage[ARENA_BYTES];

static void list_of(struct listing *listing, const void *bytes, size_t length,
                    uint32_t boot_apic_id)
{
    struct arena arena;

    arena_init(&arena, storage, sizeof(storage));
    *listing = (struct listing){0};
    listing->table = (struct acpi_table){.signature = "APIC", .bytes = bytes,
                                         .length_bytes = (uint32_t)length};
    listing->facts.tables = &listing->table;
    listing->facts.table_count = bytes != NULL;
    assert_true(cpu_list_build(&listing->facts, boot_apic_id, &arena, &listing->list));
}

static struct loaded list_of_case(struct listing *listing, const char *name, uint32_t boot_apic_id)
{
    char path[128];

    snprintf(path, sizeof(path), "tests/cases/%s.bin", name);
    struct loaded loaded = load_file(path);
    list_of(listing, loaded.bytes, loaded.length, boot_apic_id);
    return loaded;
}

static void assert_started(const struct listing *listing, const uint32_t *ids, uint32_t count)
{
    assert_int_equal(listing->list.enabled_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(listing->facts.cpus[i].madt_apic_id, ids[i]);
        assert_int_equal(listing->facts.cpus[i].state, i == 0 ? CPU_ONLINE : CPU_SILENT);
    }
}

static void a_boot_cpu_in_the_middle_comes_first(void **state)
{
    static const uint32_t ids[] = {0x20, 0, 2, 4, 6, 0x21, 0x28, 0x29, 0x40, 0x42};
    struct listing listing;
    struct loaded loaded = list_of_case(&listing, "madt-boot-cpu-not-first/madt", 0x20);

    (void)state;
    assert_started(&listing, ids, 10);
    assert_true(listing.list.is_boot_cpu_listed);
    free(loaded.bytes);
}

static void disabled_entries_are_kept_and_not_started(void **state)
{
    static const char *const names[] = {"madt-disabled-entries/madt-rev5",
                                        "madt-disabled-entries/madt-rev3"};
    static const uint32_t ids[] = {0, 1, 2, 3};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct listing listing;
        struct loaded loaded = list_of_case(&listing, names[i], 0);

        assert_started(&listing, ids, 4);
        assert_int_equal(listing.facts.cpu_count, 16);
        for (uint32_t cpu = 4; cpu < 16; cpu++) {
            assert_int_equal(listing.facts.cpus[cpu].state, CPU_DISABLED);
            assert_int_equal(listing.facts.cpus[cpu].madt_apic_id, cpu);
        }
        free(loaded.bytes);
    }
}

static void an_id_of_all_ones_is_nobody(void **state)
{
    static const uint32_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct listing listing;
    struct loaded loaded = list_of_case(&listing, "madt-lapic-all-ff/madt", 0);

    (void)state;
    assert_started(&listing, ids, 8);
    assert_int_equal(listing.facts.cpu_count, 8);
    free(loaded.bytes);
}

static void an_id_listed_twice_is_started_once(void **state)
{
    static const uint32_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7, 0x100, 0x101};
    struct listing listing;
    struct loaded loaded = list_of_case(&listing, "madt-same-ids-twice/madt", 0);

    (void)state;
    assert_started(&listing, ids, 10);
    assert_int_equal(cpu_list_max_apic_id(&listing.facts), 0x101);
    free(loaded.bytes);
}

static void x2apic_entries_alone_are_enough(void **state)
{
    static const uint32_t ids[] = {0, 2, 4, 6};
    struct listing listing;
    struct loaded loaded = list_of_case(&listing, "madt-x2apic-only/madt", 0);

    (void)state;
    assert_started(&listing, ids, 4);
    free(loaded.bytes);
}

static void without_a_madt_there_is_the_boot_cpu(void **state)
{
    static const uint32_t ids[] = {9};
    struct listing listing;

    (void)state;
    list_of(&listing, NULL, 0, 9);
    assert_started(&listing, ids, 1);
    assert_false(listing.list.has_madt);
    assert_false(listing.list.is_boot_cpu_listed);
    assert_int_equal(cpu_list_max_apic_id(&listing.facts), 0);
}

static void a_cut_table_gives_what_stands_before_the_cut(void **state)
{
    static const uint32_t ids[] = {0, 2};
    struct listing listing;
    struct loaded loaded = load_file("tests/cases/madt-x2apic-only/madt.bin");
    uint32_t length = 44 + 16 + 16 + 7;

    (void)state;
    /* The header states the length that is there. */
    memcpy(loaded.bytes + 4, &length, sizeof(length));
    char *cut = malloc(length);
    memcpy(cut, loaded.bytes, length);
    list_of(&listing, cut, length, 0);
    assert_started(&listing, ids, 2);
    assert_true(listing.list.is_broken);
    assert_int_equal(listing.list.error.place, 44 + 16 + 16);
    free(cut);
    free(loaded.bytes);
}

static void large_ids_are_started_once_too(void **state)
{
    static const uint32_t ids[] = {1, 0x12345678, 0x12345679};
    uint8_t madt[44 + 4 * 16] = {'A', 'P', 'I', 'C', sizeof(madt)};
    static const uint32_t listed[] = {0x12345678, 0x12345679, 0x12345678, 1};
    struct listing listing;

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t *entry = madt + 44 + 16 * i;

        entry[0] = 9;
        entry[1] = 16;
        memcpy(entry + 4, &listed[i], 4);
        entry[8] = 1;
        entry[12] = (uint8_t)(i + 10);
    }
    list_of(&listing, madt, sizeof(madt), 1);
    assert_started(&listing, ids, 3);
    assert_int_equal(listing.facts.cpus[0].uid, 13);
    assert_int_equal(listing.facts.cpus[1].uid, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_boot_cpu_in_the_middle_comes_first),
        cmocka_unit_test(disabled_entries_are_kept_and_not_started),
        cmocka_unit_test(an_id_of_all_ones_is_nobody),
        cmocka_unit_test(an_id_listed_twice_is_started_once),
        cmocka_unit_test(x2apic_entries_alone_are_enough),
        cmocka_unit_test(without_a_madt_there_is_the_boot_cpu),
        cmocka_unit_test(a_cut_table_gives_what_stands_before_the_cut),
        cmocka_unit_test(large_ids_are_started_once_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
