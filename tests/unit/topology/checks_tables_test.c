/* Checks of MADT, SRAT, SLIT and RSDP on a healthy machine broken in one way. What
 * must be found is said in [rules 7, 8]; messages are those of recorded kernels. */
#include "tests/unit/topology/checks_bench.h"

enum { ENABLED = 1, ONLINE_CAPABLE = 2, BSP = 1 << 8 };

static struct bench b;

static void disabled_entries_are_counted_apart(void **state)
{
    struct acpi_table *madt;

    (void)state;
    bench_init(&b);
    madt = bench_madt(&b);
    bench_lapic(madt, 4, ONLINE_CAPABLE);
    bench_lapic(madt, 5, 0);
    bench_lapic(madt, 0xFF, 0);
    bench_x2apic(madt, UINT32_MAX, 0);
    bench_run(&b);
    assert_string_equal(bench_find(&b, "madt-entries")->text,
                        "MADT processor entries: 4 enabled, 1 can be enabled later, 1 disabled, 2 "
                        "empty.");
    bench_free(&b);
}

/* Flag bit 1 means something from table revision 5 on. */
static void online_capable_means_nothing_in_old_tables(void **state)
{
    struct acpi_table *madt;

    (void)state;
    bench_init(&b);
    madt = bench_madt(&b);
    ((uint8_t *)madt->bytes)[8] = 3;
    bench_lapic(madt, 4, ONLINE_CAPABLE);
    bench_run(&b);
    assert_string_equal(bench_find(&b, "madt-entries")->text,
                        "MADT processor entries: 4 enabled, 0 can be enabled later, 1 disabled, 0 "
                        "empty.");
    bench_free(&b);
}

static void an_entry_beyond_the_end_breaks_the_madt(void **state)
{
    (void)state;
    bench_init(&b);
    bench_put(bench_madt(&b), 0x1000, 2); /* type 0, 16 bytes, of which 2 are there */
    bench_run(&b);
    assert_string_equal(bench_find(&b, "madt-broken")->source, "MADT+0x4c");
    assert_int_equal(bench_find(&b, "madt-broken")->severity, FINDING_ERROR);
    bench_free(&b);
}

static void enabled_broadcast_ids_are_unusable(void **state)
{
    struct acpi_table *madt;

    (void)state;
    bench_init(&b);
    madt = bench_table(&b, "APIC", 5, 44);
    bench_lapic(madt, 0xFF, ENABLED);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_x2apic(madt, cpu, ENABLED);
    bench_expect(&b, "madt-lapic-unusable", "", 0);
}

static struct acpi_table *madt_with_boot_cpu_last(bool has_bsp_bit)
{
    struct acpi_table *madt;

    bench_init(&b);
    b.s.facts.has_handover_apic_base = true;
    b.s.facts.handover_apic_base = has_bsp_bit ? BSP : 0;
    madt = bench_table(&b, "APIC", 5, 44);
    for (uint32_t cpu = 1; cpu < BENCH_CPUS; cpu++)
        bench_lapic(madt, cpu, ENABLED);
    return madt;
}

static void the_boot_cpu_should_be_first(void **state)
{
    (void)state;
    bench_lapic(madt_with_boot_cpu_last(true), 0, ENABLED);
    bench_expect(&b, "madt-boot-cpu-not-first", "", RULES_REWORKED);
}

static void another_first_cpu_without_bsp_bit_is_taken_for_a_crash_kernels(void **state)
{
    (void)state;
    bench_lapic(madt_with_boot_cpu_last(false), 0, ENABLED);
    bench_run(&b);
    assert_non_null(strstr(bench_find(&b, "madt-boot-cpu-not-first")->text, "crash kernel"));
    bench_free(&b);
}

static void a_first_boot_cpu_without_bsp_bit_stays_alone(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.has_handover_apic_base = true;
    bench_madt(&b);
    bench_expect(&b, "madt-boot-cpu-unmarked", "", RULES_REWORKED);
}

static void the_boot_cpu_is_missing(void **state)
{
    (void)state;
    madt_with_boot_cpu_last(true);
    bench_expect(&b, "madt-boot-cpu-missing", "", RULES_4X | RULES_5_10 | RULES_6_1);
}

static void ids_out_of_reach_are_lost(void **state)
{
    struct acpi_table *madt;

    (void)state;
    bench_init(&b);
    madt = bench_madt(&b);
    b.s.facts.is_x2apic_at_handover = false;
    bench_x2apic(madt, 0x100, 0);
    bench_expect_none(&b, "madt-x2apic-above-limit");
    bench_init(&b);
    madt = bench_madt(&b);
    b.s.facts.is_x2apic_at_handover = false;
    bench_x2apic(madt, 0x100, ENABLED);
    bench_expect(&b, "madt-x2apic-above-limit", "", ALL_PROFILES);
}

