/* Which MADT entries count and what numbers they get, kernel by kernel. */
#include "kernel/topology/numbering.h"

#include <stdlib.h>

#include "tests/unit/topology/tables.h"

enum { ARENA_BYTES = 1 << 20, ENABLED = 1, CAPABLE = 2 };

static uint8_t memory[ARENA_BYTES];
static struct arena arena;
static struct tables tables;
static struct acpi_table *madt;
static struct machine_facts facts;
static struct topology_notes notes;

static int start(void **state)
{
    (void)state;
    memset(&tables, 0, sizeof tables);
    facts = (struct machine_facts){.tables = tables.list, .is_x2apic_at_handover = true};
    madt = tables_madt(&tables);
    return 0;
}

static struct numbering number(const char *profile)
{
    struct numbering numbering;
    struct leaves leaves;
    char name[32] = "linux-";

    strcat(name, profile);
    facts.table_count = tables.count;
    arena_init(&arena, memory, sizeof memory);
    assert_true(notes_init(&notes, NOTES_CAPACITY, &arena));
    assert_true(leaves_decode(&facts, &arena, &leaves));
    assert_non_null(rules_find(name));
    assert_true(numbering_build(&leaves, rules_find(name), &arena, &notes, &numbering));
    return numbering;
}

static uint32_t present_count(const struct numbering *numbering)
{
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < numbering->nr_cpu_ids; cpu++)
        count += numbering->is_present[cpu];
    return count;
}

static void check_ids(const char *profile, const uint32_t *ids, uint32_t count)
{
    struct numbering numbering = number(profile);

    for (uint32_t cpu = 0; cpu < count; cpu++)
        assert_int_equal(numbering.apic_id[cpu], ids[cpu]);
}

static void disabled_entries_make_holes_in_4_x_only(void **state)
{
    static const uint32_t with_hole[] = {0, 2, 4}, without[] = {0, 4};

    (void)state;
    tables_lapic(madt, 0, ENABLED);
    tables_lapic(madt, 2, 0);
    tables_lapic(madt, 4, ENABLED);
    check_ids("4.10", with_hole, 3);
    assert_false(number("4.10").is_present[1]);
    check_ids("5.10", without, 2);
    assert_int_equal(number("4.10").nr_cpu_ids, 3);
    assert_int_equal(number("5.10").nr_cpu_ids, 3);
    assert_int_equal(number("6.1").nr_cpu_ids, 3);
    assert_int_equal(number("6.12").nr_cpu_ids, 2);
}

static void an_online_capable_entry_counts_from_acpi_6_3_on(void **state)
{
    struct acpi_table *fadt = tables_new(&tables, "FACP", 244, 6);

    (void)state;
    ((uint8_t *)(uintptr_t)fadt->bytes)[131] = 3;
    tables_lapic(madt, 0, ENABLED);
    tables_lapic(madt, 1, CAPABLE);
    tables_lapic(madt, 2, 0);
    assert_int_equal(number("5.10").nr_cpu_ids, 3);
    assert_int_equal(number("6.1").nr_cpu_ids, 2);
    assert_int_equal(number("6.12").nr_cpu_ids, 2);
    assert_int_equal(number("6.12").apic_id[1], 1);
    ((uint8_t *)(uintptr_t)fadt->bytes)[131] = 2;
    assert_int_equal(number("6.1").nr_cpu_ids, 3);
    assert_int_equal(number("6.12").nr_cpu_ids, 1);
}

static void the_boot_cpu_is_zero_wherever_it_stands(void **state)
{
    static const uint32_t ids[] = {0x20, 0, 2, 0x21};

    (void)state;
    facts.has_boot_apic_id = true;
    facts.boot_apic_id = 0x20;
    tables_lapic(madt, 0, ENABLED);
    tables_lapic(madt, 2, ENABLED);
    tables_lapic(madt, 0x20, ENABLED);
    tables_lapic(madt, 0x21, ENABLED);
    check_ids("4.10", ids, 4);
    check_ids("6.1", ids, 4);
    check_ids("6.12", ids, 4);
    assert_non_null(notes_first(&notes, NOTE_MADT_BSP_NOT_FIRST));
}

static void a_boot_cpu_without_the_bsp_bit_is_a_crash_kernel_s(void **state)
{
    (void)state;
    facts.has_boot_apic_id = facts.has_handover_apic_base = true;
    facts.boot_apic_id = 4;
    tables_lapic(madt, 0, ENABLED);
    tables_lapic(madt, 4, ENABLED);
    tables_lapic(madt, 5, ENABLED);
    assert_int_equal(number("6.12").nr_cpu_ids, 2);
    assert_int_equal(notes_first(&notes, NOTE_MADT_FIRST_REJECTED)->a, 0);
    facts.boot_apic_id = 0;
    assert_int_equal(number("6.12").nr_cpu_ids, 1);
    assert_non_null(notes_first(&notes, NOTE_MADT_BSP_UNMARKED));
}

