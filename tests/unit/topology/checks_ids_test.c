/* Checks of APIC ids, topology leaves and masks, each on a healthy machine broken
 * in one way. What must be found is said in [rules 8]. */
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

static void healthy_machines_are_silent(void **state)
{
    const uint32_t nodes[BENCH_CPUS] = {0, 0, 0, 0};
    const uint8_t distances[1] = {10};

    (void)state;
    bench_init(&b);
    bench_expect_silence(&b);
    bench_init_amd(&b, 0x00800F11);
    bench_expect_silence(&b);
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, nodes, 1);
    bench_slit(&b, 1, distances);
    bench_expect_silence(&b);
}

static void madt_and_cpu_disagree_about_an_id(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[2].madt_apic_id = 6;
    bench_madt(&b);
    bench_expect(&b, "apic-id-madt-differs", "2", ALL_PROFILES);
}

/* Up to 6.1 the boot CPU is not asked; later its id is the register's anyway. */
static void the_boot_cpu_is_not_compared_with_the_madt(void **state)
{
    (void)state;
    bench_init(&b);
    bench_madt(&b);
    synthetic_row(&b.s, 0, 0xB, 0, 1, 2, 0x100, 9);
    synthetic_row(&b.s, 0, 0xB, 1, 2, 4, 0x201, 9);
    bench_expect_none(&b, "apic-id-madt-differs");
}

static void cpuid_and_apic_disagree_about_an_id(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[3].apic_id = b.s.facts.cpus[3].madt_apic_id = 7;
    bench_expect(&b, "apic-id-cpuid-differs", "3", RULES_REWORKED);
    bench_init(&b);
    b.s.facts.cpus[3].apic_id = b.s.facts.cpus[3].madt_apic_id = 7;
    bench_expect(&b, "apic-id-sources-differ", "3", 0);
}

static void two_cpus_report_one_id(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[3].apic_id = 1;
    bench_expect(&b, "apic-id-twice", "1,3", 0);
}

static void an_apic_version_of_zero_is_told(void **state)
{
    (void)state;
    bench_init(&b);
    bench_msr_all(&b, 0x803, 0x50014);
    bench_expect_none(&b, "apic-version-differs");
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0x803, cpu == 1 ? 0 : 0x50014);
    bench_expect(&b, "apic-version-differs", "1", 0);
}

static void a_boot_cpu_without_apic_is_an_error(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 0, 1, 0, 0x50654, 4 << 16, 1 << 21, 1 << 28);
    bench_expect(&b, "apic-missing", "0", ALL_PROFILES);
}

static void a_shift_that_is_not_the_boot_cpus(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 2, 0xB, 1, 3, 4, 0x201, 2);
    bench_expect(&b, "cpuid-shift-differs", "2", RULES_REWORKED);
}

static void edx_of_a_sub_leaf_is_another_id(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 3, 0xB, 1, 2, 4, 0x201, 0);
    bench_expect(&b, "cpuid-edx-differs", "3", RULES_REWORKED);
}

static void shift_zero_with_two_threads(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0xB, 0, 0, 2, 0x100, cpu);
    bench_expect(&b, "cpuid-smt-shift-zero", "0-3", RULES_REWORKED);
}

static void a_level_type_nobody_knows(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0xB, 2, 2, 4, 0x702, cpu);
    bench_expect(&b, "cpuid-level-unknown", "0-3", RULES_REWORKED);
}

/* Without leaf 0xB: leaf 1 counts two processors, leaf 4 eight cores. */
static void leaf_1_counts_less_than_leaf_4(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_vendor(&b.s, cpu, "GenuineIntel", 4);
        synthetic_row(&b.s, cpu, 1, 0, 0x50654, cpu << 24 | 2 << 16, 1 << 21, 1 << 9 | 1 << 28);
        synthetic_row(&b.s, cpu, 4, 0, 0x1C004121, 0x01C0003F, 0x3F, 0);
    }
    bench_expect(&b, "cpuid-leaf1-leaf4-disagree", "0-3", RULES_REWORKED);
}

static void leaf_1_counts_nobody(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_vendor(&b.s, cpu, "GenuineIntel", 4);
        synthetic_row(&b.s, cpu, 1, 0, 0x50654, cpu << 24, 1 << 21, 1 << 9 | 1 << 28);
    }
    bench_run(&b);
    assert_non_null(bench_find(&b, "cpuid-undefined-arithmetic"));
    bench_free(&b);
}

/* Piledriver APU (family 0x15 model 0x10) with TOPOEXT cleared by firmware. */
static void topology_extensions_are_off(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00610F01);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0x80000001, 0, 0, 0, 1 << 1, 0);
    bench_expect(&b, "topoext-off", "0-3", ALL_PROFILES);
}

static void leaves_b_and_1f_end_the_package_elsewhere(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_vendor(&b.s, cpu, "GenuineIntel", 0x1F);
        synthetic_row(&b.s, cpu, 0x1F, 0, 1, 2, 0x100, cpu);
        synthetic_row(&b.s, cpu, 0x1F, 1, 3, 4, 0x201, cpu);
    }
    bench_expect(&b, "cpuid-package-shift-differs", "0-3", 0);
}

