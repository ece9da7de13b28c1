/* Scheduler levels and domains on made-up machines. Lists of levels and stop rule
 * are those of [rules 9.1, 9.2]; whole recorded machines are in recordings_test.c. */
#include "kernel/topology/domains.h"
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

static const struct topology *of(const char *profile)
{
    return &b.topologies[rules_find(profile) - rule_profiles];
}

/* "SMT MC DIE" */
static const char *level_names(const struct topology *topology)
{
    static char storage[256];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    for (uint32_t i = 0; i < topology->level_count; i++)
        textbuf_printf(&text, "%s%s", i ? " " : "", topology->levels[i].name);
    return storage;
}

/* "SMT 0-1, MC 0-3": what is built for a CPU; kept domains only when asked. */
static const char *domains_of(const struct topology *topology, uint32_t cpu, bool kept_only)
{
    static char storage[512];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    for (uint32_t i = 0; i < topology->level_count; i++) {
        uint32_t span = topology->levels[i].span[cpu];

        if (span == UINT32_MAX || (kept_only && !domains_is_kept(topology, i, cpu)))
            continue;
        textbuf_printf(&text, "%s%s ", text.length ? ", " : "", topology->levels[i].name);
        cpumask_put_list(&text, &topology->masks[span]);
    }
    return storage;
}

/* A two-node machine: two packages of two threads' cores, one node each. */
static void init_two_nodes(void)
{
    static const uint32_t domains[BENCH_CPUS] = {0, 0, 1, 1};

    bench_init(&b);
    bench_ids(&b, 2, 4);
    bench_ids(&b, 3, 5);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
}

static void levels_are_those_of_the_profile(void **state)
{
    (void)state;
    init_two_nodes();
    bench_run(&b);
    assert_string_equal(level_names(of("linux-4.9-rfc1")), "SMT MC DIE NUMA");
    assert_string_equal(level_names(of("linux-4.10")), "SMT MC DIE NUMA");
    assert_string_equal(level_names(of("linux-5.10")), "SMT MC DIE NODE NUMA");
    assert_string_equal(level_names(of("linux-6.1")), "SMT CLS MC DIE NODE NUMA");
    assert_string_equal(level_names(of("linux-6.12")), "SMT CLS MC PKG NODE NUMA");
    assert_string_equal(level_names(of("linux-7.2")), "SMT CLS MC PKG NODE NUMA");
    bench_free(&b);
}

static void nodes_inside_a_package_take_the_package_level_away(void **state)
{
    static const uint32_t domains[BENCH_CPUS] = {0, 0, 1, 1};

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
    bench_run(&b);
    assert_string_equal(level_names(of("linux-4.9")), "SMT MC NUMA");
    assert_string_equal(level_names(of("linux-5.10")), "SMT MC NODE NUMA");
    assert_string_equal(level_names(of("linux-6.1")), "SMT CLS MC NODE NUMA");
    assert_string_equal(level_names(of("linux-7.2")), "SMT CLS MC NODE NUMA");
    bench_free(&b);
}

/* Leaf 7 EDX[15] on the boot CPU. */
static void hybrids_have_no_cluster_level_under_6_1_only(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 0, 7, 0, 0, 0, 0, 1 << 15);
    bench_run(&b);
    assert_string_equal(level_names(of("linux-5.10")), "SMT MC DIE NODE");
    assert_string_equal(level_names(of("linux-6.1")), "SMT MC DIE NODE");
    assert_string_equal(level_names(of("linux-6.12")), "SMT CLS MC PKG NODE");
    bench_free(&b);
}

static void linux_7_2_has_no_smt_level_without_threads(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_ids(&b, cpu, 2 * cpu);
    bench_run(&b);
    assert_string_equal(level_names(of("linux-6.12")), "SMT CLS MC PKG NODE");
    assert_string_equal(level_names(of("linux-7.2")), "CLS MC PKG NODE");
    bench_free(&b);
}

static void building_stops_at_the_level_that_holds_all(void **state)
{
    (void)state;
    bench_init(&b);
    bench_run(&b);
    assert_string_equal(domains_of(of("linux-6.12"), 2, false), "SMT 2-3, CLS 2-3, MC 0-3");
    bench_free(&b);
}

static void a_domain_that_adds_nothing_is_not_kept(void **state)
{
    (void)state;
    init_two_nodes();
    bench_run(&b);
    assert_string_equal(domains_of(of("linux-6.12"), 0, false),
                        "SMT 0-1, CLS 0-1, MC 0-1, PKG 0-1, NODE 0-1, NUMA 0-3");
    assert_string_equal(domains_of(of("linux-6.12"), 0, true), "SMT 0-1, NUMA 0-3");
    bench_free(&b);
}

static void domains_of_one_cpu_are_not_kept(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_ids(&b, cpu, 2 * cpu);
    bench_run(&b);
    assert_string_equal(domains_of(of("linux-6.12"), 1, true), "MC 0-1, PKG 0-3");
    bench_free(&b);
}