static void an_id_listed_twice_is_counted_twice_up_to_6_1(void **state)
{
    (void)state;
    tables_lapic(madt, 0, ENABLED);
    tables_lapic(madt, 1, ENABLED);
    tables_x2apic(madt, 0, ENABLED);
    tables_x2apic(madt, 1, ENABLED);
    tables_x2apic(madt, 0x100, ENABLED);
    assert_int_equal(number("6.1").nr_cpu_ids, 5);
    assert_int_equal(notes.kind_count[NOTE_MADT_DUPLICATE], 2);
    assert_int_equal(notes_first(&notes, NOTE_MADT_DUPLICATE)->offset, 44 + 16);
    assert_int_equal(number("6.12").nr_cpu_ids, 3);
    assert_int_equal(number("6.12").apic_id[2], 0x100);
    assert_int_equal(notes.kind_count[NOTE_MADT_X2APIC_BELOW_255], 2);
}

static void only_valid_lapic_entries_shut_x2apic_entries_out(void **state)
{
    struct numbering numbering;

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        tables_lapic(madt, 0xFF, ENABLED);
    for (unsigned i = 0; i < 8; i++)
        tables_x2apic(madt, i, ENABLED);
    numbering = number("6.12");
    assert_int_equal(numbering.nr_cpu_ids, 8);
    assert_int_equal(present_count(&numbering), 8);
}

static void ids_above_254_need_x2apic_at_hand_over(void **state)
{
    (void)state;
    tables_lapic(madt, 0, ENABLED);
    tables_x2apic(madt, 0x100, ENABLED);
    tables_x2apic(madt, 0x101, 0);
    assert_int_equal(number("6.1").nr_cpu_ids, 3);
    facts.is_x2apic_at_handover = false;
    facts.has_handover_apic_base = true;
    facts.handover_apic_base = 0x100;
    assert_int_equal(number("6.1").nr_cpu_ids, 1);
    assert_int_equal(notes_first(&notes, NOTE_MADT_ABOVE_LIMIT)->a, 0x100);
    /* linux-4.x keeps a disabled one. */
    assert_int_equal(number("4.10").nr_cpu_ids, 2);
}

static void empty_slots_take_a_number_in_4_x(void **state)
{
    (void)state;
    tables_x2apic(madt, 0, ENABLED);
    tables_x2apic(madt, UINT32_MAX, 0);
    tables_x2apic(madt, 2, ENABLED);
    assert_int_equal(number("4.10").apic_id[2], 2);
    assert_int_equal(number("6.1").apic_id[1], 2);
}

static void a_boot_cpu_that_is_not_listed_keeps_its_slot(void **state)
{
    (void)state;
    facts.has_boot_apic_id = true;
    facts.boot_apic_id = 9;
    tables_lapic(madt, 1, ENABLED);
    assert_int_equal(number("6.12").nr_cpu_ids, 2);
    assert_int_equal(number("6.12").apic_id[0], 9);
    assert_non_null(notes_first(&notes, NOTE_MADT_BOOT_NOT_LISTED));
    assert_int_equal(number("6.1").apic_id[0], 9);
}

static void a_broken_entry_ends_the_walk(void **state)
{
    static const uint8_t no_length[] = {0, 0, 1, 1, 1, 0, 0, 0};

    (void)state;
    tables_lapic(madt, 0, ENABLED);
    tables_put(madt, no_length, sizeof no_length);
    tables_lapic(madt, 2, ENABLED);
    assert_int_equal(number("6.12").nr_cpu_ids, 1);
    assert_int_equal(notes_first(&notes, NOTE_MADT_BROKEN)->offset, 52);
    madt->length_bytes = 47;
    assert_int_equal(number("6.12").nr_cpu_ids, 1);
    assert_int_equal(notes_first(&notes, NOTE_MADT_BROKEN)->offset, 44);
}

static void ids_for_later_follow_by_apic_id_in_6_12(void **state)
{
    static const uint32_t ids[] = {0, 1, 5, 7};
    struct acpi_table *fadt = tables_new(&tables, "FACP", 244, 7);

    (void)state;
    assert_non_null(fadt);
    tables_lapic(madt, 0, ENABLED);
    tables_lapic(madt, 7, CAPABLE);
    tables_lapic(madt, 5, CAPABLE);
    tables_lapic(madt, 1, ENABLED);
    check_ids("6.12", ids, 4);
    assert_int_equal(number("6.12").nr_cpu_ids, 4);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(disabled_entries_make_holes_in_4_x_only, start),
        cmocka_unit_test_setup(an_online_capable_entry_counts_from_acpi_6_3_on, start),
        cmocka_unit_test_setup(the_boot_cpu_is_zero_wherever_it_stands, start),
        cmocka_unit_test_setup(a_boot_cpu_without_the_bsp_bit_is_a_crash_kernel_s, start),
        cmocka_unit_test_setup(an_id_listed_twice_is_counted_twice_up_to_6_1, start),
        cmocka_unit_test_setup(only_valid_lapic_entries_shut_x2apic_entries_out, start),
        cmocka_unit_test_setup(ids_above_254_need_x2apic_at_hand_over, start),
        cmocka_unit_test_setup(empty_slots_take_a_number_in_4_x, start),
        cmocka_unit_test_setup(a_boot_cpu_that_is_not_listed_keeps_its_slot, start),
        cmocka_unit_test_setup(a_broken_entry_ends_the_walk, start),
        cmocka_unit_test_setup(ids_for_later_follow_by_apic_id_in_6_12, start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