/* Two compute units, Bulldozer: [rules 11.1]. */
static void threads_of_a_compute_unit_stand_alone(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00600F12);
    bench_run(&b);
    const struct finding *finding = bench_find(&b, "compute-unit-without-siblings");
    assert_non_null(finding);
    assert_int_equal(finding->severity, FINDING_INFO);
    assert_int_equal(finding->rules, RULES_REWORKED);
    assert_int_equal(cpumask_count(&finding->cpus), BENCH_CPUS);
    bench_free(&b);
    bench_init_amd(&b, 0x00800F11);
    bench_expect_none(&b, "compute-unit-without-siblings");
}

static void amd_threads_without_topoext_are_cores(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00800F11);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_row(&b.s, cpu, 0x80000001, 0, 0, 0, 1 << 1, 0);
        synthetic_row(&b.s, cpu, 0xB, 0, 1, 2, 0x100, cpu);
        synthetic_row(&b.s, cpu, 0xB, 1, 2, 4, 0x201, cpu);
    }
    bench_expect(&b, "threads-made-cores", "0-3", RULES_5_10 | RULES_6_1);
}

/* SMT off in setup: ids 0, 2, 4, 6. Leaf 0xB still counts two threads, which 4.x
 * believes: check 31. */
static void smt_is_off_but_counted(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_ids(&b, cpu, 2 * cpu);
    bench_expect(&b, "smt-without-siblings", "", RULES_4X);
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_ids(&b, cpu, 2 * cpu);
    bench_expect(&b, "smt-off", "", 0);
}

static void threads_do_not_share_their_l2(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 4, 1, 0x04000143, 0x03C0003F, 0x3FF, 0);
    bench_expect(&b, "level-not-nested", "0-3", RULES_6_1 | RULES_REWORKED);
}

/* Family 0x15 on two nodes by count, but all CPUs on one: core numbers repeat, so
 * that CPU 0 is a thread of CPU 1 (same unit) and of CPU 2 (same core), which are
 * none of each other. The recorded case is amd-tx-g5-no0xb-2s2d2c2t. */
static void overlapping_masks_fail_the_span_check(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00600F20);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0x8000001E, 0, cpu, 0x100 | cpu / 2, 1 << 8, 0);
    bench_expect(&b, "span-check-fails", "0-1", RULES_5_10 | RULES_6_1 | RULES_REWORKED);
}

static void packages_out_of_order_are_information(void **state)
{
    (void)state;
    bench_init(&b);
    bench_ids(&b, 2, 12);
    bench_ids(&b, 3, 13);
    bench_expect(&b, "package-renumbered", "", RULES_4X | RULES_5_10 | RULES_6_1);
}

static void l3_caches_of_two_sizes_are_information(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 3, 4, 2, 0x0400C163, 0x03C0003F, 0x3FFF, 0);
    bench_expect(&b, "l3-sizes-differ", "3", 0);
}

static void more_cpus_than_share_the_l3(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00800F11);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0x8000001D, 2, 0x4163, 0x03C0003F, 0x1FFF, 0);
    bench_expect(&b, "llc-wider-than-sharing", "0-3", RULES_7_2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_machines_are_silent),
        cmocka_unit_test(madt_and_cpu_disagree_about_an_id),
        cmocka_unit_test(the_boot_cpu_is_not_compared_with_the_madt),
        cmocka_unit_test(cpuid_and_apic_disagree_about_an_id),
        cmocka_unit_test(two_cpus_report_one_id),
        cmocka_unit_test(an_apic_version_of_zero_is_told),
        cmocka_unit_test(a_boot_cpu_without_apic_is_an_error),
        cmocka_unit_test(a_shift_that_is_not_the_boot_cpus),
        cmocka_unit_test(edx_of_a_sub_leaf_is_another_id),
        cmocka_unit_test(shift_zero_with_two_threads),
        cmocka_unit_test(a_level_type_nobody_knows),
        cmocka_unit_test(leaf_1_counts_less_than_leaf_4),
        cmocka_unit_test(leaf_1_counts_nobody),
        cmocka_unit_test(topology_extensions_are_off),
        cmocka_unit_test(leaves_b_and_1f_end_the_package_elsewhere),
        cmocka_unit_test(threads_of_a_compute_unit_stand_alone),
        cmocka_unit_test(amd_threads_without_topoext_are_cores),
        cmocka_unit_test(smt_is_off_but_counted),
        cmocka_unit_test(threads_do_not_share_their_l2),
        cmocka_unit_test(overlapping_masks_fail_the_span_check),
        cmocka_unit_test(packages_out_of_order_are_information),
        cmocka_unit_test(l3_caches_of_two_sizes_are_information),
        cmocka_unit_test(more_cpus_than_share_the_l3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
