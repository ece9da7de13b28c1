/* What the seven profiles say in ten seconds. Counts and masks are those of
 * [rules 11.1, 13] and of plain arithmetic on the made-up machine. */
#include "kernel/topology/parting.h"
#include "tests/unit/topology/checks_bench.h"

static struct bench b;
static char storage[4096];

static const char *parting_of(uint32_t profiles)
{
    const struct topology *topologies[RULE_PROFILE_COUNT] = {NULL};
    struct textbuf text;

    bench_run(&b);
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (profiles >> i & 1)
            topologies[i] = &b.topologies[i];
    textbuf_init(&text, storage, sizeof(storage));
    assert_true(parting_put(&text, topologies, &b.arena));
    bench_free(&b);
    for (const char *line = storage; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_in_range(strcspn(line, "\n"), 0, 80);
    return storage;
}

static void kernels_that_agree_share_a_line(void **state)
{
    (void)state;
    bench_init(&b);
    assert_string_equal(parting_of(ALL_PROFILES),
                        "linux-4.9-rfc1 to linux-7.2:\n"
                        "    1 package, 2 cores of 2 threads, 1 LLC\n"
                        "\nThe kernels agree.\n");
}

/* Two compute units of a Bulldozer. */
static void a_bulldozer_parts_them_three_times(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00600F12);
    assert_string_equal(parting_of(ALL_PROFILES),
                        "linux-4.9-rfc1, linux-4.10 to linux-6.1:\n"
                        "    1 package, 2 cores of 2 threads, 1 LLC\n"
                        "linux-4.9, linux-6.12 and linux-7.2:\n"
                        "    1 package, 4 cores, no SMT, 2 clusters, 1 LLC\n"
                        "\nWhere they part:\n"
                        "linux-4.9-rfc1 -> linux-4.9\n"
                        "    SMT: CPU 0: 0-1 -> 0; 4 CPUs\n"
                        "linux-4.9 -> linux-4.10\n"
                        "    SMT: CPU 0: 0 -> 0-1; 4 CPUs\n"
                        "linux-6.1 -> linux-6.12\n"
                        "    SMT: CPU 0: 0-1 -> 0; 4 CPUs\n");
}

static void only_the_profiles_asked_for_are_told(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00600F12);
    assert_string_equal(parting_of(RULES_6_1 | RULES_7_2),
                        "linux-6.1:\n"
                        "    1 package, 2 cores of 2 threads, 1 LLC\n"
                        "linux-7.2:\n"
                        "    1 package, 4 cores, no SMT, 2 clusters, 1 LLC\n"
                        "\nWhere they part:\n"
                        "linux-6.1 -> linux-7.2\n"
                        "    SMT: CPU 0: 0-1 -> 0; 4 CPUs\n");
}

static void cores_with_and_without_threads_are_told_apart(void **state)
{
    (void)state;
    bench_init(&b);
    bench_ids(&b, 2, 4);
    bench_ids(&b, 3, 6);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        uint32_t id = b.s.facts.cpus[cpu].apic_id;

        synthetic_row(&b.s, cpu, 0xB, 1, 3, 4, 0x201, id);
        synthetic_row(&b.s, cpu, 4, 2, 0x0401C163, 0x03C0003F, 0x1FFF, 0);
    }
    assert_non_null(strstr(parting_of(ALL_PROFILES),
                           "1 package, 3 cores, 1 of them with 2 threads, 1 LLC\n"));
}

/* A disabled entry in the middle takes a number in 4.x only. [rules 7.3] */
static void numbers_that_differ_are_told(void **state)
{
    struct acpi_table *madt;

    (void)state;
    bench_init(&b);
    madt = bench_table(&b, "APIC", 4, 44);
    bench_lapic(madt, 0, 1);
    bench_lapic(madt, 8, 0);
    for (uint32_t cpu = 1; cpu < BENCH_CPUS; cpu++)
        bench_lapic(madt, cpu, 1);
    assert_non_null(strstr(parting_of(ALL_PROFILES),
                           "linux-4.10 -> linux-5.10\n"
                           "    SMT: CPU 0: 0,2 -> 0-1; 3 CPUs\n"));
    assert_non_null(strstr(storage, "    CPUs are numbered differently (5 and 5 possible)\n"));
}

static void a_kernel_without_domains_is_told(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00600F20);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        synthetic_row(&b.s, cpu, 0x8000001E, 0, cpu, 0x100 | cpu / 2, 1 << 8, 0);
    parting_of(ALL_PROFILES);
    assert_non_null(strstr(storage, ", no scheduler domains\n"));
    assert_non_null(strstr(storage, "linux-4.10 -> linux-5.10\n    the span check fails\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_agree_share_a_line),
        cmocka_unit_test(a_bulldozer_parts_them_three_times),
        cmocka_unit_test(only_the_profiles_asked_for_are_told),
        cmocka_unit_test(cores_with_and_without_threads_are_told_apart),
        cmocka_unit_test(numbers_that_differ_are_told),
        cmocka_unit_test(a_kernel_without_domains_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
