/* Groups of CPUs that clear together. */
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/bench_places.h"

enum { CPUS = 8 };
static uint8_t memory[1 << 16];
static struct arena arena;
static struct topology topology;
static struct topology_cpu cpus[CPUS];
static struct cpumask masks[2 * CPUS + 1];
static struct bench_group groups[BENCH_PLACE_COUNT];
static struct cpumask allowed;

/* Four cores of two threads (n and n+4, as Intel numbers them), two LLCs of two
 * cores; facts are numbered backwards from CPU 1 on to tell index from number. */
static void two_llcs_of_two_cores(void)
{
    arena_init(&arena, memory, sizeof memory);
    topology = (struct topology){ .cpus = cpus, .cpu_count = CPUS, .masks = masks };
    for (uint32_t i = 0; i < 2 * CPUS + 1; i++)
        assert_true(cpumask_init(&masks[i], CPUS, &arena));
    assert_true(cpumask_init(&allowed, CPUS, &arena));
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        cpus[cpu] = (struct topology_cpu){ .is_online = true, .fact = cpu == 0 ? 0 : CPUS - cpu };
        cpus[cpu].mask[TOPOLOGY_SMT] = cpu % 4;
        cpus[cpu].mask[TOPOLOGY_LLC] = 8 + cpu % 4 / 2;
        cpumask_set(&masks[cpu % 4], cpu);
        cpumask_set(&masks[8 + cpu % 4 / 2], cpu);
        cpumask_set(&allowed, cpu);
    }
}

static const struct bench_group *find(uint32_t count, enum bench_placement kind)
{
    for (uint32_t i = 0; i < count; i++)
        if (groups[i].kind == kind)
            return &groups[i];
    return NULL;
}

static void assert_list(const struct bench_group *group, const char *list)
{
    struct cpumask wanted;
    assert_non_null(group);
    assert_true(cpumask_init(&wanted, CPUS, &arena));
    assert_true(cpumask_parse_list(&wanted, list));
    assert_true(cpumask_equal(&group->cpus, &wanted));
}

static void groups_are_in_indexes_of_the_facts(void **state)
{
    (void)state;
    uint32_t count;
    two_llcs_of_two_cores();
    assert_true(bench_places_make(&topology, CPUS, &allowed, &arena, groups, &count));
    assert_list(find(count, BENCH_PLACE_SIBLINGS), "0,4");     /* CPUs 0 and 4 */
    assert_list(find(count, BENCH_PLACE_PER_LLC), "0,6");      /* CPUs 0 and 2 */
    assert_list(find(count, BENCH_PLACE_PER_CORE), "0,5-7");   /* CPUs 0 to 3 */
    assert_list(find(count, BENCH_PLACE_ALL), "0-7");
}

static void cpus_that_are_not_allowed_or_silent_are_left_out(void **state)
{
    (void)state;
    uint32_t count;
    two_llcs_of_two_cores();
    cpus[1].is_online = false;
    cpumask_drop(&allowed, 5); /* CPU 3: its core is told by CPU 7 */
    assert_true(bench_places_make(&topology, CPUS, &allowed, &arena, groups, &count));
    assert_list(find(count, BENCH_PLACE_PER_CORE), "0-1,3,6"); /* CPUs 0, 7, 5, 2 */
    assert_list(find(count, BENCH_PLACE_ALL), "0-4,6");
}

static void equal_groups_and_single_cpus_are_left_out(void **state)
{
    (void)state;
    uint32_t count;
    two_llcs_of_two_cores();
    cpumask_clear(&allowed);
    cpumask_set(&allowed, 0);
    assert_true(bench_places_make(&topology, CPUS, &allowed, &arena, groups, &count));
    assert_int_equal(count, 0);
    cpumask_set(&allowed, 4); /* both threads of core 0 are all there are */
    assert_true(bench_places_make(&topology, CPUS, &allowed, &arena, groups, &count));
    assert_int_equal(count, 1);
    assert_int_equal(groups[0].kind, BENCH_PLACE_SIBLINGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_in_indexes_of_the_facts),
        cmocka_unit_test(cpus_that_are_not_allowed_or_silent_are_left_out),
        cmocka_unit_test(equal_groups_and_single_cpus_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
