/* Which pairs are measured: all of them on small machines, a stated sample on large
 * ones, and the declared distance of two CPUs. */
#include <stdlib.h>

#include "tests/unit/unit_test.h"

#include "kernel/stats/measured_pairs.h"
#include "kernel/topology/rules.h"

enum { ARENA_BYTES = 64 << 20, MAX_CPUS = 256 };

struct machine {
    struct arena arena, scratch;
    void *memory[2];
    struct measured_cpu cpus[MAX_CPUS];
    struct measured_results results;
    struct topology topology;
};

static int setup(void **state)
{
    struct machine *machine = calloc(1, sizeof(*machine));

    for (int i = 0; i < 2; i++)
        machine->memory[i] = malloc(ARENA_BYTES);
    arena_init(&machine->arena, machine->memory[0], ARENA_BYTES);
    arena_init(&machine->scratch, machine->memory[1], ARENA_BYTES);
    *state = machine;
    return 0;
}

static int teardown(void **state)
{
    struct machine *machine = *state;

    free(machine->memory[0]);
    free(machine->memory[1]);
    free(machine);
    return 0;
}

/* Cores of two threads, caches of 16 CPUs, packages of 64. */
static const uint32_t sizes[TOPOLOGY_MASK_KINDS] = {
    [TOPOLOGY_SMT] = 2, [TOPOLOGY_CLUSTER] = 2, [TOPOLOGY_LLC] = 16, [TOPOLOGY_DIE] = 64,
    [TOPOLOGY_PACKAGE] = 64};

static void declare(struct machine *machine, uint32_t cpus)
{
    struct topology *topology = &machine->topology;

    topology->rules = &rule_profiles[RULE_PROFILE_COUNT - 1];
    topology->cpu_count = cpus;
    topology->cpus = ARENA_NEW(&machine->arena, struct topology_cpu, cpus);
    topology->masks = ARENA_NEW(&machine->arena, struct cpumask, cpus * TOPOLOGY_MASK_KINDS);
    for (uint32_t cpu = 0; cpu < cpus; cpu++) {
        machine->cpus[cpu] = (struct measured_cpu){cpu, cpu, cpu};
        for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++) {
            struct cpumask *mask = &topology->masks[cpu * TOPOLOGY_MASK_KINDS + kind];

            topology->cpus[cpu].mask[kind] = cpu * TOPOLOGY_MASK_KINDS + kind;
            assert_true(cpumask_init(mask, cpus, &machine->arena));
            for (uint32_t other = 0; other < cpus; other++)
                if (other / sizes[kind] == cpu / sizes[kind])
                    cpumask_set(mask, other);
        }
    }
    machine->results.cpus = machine->cpus;
    machine->results.cpu_count = cpus;
}

static void make(struct machine *machine, uint64_t seed, struct pair_list *list)
{
    assert_true(pair_list_make(&machine->results, &machine->topology, seed, &machine->arena,
                               &machine->scratch, list));
}

static void the_smallest_common_mask_is_the_distance(void **state)
{
    struct machine *machine = *state;

    declare(machine, 128);
    assert_int_equal(pair_distance(&machine->results, &machine->topology, 0, 1), DISTANCE_SMT);
    assert_int_equal(pair_distance(&machine->results, &machine->topology, 0, 2), DISTANCE_LLC);
    assert_int_equal(pair_distance(&machine->results, &machine->topology, 0, 16), DISTANCE_DIE);
    assert_int_equal(pair_distance(&machine->results, &machine->topology, 0, 64),
                     DISTANCE_MACHINE);
}

static void every_pair_is_measured_once_up_to_128_cpus(void **state)
{
    static uint8_t seen[128 * 128];
    struct machine *machine = *state;
    struct pair_list list;

    declare(machine, 128);
    make(machine, 1, &list);
    assert_false(list.is_sampled);
    assert_int_equal(list.count, 128 * 127);
    for (uint32_t i = 0; i < list.count; i++) {
        assert_int_not_equal(list.pairs[i].from, list.pairs[i].to);
        assert_int_equal(seen[list.pairs[i].from * 128 + list.pairs[i].to]++, 0);
    }
}

static void a_sample_holds_every_class_of_every_cpu_in_both_directions(void **state)
{
    static uint8_t seen[MAX_CPUS * MAX_CPUS];
    struct machine *machine = *state;
    struct pair_list list;

    declare(machine, MAX_CPUS);
    make(machine, 1, &list);
    assert_true(list.is_sampled);
    assert_int_equal(list.possible, MAX_CPUS * (MAX_CPUS - 1));
    assert_true(list.count < list.possible / 4);
    for (uint32_t i = 0; i < list.count; i++)
        assert_int_equal(seen[list.pairs[i].from * MAX_CPUS + list.pairs[i].to]++, 0);
    for (uint32_t a = 0; a < MAX_CPUS; a++) {
        uint32_t partners[DISTANCE_CLASSES] = {0};

        for (uint32_t b = 0; b < MAX_CPUS; b++) {
            assert_int_equal(seen[a * MAX_CPUS + b], seen[b * MAX_CPUS + a]);
            if (seen[a * MAX_CPUS + b])
                partners[pair_distance(&machine->results, &machine->topology, a, b)]++;
        }
        assert_int_equal(partners[DISTANCE_SMT], 1); /* there is no other */
        assert_true(partners[DISTANCE_LLC] >= PAIRS_SAMPLED_PER_CLASS);
        assert_true(partners[DISTANCE_DIE] >= PAIRS_SAMPLED_PER_CLASS);
        assert_true(partners[DISTANCE_MACHINE] >= PAIRS_SAMPLED_PER_CLASS);
    }
}

static void the_seed_decides_the_order(void **state)
{
    struct machine *machine = *state;
    struct pair_list first, second, other;
    uint32_t differences = 0;

    declare(machine, 32);
    make(machine, 7, &first);
    make(machine, 7, &second);
    make(machine, 8, &other);
    for (uint32_t i = 0; i < first.count; i++) {
        assert_int_equal(first.pairs[i].from, second.pairs[i].from);
        assert_int_equal(first.pairs[i].to, second.pairs[i].to);
        differences += first.pairs[i].from != other.pairs[i].from;
    }
    assert_true(differences > first.count / 2);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(the_smallest_common_mask_is_the_distance),
        CASE(every_pair_is_measured_once_up_to_128_cpus),
        CASE(a_sample_holds_every_class_of_every_cpu_in_both_directions),
        CASE(the_seed_decides_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