static void ids_of_32768_are_too_large(void **state)
{
    (void)state;
    bench_init(&b);
    bench_x2apic(bench_madt(&b), 32768, ENABLED);
    bench_expect(&b, "apic-id-too-large", "", ALL_PROFILES);
    bench_init(&b);
    bench_x2apic(bench_madt(&b), 32767, ENABLED);
    bench_expect_none(&b, "apic-id-too-large");
}

static void ids_twice_and_of_both_types(void **state)
{
    (void)state;
    bench_init(&b);
    bench_lapic(bench_madt(&b), 2, ENABLED);
    bench_expect(&b, "madt-duplicate-id", "", 0);
    bench_init(&b);
    bench_x2apic(bench_madt(&b), 2, ENABLED);
    bench_expect(&b, "madt-lapic-and-x2apic", "", 0);
    bench_init(&b);
    bench_x2apic(bench_madt(&b), 2, ENABLED);
    bench_expect_none(&b, "madt-duplicate-id");
}

/* [rules 7.2]: the reworked kernels leave out what should have been type 0. */
static void small_x2apic_ids_beside_lapics_are_left_out(void **state)
{
    (void)state;
    bench_init(&b);
    bench_x2apic(bench_madt(&b), 4, ENABLED);
    bench_expect(&b, "madt-x2apic-left-out", "", RULES_REWORKED);
    bench_init(&b);
    bench_x2apic(bench_madt(&b), 2, ENABLED);
    bench_expect_none(&b, "madt-x2apic-left-out");
}

/* NR_CPUS of an x86 kernel is 8192 at most. */
static void more_cpus_than_any_kernel_has_room_for(void **state)
{
    (void)state;
    for (uint32_t extra = 8188; extra <= 8189; extra++) {
        struct acpi_table *madt;

        bench_init(&b);
        madt = bench_madt(&b);
        for (uint32_t id = 0; id < extra; id++)
            bench_x2apic(madt, 1000 + id, ENABLED);
        if (extra + BENCH_CPUS > 8192)
            bench_expect(&b, "cpu-limit", "", ALL_PROFILES);
        else
            bench_expect_none(&b, "cpu-limit");
    }
}

/* [rules 8, check 19]: 4 CPUs and 2 cores a package are room for 2 packages. */
static void more_packages_than_4_x_has_room_for(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_ids(&b, cpu, 4 * cpu);
    bench_run(&b);
    assert_int_equal(bench_find(&b, "package-limit")->rules, RULES_4X);
    assert_int_equal(bench_find(&b, "package-limit")->severity, FINDING_ERROR);
    bench_free(&b);
}

/* A node boundary inside a core: CPUs 0-2 and 3, as in intel-numa-splitcore. */
static void a_core_on_two_nodes(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 0, 1};
    char *text;

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
    bench_run(&b);
    text = strstr(bench_find(&b, "sibling-other-node")->text, "share one core");
    assert_non_null(text);
    assert_int_equal(bench_find(&b, "sibling-other-node")->severity, FINDING_WARNING);
    assert_int_equal(bench_find(&b, "sibling-other-node")->rules, ALL_PROFILES);
    bench_free(&b);
}

/* Nodes per core: nothing but the LLC is split. 4.x warns, later kernels know it. */
static void sub_numa_clusters_are_nothing_wrong(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 1, 1};

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
    bench_expect_silence(&b);
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
    bench_expect(&b, "llc-split-by-node", "0-3", 0);
}

/* [rules 7.7] The oldest AMD parts have their nodes in PCI space when no table says them. */
static void an_old_amd_without_srat_has_nodes_that_were_not_read(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00100F42); /* family 0x10 */
    bench_madt(&b);
    bench_expect(&b, "northbridge-not-read", "", ALL_PROFILES);
    bench_init_amd(&b, 0x00100F42);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 1, 0, 0x00100F42, cpu << 24 | 4 << 16, 1u << 31, 1 << 9 | 1 << 28);
    bench_madt(&b);
    bench_expect_none(&b, "northbridge-not-read");
    bench_init_amd(&b, 0x00600F12); /* family 0x15 */
    bench_madt(&b);
    bench_expect_none(&b, "northbridge-not-read");
}

/* Two packages, two nodes, and one CPU of the second on the first node: nodes per
 * package is 1. */
static void a_package_on_two_nodes(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 0, 1};

    (void)state;
    bench_init(&b);
    bench_ids(&b, 2, 4);
    bench_ids(&b, 3, 6);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
    bench_expect(&b, "package-split-over-nodes", "2-3", RULES_7_2);
}

static void a_broken_srat_is_dropped(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 0, 0};

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_put(bench_srat(&b, domains, 1), 0x0100, 2); /* type 0, one byte long */
    bench_expect(&b, "srat-dropped", "", ALL_PROFILES);
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 0);
    bench_expect(&b, "srat-dropped", "", ALL_PROFILES);
}

