/* Tests kernel/facts/machine_facts.c and apic_ids.c. */
#include "kernel/facts/machine_facts.h"

#include <string.h>

#include "tests/unit/unit_test.h"

/* Leaf B of a two-thread core, with the end line of corpus/FORMAT.md. */
static struct cpuid_row rows[] = {
    {0x0, 0, 0x16, 1, 2, 3},
    {0x1, 0, 0x50654, 0x05100800, 0, 0},
    {0x4, 0, 0x121, 7, 7, 7},
    {0xB, 0, 1, 2, 0x100, 0x45},
    {0xB, 1, 4, 8, 0x201, 0x45},
    {0x80000000, 0, 0x80000008, 0, 0, 0},
};
static struct cpuid_end ends[] = {{0xB, 2}, {0x4, 1}, {0x1F, 0}, {0x80000026, 1}};
static struct msr_row msrs[] = {{0x1B, false, 0xFEE00D00}, {0x8B, true, 0}};
static struct cpu_facts cpu = {.rows = rows, .row_count = 6, .ends = ends, .end_count = 4,
                               .msrs = msrs, .msr_count = 2};
static const struct machine_facts facts = {.cpus = &cpu, .cpu_count = 1};
static struct cpuid_regs regs;

static void a_recorded_row_is_given_as_it_is(void **state)
{
    (void)state;
    assert_int_equal(facts_cpuid(&facts, &cpu, 0xB, 1, &regs), CPUID_RECORDED);
    assert_int_equal(regs.eax, 4);
    assert_int_equal(regs.edx, 0x45);
}

static void missing_is_not_zero(void **state)
{
    struct machine_facts zero = facts;
    (void)state;

    assert_int_equal(facts_cpuid(&facts, &cpu, 0x7, 0, &regs), CPUID_ABSENT);
    assert_int_equal(facts_cpuid(&facts, &cpu, 0x1, 1, &regs), CPUID_ABSENT);
    zero.missing_rows_are_zero = true;
    assert_int_equal(facts_cpuid(&zero, &cpu, 0x7, 0, &regs), CPUID_RECORDED);
    assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
}

static void beyond_the_end_of_a_topology_leaf_ecx_and_edx_speak(void **state)
{
    (void)state;
    assert_int_equal(facts_cpuid(&facts, &cpu, 0xB, 5, &regs), CPUID_BEYOND_END);
    assert_int_equal(regs.eax, 0);
    assert_int_equal(regs.ebx, 0);
    assert_int_equal(regs.ecx, 5);
    assert_int_equal(regs.edx, 0x45);
}

static void beyond_the_end_of_a_cache_leaf_all_is_zero(void **state)
{
    (void)state;
    assert_int_equal(facts_cpuid(&facts, &cpu, 0x4, 1, &regs), CPUID_BEYOND_END);
    assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
}

static void a_leaf_that_ends_at_zero_is_invalid_as_a_whole(void **state)
{
    (void)state;
    assert_int_equal(facts_cpuid(&facts, &cpu, 0x1F, 3, &regs), CPUID_BEYOND_END);
    assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
}

static void an_end_without_sub_leaf_zero_does_not_invent_an_id(void **state)
{
    (void)state;
    assert_int_equal(facts_cpuid(&facts, &cpu, 0x80000026, 2, &regs), CPUID_ABSENT);
}

static void rows_in_any_order_are_found(void **state)
{
    struct cpuid_row shuffled[] = {{7, 0, 1, 0, 0, 0}, {1, 0, 2, 0, 0, 0}, {4, 1, 3, 0, 0, 0},
                                   {4, 0, 4, 0, 0, 0}, {0, 0, 5, 0, 0, 0}};
    struct cpu_facts mixed = {.rows = shuffled, .row_count = 5};
    (void)state;

    facts_note_order(&mixed);
    assert_false(mixed.rows_are_sorted);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(facts_cpuid(&facts, &mixed, shuffled[i].leaf, shuffled[i].subleaf, &regs),
                         CPUID_RECORDED);
        assert_int_equal(regs.eax, i + 1);
    }
    facts_note_order(&cpu);
    assert_true(cpu.rows_are_sorted);
}

