/* The worked examples of the rules, [rules 11] and the table of [rules 13]. */
#include "tests/unit/topology/conclusions.h"
#include "tests/unit/topology/synthetic.h"

static const char all[] = "4.9-rfc1 4.9 4.10 5.10 6.1 6.12 7.2";
static const char since_5_10[] = "5.10 6.1 6.12 7.2";
static const char since_6_1[] = "6.1 6.12 7.2";

static void finish(struct synthetic *machine, struct conclusions *c)
{
    conclusions_free(c);
    synthetic_free(machine);
}

/* Two EPYC 7742: first threads of both sockets, then second threads. */
static void rome(struct synthetic *s)
{
    synthetic_init(s, 256);
    for (uint32_t cpu = 0; cpu < 256; cpu++) {
        uint32_t id = cpu < 128 ? 2 * cpu : 2 * (cpu - 128) + 1;

        synthetic_id(s, cpu, id);
        synthetic_vendor(s, cpu, "AuthenticAMD", 0x10);
        synthetic_row(s, cpu, 1, 0, 0x00830F10, id << 24 | 0x80 << 16, 0, 1 << 28);
        synthetic_row(s, cpu, 0xB, 0, 1, 2, 0x100, id);
        synthetic_row(s, cpu, 0xB, 1, 7, 0x80, 0x201, id);
        synthetic_row(s, cpu, 0x80000000, 0, 0x80000020, 0, 0, 0);
        synthetic_row(s, cpu, 0x80000001, 0, 0, 0, 1 << 22 | 2, 0);
        synthetic_row(s, cpu, 0x80000006, 0, 0, 0, 0, 1);
        synthetic_row(s, cpu, 0x80000008, 0, 0, 0, 0x0000707F, 0);
        synthetic_row(s, cpu, 0x8000001D, 0, 0x4121, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 1, 0x4122, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 2, 0x4143, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 3, 0x1C163, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001E, 0, id, 0x100 | (id >> 1 & 63), id >> 7, 0);
        s->nodes[cpu] = (int32_t)(id >> 7);
    }
    s->facts.stated_nodes = s->nodes;
}

static void rome_comes_out_as_worked(void **state)
{
    struct synthetic machine;
    struct conclusions c;

    (void)state;
    rome(&machine);
    conclusions_of(&c, &machine.facts);
    expect_in(&c, "4.9-rfc1 4.9", 70, "core_id", "12");
    expect_in(&c, "4.10 5.10 6.1 6.12 7.2", 70, "core_id", "6");
    expect_threads(&c, "4.9-rfc1", 0, "0-3,128-131");
    expect_threads(&c, "4.9-rfc1", 70, "68-71,196-199");
    expect_threads(&c, "4.9", 70, "70");
    expect_in(&c, "4.10 5.10 6.1 6.12 7.2", 70, "thread_siblings_list", "70,198");
    expect_in(&c, all, 0, "llc", "0-3,128-131");
    expect_in(&c, all, 0, "core_siblings_list", "0-63,128-191");
    expect_in(&c, since_5_10, 0, "die_cpus_list", "0-63,128-191");
    expect_in(&c, since_6_1, 0, "cluster_cpus_list", "0,128");
    expect_in(&c, since_6_1, 0, "cluster_id", "65535");
    expect_file(&c, "6.1", 0, "thread_siblings",
                "00000000,00000000,00000000,00000001,00000000,00000000,00000000,00000001");
    expect_file(&c, "6.1", 0, "core_siblings",
                "00000000,00000000,ffffffff,ffffffff,00000000,00000000,ffffffff,ffffffff");
    assert_int_equal(conclusions_at(&c, "4.9-rfc1")->max_smt_threads, 8);
    assert_int_equal(conclusions_at(&c, "4.9")->max_smt_threads, 1);
    assert_int_equal(conclusions_at(&c, "6.12")->max_smt_threads, 2);
    assert_int_equal(conclusions_at(&c, "6.1")->cpus[70].llc_id, 17);
    finish(&machine, &c);
}

