/* Profiles by name and by kernel, and the ids that contradict themselves. */
#include "kernel/topology/rules.h"

#include "tests/unit/topology/conclusions.h"
#include "tests/unit/topology/synthetic.h"

static void a_kernel_is_most_like_the_last_profile_before_it(void **state)
{
    static const struct { const char *release, *profile; } pairs[] = {
        {"4.4.0-21-generic", "linux-4.9"}, {"4.15.0", "linux-4.10"}, {"5.2.9", "linux-4.10"},
        {"5.3.0-28-generic", "linux-5.10"}, {"5.15.1", "linux-5.10"}, {"5.18.0-rc4", "linux-6.1"},
        {"6.1.0-13-amd64", "linux-6.1"}, {"6.2", "linux-6.1"}, {"6.8", "linux-6.1"},
        {"6.9.1", "linux-6.12"}, {"6.12", "linux-6.12"}, {"6.16", "linux-7.2"},
        {"7.2.13", "linux-7.2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_string_equal(rules_name(rules_for_kernel(pairs[i].release)), pairs[i].profile);
    assert_null(rules_for_kernel("unknown"));
    assert_null(rules_for_kernel("6"));
    assert_null(rules_find("linux-9.9"));
    assert_int_equal(rules_bit(rules_find("linux-4.9-rfc1")), 1);
    assert_int_equal(rules_bit(rules_find("linux-7.2")), 64);
}

/* Linux-6.1 recorded core id 0 on every CPU of such a machine: leaf 1 counts three
 * threads a package, leaf 4 four cores. */
static void fewer_threads_than_cores_leave_core_id_zero(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 3);
    for (uint32_t cpu = 0; cpu < 3; cpu++) {
        synthetic_id(&s, cpu, cpu);
        synthetic_vendor(&s, cpu, "GenuineIntel", 4);
        synthetic_row(&s, cpu, 1, 0, 0x000106A3, cpu << 24 | 3 << 16, 0, 1 << 28);
        synthetic_row(&s, cpu, 4, 0, 0x0C000121, 0x01C0003F, 0x3F, 1);
    }
    conclusions_of(&c, &s.facts);
    expect_in(&c, "5.10 6.1", 2, "core_id", "0");
    expect_in(&c, "6.12 7.2", 2, "core_id", "2");
    const struct topology_note *note = notes_first(&conclusions_at(&c, "6.1")->notes,
                                                   NOTE_HT_QUOTIENT_ZERO);
    assert_non_null(note);
    assert_int_equal(note->a, 3);
    assert_int_equal(note->b, 4);
    conclusions_free(&c);
    synthetic_free(&s);
}

/* The first 4 of 8 CPUs of a Zen 2 have TOPOEXT. When CPU 4 is identified the kernels
 * still find it (they take what all CPUs *so far* have), and read leaves 0x8000001D and
 * 0x8000001E of CPU 4; CPU 5 has the ids that leaf 0x80000008 gives. [rules 1, 2.4] */
static void the_first_cpu_without_topoext_is_read_as_if_it_had_it(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 8);
    for (uint32_t cpu = 0; cpu < 8; cpu++) {
        synthetic_id(&s, cpu, cpu);
        synthetic_vendor(&s, cpu, "AuthenticAMD", 7);
        synthetic_row(&s, cpu, 1, 0, 0x00870F10, cpu << 24 | 8 << 16, 0, 1 << 28);
        synthetic_row(&s, cpu, 0x80000000, 0, 0x8000001F, 0, 0, 0);
        synthetic_row(&s, cpu, 0x80000001, 0, 0, 0, (cpu < 4 ? 1 << 22 : 0) | 2, 0);
        synthetic_row(&s, cpu, 0x80000006, 0, 0, 0, 0, 0x00809140);
        synthetic_row(&s, cpu, 0x80000008, 0, 0, 0, 3 << 12 | 7, 0);
        synthetic_row(&s, cpu, 0x8000001D, 0, 0x0000C163, 0x03C0003F, 0x1FFF, 0);
        synthetic_row(&s, cpu, 0x8000001E, 0, cpu, 0x100 | cpu / 2, 0, 0);
    }
    conclusions_of(&c, &s.facts);
    expect_in(&c, "4.10 5.10 6.1", 3, "core_id", "1");
    expect_in(&c, "4.10 5.10 6.1", 4, "core_id", "2");
    expect_in(&c, "4.10 5.10 6.1", 5, "core_id", "5");
    /* LLC ids: APIC id >> 2 from leaf 0x8000001D up to CPU 4, the package after it. */
    expect_in(&c, "5.10 6.1", 0, "llc", "0-3,5-7");
    expect_in(&c, "5.10 6.1", 4, "llc", "4");
    conclusions_free(&c);
    synthetic_free(&s);
}