/* [rules 9.4]: threads whose L2 is private, as in the case l2-narrower-than-core. */
static void an_unnested_span_widens_the_level_above(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 4, 1, 0x04000143, 0x03C0003F, 0x3FF, 0);
    bench_run(&b);
    assert_string_equal(domains_of(of("linux-6.12"), 0, false), "SMT 0-1, CLS 0-1, MC 0-3");
    assert_int_equal(cpumask_count(&of("linux-6.12")->levels[1].unnested), BENCH_CPUS);
    assert_null(of("linux-6.12")->levels[2].unnested.words);
    bench_free(&b);
}

static void an_insane_level_leaves_no_domain_at_all(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00600F20);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0x8000001E, 0, cpu, 0x100 | cpu / 2, 1 << 8, 0);
    bench_run(&b);
    assert_string_equal(domains_of(of("linux-6.1"), 0, false), "");
    assert_int_equal(of("linux-6.1")->span, SPAN_INSANE);
    assert_string_equal(of("linux-6.1")->span_level, "SMT");
    assert_int_equal(of("linux-4.10")->span, SPAN_NOT_CHECKED);
    bench_free(&b);
}

/* Four packages, a node each. Node 0 is 20 away from all, nodes 1 and 2 are 30 apart:
 * 4.x looks at row 0 only. */
static void linux_4_x_sees_the_distances_of_node_0(void **state)
{
    static const uint32_t domains[BENCH_CPUS] = {0, 1, 2, 3};
    static const uint8_t distances[16] = {10, 20, 20, 20, 20, 10, 30, 20,
                                          20, 30, 10, 20, 20, 20, 20, 10};

    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_ids(&b, cpu, 4 * cpu);
    bench_madt(&b);
    bench_srat(&b, domains, 4);
    bench_slit(&b, 4, distances);
    bench_run(&b);
    assert_string_equal(level_names(of("linux-4.10")), "SMT MC DIE NUMA");
    assert_string_equal(level_names(of("linux-5.10")), "SMT MC DIE NODE NUMA NUMA");
    assert_string_equal(domains_of(of("linux-6.12"), 1, true), "NUMA 0-1,3, NUMA 0-3");
    assert_string_equal(domains_of(of("linux-6.12"), 0, true), "NUMA 0-3");
    bench_free(&b);
}

/* Granite Rapids X, two packages of three nodes. Distances inside 12, between the
 * packages 21 to 26: 7.2 makes one of them, its mean. [rules 9.5] */
static void linux_7_2_evens_out_distances_between_packages(void **state)
{
    enum { CPUS = 6 };
    static const uint32_t domains[CPUS] = {0, 1, 2, 3, 4, 5};
    uint8_t distances[CPUS * CPUS];

    (void)state;
    for (uint32_t a = 0; a < CPUS; a++)
        for (uint32_t c = 0; c < CPUS; c++)
            distances[a * CPUS + c] = (uint8_t)(a == c ? 10 : a / 3 == c / 3 ? 12
                                                            : 21 + a % 3 + c % 3);
    bench_init_size(&b, CPUS);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        bench_ids(&b, cpu, cpu / 3 * 8 + cpu % 3 * 2);
        synthetic_row(&b.s, cpu, 1, 0, 0xA06D1, 0, 1 << 21, 1 << 9);
        synthetic_row(&b.s, cpu, 0xB, 1, 3, 6, 0x201, cpu / 3 * 8 + cpu % 3 * 2);
        synthetic_row(&b.s, cpu, 4, 2, 0x0401C163, 0x03C0003F, 0x1FFF, 0);
    }
    bench_madt(&b);
    bench_srat(&b, domains, CPUS);
    bench_slit(&b, CPUS, distances);
    bench_run(&b);
    assert_string_equal(level_names(of("linux-6.12")),
                        "SMT CLS MC NODE NUMA NUMA NUMA NUMA NUMA NUMA");
    assert_string_equal(level_names(of("linux-7.2")), "CLS MC NODE NUMA NUMA");
    assert_string_equal(domains_of(of("linux-7.2"), 4, true), "NUMA 3-5, NUMA 0-5");
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_those_of_the_profile),
        cmocka_unit_test(nodes_inside_a_package_take_the_package_level_away),
        cmocka_unit_test(hybrids_have_no_cluster_level_under_6_1_only),
        cmocka_unit_test(linux_7_2_has_no_smt_level_without_threads),
        cmocka_unit_test(building_stops_at_the_level_that_holds_all),
        cmocka_unit_test(a_domain_that_adds_nothing_is_not_kept),
        cmocka_unit_test(domains_of_one_cpu_are_not_kept),
        cmocka_unit_test(an_unnested_span_widens_the_level_above),
        cmocka_unit_test(an_insane_level_leaves_no_domain_at_all),
        cmocka_unit_test(linux_4_x_sees_the_distances_of_node_0),
        cmocka_unit_test(linux_7_2_evens_out_distances_between_packages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