static void ram_without_a_node_drops_the_srat(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 0, 0};
    struct memory_range ram = {.start = 0, .end = (uint64_t)3 << 30, .type = 1};

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 1);
    b.s.facts.memory = &ram;
    b.s.facts.memory_count = 1;
    bench_expect(&b, "srat-uncovered-memory", "", ALL_PROFILES);
}

static void an_srat_id_out_of_reach_is_ignored(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 0, 0};
    struct acpi_table *srat;

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    srat = bench_srat(&b, domains, 1);
    b.s.facts.is_x2apic_at_handover = false;
    bench_put(srat, 24 << 8 | 2, 4);
    bench_put(srat, 0, 4);
    bench_put(srat, 0x100, 4);
    bench_put(srat, 1, 4);
    bench_put(srat, 0, 8);
    bench_expect(&b, "srat-x2apic-above-limit", "", ALL_PROFILES);
}

static void no_srat_is_information(void **state)
{
    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_expect(&b, "numa-none", "", ALL_PROFILES);
}

static void madt_and_srat_list_other_cpus(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 0, 0};

    (void)state;
    bench_init(&b);
    bench_lapic(bench_madt(&b), 8, ENABLED);
    bench_srat(&b, domains, 1);
    bench_expect(&b, "madt-cpu-not-in-srat", "", 0);
    bench_init(&b);
    bench_madt(&b);
    bench_srat_cpu(bench_srat(&b, domains, 1), 9, 0);
    bench_expect(&b, "srat-cpu-not-in-madt", "", 0);
}

/* [rules 9.5]: Granite Rapids X, two packages of three nodes, and distances that
 * are not symmetric inside a package. */
static void a_slit_of_another_form_is_not_evened_out(void **state)
{
    enum { CPUS = 6 };
    static const uint32_t domains[CPUS] = {0, 1, 2, 3, 4, 5};
    uint8_t distances[CPUS * CPUS];

    (void)state;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < CPUS * CPUS; i++)
            distances[i] = i / CPUS == i % CPUS ? 10 : i / CPUS / 3 == i % CPUS / 3 ? 12 : 21;
        distances[1] += (uint8_t)round;
        bench_init_size(&b, CPUS);
        for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
            bench_ids(&b, cpu, cpu / 3 * 8 + cpu % 3 * 2);
            synthetic_row(&b.s, cpu, 1, 0, 0xA06D1, 0, 1 << 21, 1 << 9);
            synthetic_row(&b.s, cpu, 0xB, 1, 3, 6, 0x201, cpu / 3 * 8 + cpu % 3 * 2);
        }
        bench_madt(&b);
        bench_srat(&b, domains, CPUS);
        bench_slit(&b, CPUS, distances);
        if (round)
            bench_expect(&b, "slit-snc-form", "", RULES_7_2);
        else
            bench_expect_none(&b, "slit-snc-form");
    }
}

static void an_rsdp_with_a_wrong_sum_is_not_believed(void **state)
{
    struct acpi_table *rsdp;

    (void)state;
    bench_init(&b);
    rsdp = bench_table(&b, "RSD PTR ", 0, 20);
    bench_put(rsdp, 0, 4);
    bench_expect(&b, "rsdp-checksum", "", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disabled_entries_are_counted_apart),
        cmocka_unit_test(online_capable_means_nothing_in_old_tables),
        cmocka_unit_test(an_entry_beyond_the_end_breaks_the_madt),
        cmocka_unit_test(enabled_broadcast_ids_are_unusable),
        cmocka_unit_test(the_boot_cpu_should_be_first),
        cmocka_unit_test(another_first_cpu_without_bsp_bit_is_taken_for_a_crash_kernels),
        cmocka_unit_test(a_first_boot_cpu_without_bsp_bit_stays_alone),
        cmocka_unit_test(the_boot_cpu_is_missing),
        cmocka_unit_test(ids_out_of_reach_are_lost),
        cmocka_unit_test(ids_of_32768_are_too_large),
        cmocka_unit_test(ids_twice_and_of_both_types),
        cmocka_unit_test(small_x2apic_ids_beside_lapics_are_left_out),
        cmocka_unit_test(more_cpus_than_any_kernel_has_room_for),
        cmocka_unit_test(more_packages_than_4_x_has_room_for),
        cmocka_unit_test(a_core_on_two_nodes),
        cmocka_unit_test(sub_numa_clusters_are_nothing_wrong),
        cmocka_unit_test(an_old_amd_without_srat_has_nodes_that_were_not_read),
        cmocka_unit_test(a_package_on_two_nodes),
        cmocka_unit_test(a_broken_srat_is_dropped),
        cmocka_unit_test(ram_without_a_node_drops_the_srat),
        cmocka_unit_test(an_srat_id_out_of_reach_is_ignored),
        cmocka_unit_test(no_srat_is_information),
        cmocka_unit_test(madt_and_srat_list_other_cpus),
        cmocka_unit_test(a_slit_of_another_form_is_not_evened_out),
        cmocka_unit_test(an_rsdp_with_a_wrong_sum_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