/* Kernels up to 6.1 count leaf 4 on the boot CPU and pass a row of type 0 over: the L2
 * behind it counts. Newer ones count on the CPU itself, and stop. [rules 2.8, 3.7] */
static void an_l2_behind_an_empty_cache_row_counts_up_to_6_1(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 4);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        synthetic_id(&s, cpu, cpu);
        synthetic_vendor(&s, cpu, "GenuineIntel", 0xB);
        synthetic_row(&s, cpu, 1, 0, 0x00050654, cpu << 24 | 4 << 16, 0, 1 << 28);
        synthetic_row(&s, cpu, 4, 0, 0x0C000121, 0x01C0003F, 0x3F, 0);
        synthetic_row(&s, cpu, 4, 1, cpu == 3 ? 0 : 0x0C000122, 0x01C0003F, 0x3F, 0);
        synthetic_row(&s, cpu, 4, 2, 0x0C004143, 0x01C0003F, 0x3FF, 0);
        synthetic_row(&s, cpu, 0xB, 0, 0, 1, 0x100, cpu);
        synthetic_row(&s, cpu, 0xB, 1, 2, 4, 0x201, cpu);
    }
    conclusions_of(&c, &s.facts);
    expect_in(&c, "6.1", 3, "cluster_id", "2");
    expect_in(&c, "6.1", 3, "cluster_cpus_list", "2-3");
    expect_in(&c, "4.10 5.10 6.1", 3, "llc", "2-3");
    expect_in(&c, "6.12 7.2", 3, "cluster_id", "65535");
    expect_in(&c, "6.12 7.2", 3, "llc", "0-1,3"); /* LLCID = PKG = 0, the others' L2 */
    conclusions_free(&c);
    synthetic_free(&s);
}

/* A hypervisor that gives all CPUs one id in leaf 0xB: kernels up to 6.1 compare ids and
 * ranges only, so even a cache of one thread is shared by all. The rework reads the APIC.
 * [rules 2.2, 6.3] */
static void private_caches_of_cpus_with_one_id_are_shared(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 3);
    for (uint32_t cpu = 0; cpu < 3; cpu++) {
        synthetic_id(&s, cpu, cpu);
        synthetic_vendor(&s, cpu, "AuthenticAMD", 0xD);
        synthetic_row(&s, cpu, 1, 0, 0x00870F10, cpu << 24 | 4 << 16, 0, 1 << 28);
        synthetic_row(&s, cpu, 0xB, 0, 0, 1, 0x100, 0);
        synthetic_row(&s, cpu, 0xB, 1, 2, 4, 0x201, 0);
        synthetic_row(&s, cpu, 0x80000000, 0, 0x8000001F, 0, 0, 0);
        synthetic_row(&s, cpu, 0x80000001, 0, 0, 0, 1 << 22 | 2, 0);
        synthetic_row(&s, cpu, 0x80000008, 0, 0, 0, 2 << 12 | 3, 0);
        synthetic_row(&s, cpu, 0x8000001D, 0, 0x00000121, 0x01C0003F, 0x3F, 0);
        synthetic_row(&s, cpu, 0x8000001E, 0, cpu, cpu, 0, 0);
    }
    conclusions_of(&c, &s.facts);
    static const struct { const char *profile; uint32_t sharers; } expected[] = {
        {"4.10", 1}, {"5.10", 3}, {"6.1", 3}, {"6.12", 1}, {"7.2", 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct topology *topology = conclusions_at(&c, expected[i].profile);

        assert_int_equal(topology->cpus[1].cache_count, 1);
        assert_int_equal(cpumask_count(&topology->masks[topology->cpus[1].caches[0].shared_mask]),
                         expected[i].sharers);
    }
    conclusions_free(&c);
    synthetic_free(&s);
}