static void the_extended_maximum_counts_only_with_8000_above(void **state)
{
    struct cpuid_row odd[] = {{0x0, 0, 0xD, 0, 0, 0}, {0x80000000, 0, 0x00000D01, 0, 0, 0}};
    struct cpu_facts old = {.rows = odd, .row_count = 2};
    (void)state;

    assert_int_equal(facts_max_basic_leaf(&facts, &cpu), 0x16);
    assert_int_equal(facts_max_extended_leaf(&facts, &cpu), 0x80000008);
    assert_int_equal(facts_max_extended_leaf(&facts, &old), 0);
}

static void a_faulting_msr_is_there_and_a_missing_one_is_not(void **state)
{
    (void)state;
    assert_true(facts_msr(&cpu, 0x1B)->value == 0xFEE00D00);
    assert_true(facts_msr(&cpu, 0x8B)->has_faulted);
    assert_null(facts_msr(&cpu, 0x10));
}

static void numbers_with_holes_are_found(void **state)
{
    struct cpu_facts cpus[3] = {{0}};
    uint32_t number[] = {0, 4, 9};
    struct machine_facts holes = {.cpus = cpus, .cpu_count = 3, .number = number};
    (void)state;

    assert_int_equal(facts_cpu_index(&holes, 4), 1);
    assert_int_equal(facts_cpu_index(&holes, 9), 2);
    assert_int_equal(facts_cpu_index(&holes, 5), FACTS_NO_CPU);
    assert_int_equal(facts_cpu_index(&holes, 10), FACTS_NO_CPU);
}

static void a_stated_node_leaves_the_others_unknown(void **state)
{
    static _Alignas(8) uint8_t memory[4096];
    struct cpu_facts cpus[3] = {{0}};
    struct machine_facts three = {.cpus = cpus, .cpu_count = 3};
    struct arena arena;
    (void)state;

    arena_init(&arena, memory, sizeof(memory));
    assert_true(facts_set_node(&three, 1, 7, &arena));
    assert_int_equal(three.stated_nodes[0], -1);
    assert_int_equal(three.stated_nodes[1], 7);
    assert_int_equal(three.stated_nodes[2], -1);
}

/* Bochs gives every CPU the boot CPU's leaf 0x8000001E: leaf 1 tells them apart. */
static void an_id_that_two_cpus_share_is_not_theirs(void **state)
{
    static _Alignas(8) uint8_t memory[4096];
    struct cpuid_row first[] = {{0, 0, 1, 0, 0, 0}, {1, 0, 0, 0x02000000, 0, 0},
                                {0x80000000, 0, 0x8000001E, 0, 0, 0},
                                {0x80000001, 0, 0, 0, 1u << 22, 0}, {0x8000001E, 0, 0, 0, 0, 0}};
    struct cpuid_row second[5];
    struct cpu_facts cpus[2] = {{.rows = first, .row_count = 5}, {.rows = second, .row_count = 5}};
    struct machine_facts two = {.cpus = cpus, .cpu_count = 2};
    struct arena arena;
    (void)state;

    memcpy(second, first, sizeof(first));
    second[1].ebx = 0x03000000;
    arena_init(&arena, memory, sizeof(memory));
    facts_fill_apic_ids(&two, &arena);
    assert_int_equal(cpus[0].apic_id, 2);
    assert_int_equal(cpus[1].apic_id, 3);
    /* Once the extended ids differ, they are the ones: firmware may renumber. */
    first[4].eax = 0x20;
    second[4].eax = 0x21;
    facts_fill_apic_ids(&two, &arena);
    assert_int_equal(cpus[0].apic_id, 0x20);
    assert_int_equal(cpus[1].madt_apic_id, 0x21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_row_is_given_as_it_is),
        cmocka_unit_test(missing_is_not_zero),
        cmocka_unit_test(beyond_the_end_of_a_topology_leaf_ecx_and_edx_speak),
        cmocka_unit_test(beyond_the_end_of_a_cache_leaf_all_is_zero),
        cmocka_unit_test(a_leaf_that_ends_at_zero_is_invalid_as_a_whole),
        cmocka_unit_test(an_end_without_sub_leaf_zero_does_not_invent_an_id),
        cmocka_unit_test(rows_in_any_order_are_found),
        cmocka_unit_test(the_extended_maximum_counts_only_with_8000_above),
        cmocka_unit_test(a_faulting_msr_is_there_and_a_missing_one_is_not),
        cmocka_unit_test(numbers_with_holes_are_found),
        cmocka_unit_test(a_stated_node_leaves_the_others_unknown),
        cmocka_unit_test(an_id_that_two_cpus_share_is_not_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