/* Two EPYC 9654: 96 cores, 384 CPUs, ids above 255. The MADT does not list the core
 * complexes in the order of their ids: the second one has ids from 64. */
static void genoa(struct synthetic *s)
{
    synthetic_init(s, 384);
    for (uint32_t cpu = 0; cpu < 384; cpu++) {
        uint32_t n = cpu % 192, place = n % 96 / 8, complex = place % 3 * 4 + place / 3;
        uint32_t id = n / 96 << 8 | complex << 4 | n % 8 << 1 | cpu / 192;

        synthetic_id(s, cpu, id);
        synthetic_vendor(s, cpu, "AuthenticAMD", 0x10);
        synthetic_row(s, cpu, 1, 0, 0x00A10F11, id << 24 | 0xC0u << 16, 0, 1 << 28);
        synthetic_row(s, cpu, 0xB, 0, 1, 2, 0x100, id);
        synthetic_row(s, cpu, 0xB, 1, 8, 192, 0x201, id);
        synthetic_row(s, cpu, 0x80000000, 0, 0x80000028, 0, 0, 0);
        synthetic_row(s, cpu, 0x80000001, 0, 0, 0, 1 << 22 | 2, 0);
        synthetic_row(s, cpu, 0x80000006, 0, 0, 0, 0, 1);
        synthetic_row(s, cpu, 0x80000008, 0, 0, 0, 0x000080BF, 0);
        synthetic_row(s, cpu, 0x8000001D, 0, 0x4121, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 1, 0x4122, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 2, 0x4143, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001D, 3, 0x3C163, 0, 0, 0);
        synthetic_row(s, cpu, 0x8000001E, 0, id, 0x100 | (id >> 1 & 127), id >> 8, 0);
        synthetic_row(s, cpu, 0x80000026, 0, 1, 2, 0x100, id);
        synthetic_row(s, cpu, 0x80000026, 1, 4, 16, 0x201, id);
        synthetic_row(s, cpu, 0x80000026, 2, 4, 16, 0x302, id);
        synthetic_row(s, cpu, 0x80000026, 3, 8, 192, 0x403, id);
        s->nodes[cpu] = (int32_t)(id >> 8);
    }
}

/* One node for all, as far as the masks of the example go. */
static void genoa_comes_out_as_worked(void **state)
{
    struct synthetic machine;
    struct conclusions c;

    (void)state;
    genoa(&machine);
    machine.facts.stated_nodes = machine.nodes;
    conclusions_of(&c, &machine.facts);
    expect_threads(&c, "4.9-rfc1", 200, "0-95,192-287");
    expect_threads(&c, "4.9", 200, "200");
    expect_in(&c, "4.10 5.10 6.1 6.12 7.2", 200, "thread_siblings_list", "8,200");
    expect_in(&c, "4.9-rfc1 4.9 4.10", 200, "core_siblings_list", "0-383");
    expect_in(&c, since_5_10, 200, "core_siblings_list", "0-95,192-287");
    expect_in(&c, "4.9-rfc1 4.9 4.10", 200, "llc", "0-95,192-287");
    expect_in(&c, since_5_10, 200, "llc", "8-15,200-207");
    expect_in(&c, "5.10 6.1", 200, "die_cpus_list", "0-95,192-287");
    expect_in(&c, "6.12 7.2", 200, "die_cpus_list", "8-15,200-207");
    assert_int_equal(machine.facts.cpus[200].apic_id, 65);
    expect_in(&c, "4.9-rfc1 4.9", 200, "core_id", "65");
    expect_in(&c, "4.10 5.10 6.1 6.12 7.2", 200, "core_id", "32");
    assert_true(conclusions_at(&c, "4.10")->is_numa_in_package);
    finish(&machine, &c);
}

