/* The thread of February 2017, "Bring back Compute Unit ID", step by step on a
 * replayed Bulldozer and a replayed Zen, and what became of it since: [rules 11.1,
 * 11.6, 13]. docs/rules.md tells the story. */
#include "tests/unit/topology/conclusions.h"
#include "tests/unit/topology/synthetic.h"

static struct conclusions opteron, epyc;

static int load_machines(void **state)
{
    (void)state;
    conclusions_of_file(&opteron, "tests/corpus/machines/amd-bulldozer-opteron-6272-4s-64t-a.txt");
    conclusions_of_file(&epyc, "tests/corpus/machines/amd-zen1-epyc-7451-2s-96t.txt");
    return 0;
}

static int free_machines(void **state)
{
    (void)state;
    conclusions_free(&opteron);
    conclusions_free(&epyc);
    return 0;
}

/* Step 1: a unit id of 0 on every part that has none makes siblings of all threads
 * under one LLC. Bulldozer, which has one, comes out right. */
static void the_first_patch_makes_an_llc_of_zen_one_core(void **state)
{
    (void)state;
    expect_threads(&epyc, "4.9-rfc1", 0, "0-2,48-50");
    expect_llc(&epyc, "4.9-rfc1", 0, "0-2,48-50");
    expect_threads(&opteron, "4.9-rfc1", 9, "8-9");
    assert_int_equal(conclusions_at(&epyc, "4.9-rfc1")->max_smt_threads, 6);
}

/* Step 2: without the unit id nobody has a sibling. */
static void linux_4_9_knows_no_threads_on_amd(void **state)
{
    (void)state;
    expect_threads(&epyc, "4.9", 0, "0");
    expect_threads(&opteron, "4.9", 9, "9");
    assert_int_equal(conclusions_at(&epyc, "4.9")->max_smt_threads, 1);
}

/* Step 3: 0xFF for "none" mends both. */
static void linux_4_10_pairs_units_and_threads(void **state)
{
    (void)state;
    expect_in(&epyc, "4.10 5.10 6.1 6.12 7.2", 0, "thread_siblings_list", "0,48");
    expect_in(&opteron, "4.10 5.10 6.1", 9, "thread_siblings_list", "8-9");
}

/* Step 4: since the rework a unit is a cluster only; the fault is back. */
static void from_6_12_on_a_unit_is_a_cluster_only(void **state)
{
    (void)state;
    expect_in(&opteron, "6.12 7.2", 9, "thread_siblings_list", "9");
    expect_in(&opteron, "6.1 6.12 7.2", 9, "cluster_cpus_list", "8-9");
    assert_int_equal(conclusions_at(&opteron, "6.12")->threads_per_core, 1);
}

static void the_masks_around_the_unit_stay(void **state)
{
    (void)state;
    expect_in(&opteron, "4.9-rfc1 4.9 4.10 5.10 6.1 6.12 7.2", 9, "llc", "8-15");
    expect_in(&opteron, "4.9-rfc1 4.9 4.10 5.10 6.1 6.12 7.2", 9, "core_siblings_list", "0-15");
    expect_in(&opteron, "5.10 6.1 6.12 7.2", 9, "die_cpus_list", "8-15");
    expect_in(&opteron, "4.9-rfc1 4.9 4.10", 9, "die_cpus_list", "absent");
    expect_in(&opteron, "4.10 5.10 6.1", 9, "core_id", "1");
}

/* [rules 11.1]: FX-41xx, two modules, APIC ids from 0x10. */
static void two_module_bulldozer(struct synthetic *s)
{
    synthetic_init(s, 4);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        uint32_t id = 0x10 + cpu;

        synthetic_id(s, cpu, id);
        synthetic_vendor(s, cpu, "AuthenticAMD", 0xD);
        synthetic_row(s, cpu, 1, 0, 0x00600F12, id << 24 | 4 << 16, 0, 1 << 28);
        synthetic_row(s, cpu, 0x80000000, 0, 0x8000001E, 0, 0, 0);
        synthetic_row(s, cpu, 0x80000001, 0, 0, 0, 0x01C9BFFF, 0);
        synthetic_row(s, cpu, 0x80000006, 0, 0, 0, 0, 0x0040C140);
        synthetic_row(s, cpu, 0x80000008, 0, 0, 0, 0x00004003, 0);
        synthetic_row(s, cpu, 0x8000001D, 0, 0x121, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 1, 0x4122, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 2, 0x4143, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 3, 0xC163, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001E, 0, id, 0x100 | cpu / 2, 0, 0);
    }
}

static void the_worked_bulldozer_has_its_ids_and_caches(void **state)
{
    static const uint32_t cache_ids[] = {17, 8, 8, 4};
    struct synthetic machine;
    struct conclusions c;

    (void)state;
    two_module_bulldozer(&machine);
    conclusions_of(&c, &machine.facts);
    expect_in(&c, "4.9-rfc1 4.10 5.10 6.1", 1, "thread_siblings_list", "0-1");
    expect_in(&c, "4.9 6.12 7.2", 1, "thread_siblings_list", "1");
    expect_in(&c, "4.10 5.10 6.1", 2, "thread_siblings_list", "2-3");
    expect_in(&c, "6.1 6.12 7.2", 1, "cluster_cpus_list", "0-1");
    expect_in(&c, "4.9-rfc1 4.9 4.10 5.10 6.1 6.12 7.2", 1, "physical_package_id", "1");
    expect_in(&c, "4.9-rfc1 4.9 4.10 5.10 6.1 6.12 7.2", 1, "core_id", "1");
    expect_in(&c, "4.9-rfc1 4.9 4.10 5.10 6.1 6.12 7.2", 1, "llc", "0-3");
    expect_in(&c, "5.10 6.1", 1, "die_id", "0");
    expect_in(&c, "6.12 7.2", 1, "die_id", "1");
    expect_file(&c, "4.10", 1, "thread_siblings", "3");
    for (unsigned i = 0; i < 4; i++) {
        const struct topology_cache *cache = &conclusions_at(&c, "6.1")->cpus[1].caches[i];

        assert_true(cache->has_id);
        assert_int_equal(cache->id, cache_ids[i]);
    }
    assert_false(conclusions_at(&c, "4.9")->cpus[1].caches[0].has_id);
    conclusions_free(&c);
    synthetic_free(&machine);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_patch_makes_an_llc_of_zen_one_core),
        cmocka_unit_test(linux_4_9_knows_no_threads_on_amd),
        cmocka_unit_test(linux_4_10_pairs_units_and_threads),
        cmocka_unit_test(from_6_12_on_a_unit_is_a_cluster_only),
        cmocka_unit_test(the_masks_around_the_unit_stay),
        cmocka_unit_test(the_worked_bulldozer_has_its_ids_and_caches),
    };

    return cmocka_run_group_tests(tests, load_machines, free_machines);
}