/* A leaf that never ends must not end the run. */
static void a_leaf_without_an_end_is_capped_and_noted(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 1);
    synthetic_id(&s, 0, 0);
    free(s.facts.cpus[0].rows);
    s.facts.cpus[0].rows = calloc(128, sizeof(struct cpuid_row));
    struct cpuid_row *rows = s.facts.cpus[0].rows;
    rows[0] = (struct cpuid_row){0, 0, 0xB, 0x756E6547, 0x6C65746E, 0x49656E69};
    rows[1] = (struct cpuid_row){1, 0, 0x50654, 0, 0, 0};
    for (uint32_t i = 0; i < 80; i++)
        rows[2 + i] = (struct cpuid_row){0xB, i, 1, 2, (i ? 0x200 : 0x100) | i, 0};
    s.facts.cpus[0].row_count = 82;
    conclusions_of(&c, &s.facts);
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        assert_non_null(notes_first(&c.topologies[i].notes, NOTE_LEAF_ENDLESS));
    conclusions_free(&c);
    synthetic_free(&s);
}

/* "Missing is not zero": what a rule wanted and did not find is named. */
static void a_row_that_was_not_recorded_is_noted_not_assumed(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 2);
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        synthetic_id(&s, cpu, cpu);
        synthetic_vendor(&s, cpu, "GenuineIntel", 0xB);
        synthetic_row(&s, cpu, 1, 0, 0x00050654, cpu << 24, 0, 0);
    }
    s.facts.missing_rows_are_zero = false;
    conclusions_of(&c, &s.facts);
    const struct topology_note *note = notes_first(&conclusions_at(&c, "6.12")->notes,
                                                   NOTE_ROW_ABSENT);
    assert_non_null(note);
    assert_int_equal(note->leaf, 0xB);
    conclusions_free(&c);
    s.facts.missing_rows_are_zero = true;
    conclusions_of(&c, &s.facts);
    assert_null(notes_first(&conclusions_at(&c, "6.12")->notes, NOTE_ROW_ABSENT));
    conclusions_free(&c);
    synthetic_free(&s);
}

/* Shifts come from the boot CPU; another CPU's own are a contradiction. */
static void another_shift_than_the_boot_cpu_s_is_noted(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 4);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        synthetic_id(&s, cpu, cpu);
        synthetic_vendor(&s, cpu, "GenuineIntel", 0xB);
        synthetic_row(&s, cpu, 1, 0, 0x00050654, cpu << 24 | 4 << 16, 0, 1 << 28);
        synthetic_row(&s, cpu, 0xB, 0, cpu == 3 ? 0 : 1, cpu == 3 ? 1 : 2, 0x100, cpu);
        synthetic_row(&s, cpu, 0xB, 1, 4, 4, 0x201, cpu == 2 ? 7 : cpu);
    }
    conclusions_of(&c, &s.facts);
    const struct topology_notes *notes = &conclusions_at(&c, "6.12")->notes;
    assert_int_equal(notes_first(notes, NOTE_SHIFT_MISMATCH)->cpu, 3);
    assert_int_equal(notes_first(notes, NOTE_EDX_MISMATCH)->cpu, 2);
    assert_int_equal(notes_first(notes, NOTE_EDX_MISMATCH)->subleaf, 1);
    expect_in(&c, "6.12 7.2", 3, "thread_siblings_list", "2-3");
    conclusions_free(&c);
    synthetic_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_is_most_like_the_last_profile_before_it),
        cmocka_unit_test(fewer_threads_than_cores_leave_core_id_zero),
        cmocka_unit_test(the_first_cpu_without_topoext_is_read_as_if_it_had_it),
        cmocka_unit_test(an_l2_behind_an_empty_cache_row_counts_up_to_6_1),
        cmocka_unit_test(private_caches_of_cpus_with_one_id_are_shared),
        cmocka_unit_test(a_leaf_without_an_end_is_capped_and_noted),
        cmocka_unit_test(a_row_that_was_not_recorded_is_noted_not_assumed),
        cmocka_unit_test(another_shift_than_the_boot_cpu_s_is_noted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