/* Two packages of three dies of three cores with two threads, leaf 0x1F. */
static void multi_die_comes_out_as_worked(void **state)
{
    struct synthetic s;
    struct conclusions c;

    (void)state;
    synthetic_init(&s, 36);
    for (uint32_t cpu = 0; cpu < 36; cpu++) {
        uint32_t core = cpu / 2, die = core / 3;
        uint32_t id = die / 3 << 5 | die % 3 << 3 | core % 3 << 1 | (cpu & 1);

        synthetic_id(&s, cpu, id);
        synthetic_vendor(&s, cpu, "GenuineIntel", 0x1F);
        synthetic_row(&s, cpu, 1, 0, 0x00050654, id << 24 | 18 << 16, 0, 1 << 28);
        synthetic_row(&s, cpu, 0x1F, 0, 1, 2, 0x100, id);
        synthetic_row(&s, cpu, 0x1F, 1, 3, 6, 0x201, id);
        synthetic_row(&s, cpu, 0x1F, 2, 5, 18, 0x502, id);
    }
    conclusions_of(&c, &s.facts);
    assert_int_equal(s.facts.cpus[7].apic_id, 9);
    expect_in(&c, since_5_10, 7, "core_id", "4");
    expect_in(&c, since_5_10, 7, "die_id", "1");
    expect_in(&c, since_5_10, 7, "thread_siblings_list", "6-7");
    expect_in(&c, since_5_10, 7, "die_cpus_list", "6-11");
    expect_in(&c, since_5_10, 7, "core_siblings_list", "0-17");
    expect_in(&c, "5.10 6.1", 18, "die_id", "0");
    expect_in(&c, "6.12 7.2", 18, "die_id", "4");
    finish(&s, &c);
}

static void skylake_comes_out_as_worked(void **state)
{
    struct conclusions c;

    (void)state;
    conclusions_of_file(&c, "tests/corpus/machines/intel-skylake-sp-xeon-gold-6140-2s-72t.txt");
    expect_in(&c, all, 2, "core_id", "4");
    expect_in(&c, all, 2, "physical_package_id", "0");
    expect_in(&c, all, 2, "thread_siblings_list", "2,38");
    expect_in(&c, since_6_1, 2, "cluster_cpus_list", "2,38");
    expect_in(&c, since_6_1, 2, "cluster_id", "8");
    expect_file(&c, "4.9-rfc1", 0, "thread_siblings", "00,00000010,00000001");
    assert_int_equal(cpumask_count(&conclusions_at(&c, "6.1")->masks[
        conclusions_at(&c, "6.1")->cpus[2].mask[TOPOLOGY_LLC]]), 36);
    conclusions_free(&c);
}

/* The same machine with sub-NUMA clusters: four nodes. [rules 11.5] */
static void snc_splits_the_llc_with_and_without_a_warning(void **state)
{
    static const char split[] = "0,2,4,6,8,10,12,14,16,36,38,40,42,44,46,48,50,52";
    struct conclusions plain, c = {0};
    int32_t nodes[72];

    (void)state;
    conclusions_of_file(&plain, "tests/corpus/machines/intel-skylake-sp-xeon-gold-6140-2s-72t.txt");
    for (int cpu = 0; cpu < 72; cpu++)
        nodes[cpu] = cpu % 2 * 2 + (cpu % 36 >= 18);
    plain.facts.stated_nodes = nodes;
    conclusions_of(&c, &plain.facts);
    expect_in(&c, all, 0, "llc", split);
    expect_in(&c, all, 0, "thread_siblings_list", "0,36");
    const struct topology_note *warning = notes_first(&conclusions_at(&c, "4.10")->notes,
                                                      NOTE_NOT_SAME_NODE);
    assert_non_null(warning);
    assert_int_equal(warning->cpu, 18);
    assert_int_equal(warning->other_cpu, 0);
    assert_null(notes_first(&conclusions_at(&c, "6.1")->notes, NOTE_NOT_SAME_NODE));
    assert_true(conclusions_at(&c, "6.12")->is_numa_in_package);
    assert_int_equal(conclusions_at(&c, "7.2")->nodes_per_package, 2);
    assert_int_equal(cpumask_count(&conclusions_at(&c, "6.1")->masks[
        conclusions_at(&c, "6.1")->cpus[0].caches[3].shared_mask]), 36);
    conclusions_free(&c);
    conclusions_free(&plain);
}

static void hybrid_comes_out_as_worked(void **state)
{
    struct conclusions c;

    (void)state;
    conclusions_of_file(&c, "tests/corpus/machines/intel-raptorlake-core-i7-1370p-20t.txt");
    expect_in(&c, all, 0, "thread_siblings_list", "0-1");
    expect_in(&c, all, 12, "thread_siblings_list", "12");
    expect_in(&c, all, 12, "core_id", "24");
    expect_in(&c, since_6_1, 12, "cluster_id", "48");
    expect_in(&c, since_6_1, 16, "cluster_cpus_list", "16-19");
    expect_in(&c, all, 12, "llc", "0-19");
    expect_file(&c, "6.1", 12, "thread_siblings", "01000");
    expect_file(&c, "6.1", 12, "cluster_cpus", "0f000");
    assert_int_equal(conclusions_at(&c, "6.12")->threads_per_core, 2);
    conclusions_free(&c);
}

/* One line of the table of [rules 13]. */
static void check_dump(const char *name, const char *profiles, uint32_t cpu, const char *threads,
                       const char *llc, const char *die, const char *package)
{
    char path[160];
    struct conclusions c;

    snprintf(path, sizeof path, "tests/corpus/machines/%s.txt", name);
    conclusions_of_file(&c, path);
    expect_in(&c, profiles, cpu, "thread_siblings_list", threads);
    expect_in(&c, profiles, cpu, "llc", llc);
    expect_in(&c, profiles, cpu, "die_cpus_list", die);
    expect_in(&c, profiles, cpu, "core_siblings_list", package);
    conclusions_free(&c);
}

static void public_dumps_come_out_as_listed(void **state)
{
    static const char old[] = "4.9-rfc1 4.9 4.10";

    (void)state;
    check_dump("amd-zen1-epyc-7451-2s-96t", since_5_10, 0, "0,48", "0-2,48-50", "0-5,48-53",
               "0-23,48-71");
    check_dump("amd-zen3-epyc-7763-2s-128t", old, 0, "0", "0-63", "absent", "0-63");
    check_dump("amd-zen3-epyc-7763-2s-128t", since_5_10, 0, "0", "0-7", "0-63", "0-63");
    check_dump("amd-zen5-ryzen-ai-9-hx-370-24t", "4.9-rfc1", 0, "0-23", "0-23", "absent", "0-23");
    check_dump("amd-zen5-ryzen-ai-9-hx-370-24t", "4.10", 0, "0,12", "0-23", "absent", "0-23");
    check_dump("amd-zen5-ryzen-ai-9-hx-370-24t", since_5_10, 0, "0,12", "0-3,12-15", "0-23",
               "0-23");
    check_dump("hygon-dhyana-64t", old, 0, "0", "0", "absent", "0");
    check_dump("hygon-dhyana-64t", since_5_10, 0, "0,32", "0-3,32-35", "0-7,32-39", "0-63");
    check_dump("zhaoxin-kaisheng-zx-cp-fc-1081-8t", old, 0, "0-7", "0", "absent", "0-7");
    check_dump("zhaoxin-kaisheng-zx-cp-fc-1081-8t", since_5_10, 0, "0", "0-7", "0-7", "0-7");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rome_comes_out_as_worked),
        cmocka_unit_test(genoa_comes_out_as_worked),
        cmocka_unit_test(multi_die_comes_out_as_worked),
        cmocka_unit_test(skylake_comes_out_as_worked),
        cmocka_unit_test(snc_splits_the_llc_with_and_without_a_warning),
        cmocka_unit_test(hybrid_comes_out_as_worked),
        cmocka_unit_test(public_dumps_come_out_as_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
