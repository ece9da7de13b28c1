/* Claimed masks against measured groups: the case with two clusters behind one
 * claimed cache, and each way of agreeing and disagreeing on small machines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit_test.h"

#include "kernel/facts/facts_read.h"
#include "kernel/stats/agreement.h"
#include "kernel/stats/groups.h"
#include "kernel/topology/rules.h"

enum { ARENA_BYTES = 16 << 20, MAX_CPUS = 16 };

struct machine {
    struct arena arena, scratch;
    struct measured_cpu cpus[MAX_CPUS];
    uint32_t matrix[MAX_CPUS * MAX_CPUS];
    struct measured_latency latency;
    struct measured_groups groups;
    struct measured_agreement agreement;
    struct measured_results results;
    struct topology topologies[RULE_PROFILE_COUNT];
    const struct topology *built[RULE_PROFILE_COUNT];
    struct findings findings;
    void *memory[2];
};

static int setup(void **state)
{
    struct machine *machine = calloc(1, sizeof(*machine));

    machine->memory[0] = malloc(ARENA_BYTES);
    machine->memory[1] = malloc(ARENA_BYTES);
    arena_init(&machine->arena, machine->memory[0], ARENA_BYTES);
    arena_init(&machine->scratch, machine->memory[1], ARENA_BYTES);
    for (uint32_t i = 0; i < MAX_CPUS * MAX_CPUS; i++)
        machine->matrix[i] = MEASURED_NONE;
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

static void compare(struct machine *machine, uint32_t cpus)
{
    struct measured_results *results = &machine->results;

    for (uint32_t slot = 0; slot < cpus; slot++)
        machine->cpus[slot] = (struct measured_cpu){slot, slot, slot};
    machine->latency = (struct measured_latency){.cpu_count = cpus, .median_ps = machine->matrix};
    results->cpus = machine->cpus;
    results->cpu_count = cpus;
    results->latency = &machine->latency;
    assert_true(groups_find(machine->matrix, cpus, false, &machine->arena, &machine->scratch,
                            &machine->groups));
    results->groups = &machine->groups;
    assert_true(agreement_build(results, machine->built, &machine->arena, &machine->scratch,
                                &machine->agreement));
    results->agreement = &machine->agreement;
    assert_true(findings_init(&machine->findings, 16, cpus, &machine->arena));
    agreement_findings(results, &machine->findings);
}

static const struct agreement_row *row_of(const struct machine *machine, enum topology_mask kind)
{
    for (uint32_t i = 0; i < machine->agreement.row_count; i++)
        if (machine->agreement.rows[i].kind == kind)
            return &machine->agreement.rows[i];
    return NULL;
}

/* --- the case -------------------------------------------------------------------------- */

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 16);

    assert_non_null(file);
    *length = fread(text, 1, (1 << 16) - 1, file);
    text[*length] = 0;
    fclose(file);
    return text;
}

static void read_matrix(struct machine *machine, uint32_t cpus)
{
    size_t length;
    char *text = read_text("tests/cases/matrix-two-clusters/matrix.txt", &length);
    unsigned a, b, ns, tenth, pairs = 0;

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), pairs++) {
        assert_int_equal(sscanf(line, "%u %u %u.%u", &a, &b, &ns, &tenth), 4);
        machine->matrix[a * cpus + b] = ns * 1000 + tenth * 100;
    }
    assert_int_equal(pairs, cpus * (cpus - 1) / 2);
    free(text);
}

static void two_clusters_behind_one_claimed_cache_are_found(void **state)
{
    struct machine *machine = *state;
    struct machine_facts facts;
    struct expectations expectations;
    struct input_error error;
    uint32_t profiles = (1u << RULE_PROFILE_COUNT) - 1;
    size_t length;
    char *text = read_text("tests/cases/matrix-two-clusters/cpuid.txt", &length);

    assert_true(facts_read(text, length, "cpuid.txt", &machine->arena, &facts, &expectations,
                           &error));
    free(text);
    assert_true(topology_build_all(&facts, profiles, &machine->arena, machine->topologies));
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        machine->built[i] = &machine->topologies[i];
    read_matrix(machine, 8);
    compare(machine, 8);

    assert_int_equal(machine->groups.verdict, GROUPS_SEPARATED);
    assert_int_equal(machine->groups.level_count, 1);
    assert_int_equal(machine->groups.levels[0].group_count, 2);
    for (uint32_t cpu = 0; cpu < 8; cpu++)
        assert_int_equal(machine->groups.levels[0].group_of[cpu], cpu / 4);

    assert_int_equal(machine->findings.count, 1);
    const struct finding *finding = &machine->findings.list[0];

    assert_string_equal(finding->id, "claimed-llc-wider");
    assert_int_equal(finding->severity, FINDING_ERROR);
    assert_int_equal(finding->rules, profiles);
    assert_non_null(strstr(finding->text, "claimed LLC 0-7 is wider than measured: 0-3 and 4-7"));
    /* The medians of the file: 24 and 88 ns. */
    const struct agreement_row *row = row_of(machine, TOPOLOGY_LLC);

    assert_in_range(row->near_ps, 23000, 25000);
    assert_in_range(row->far_ps, 87000, 89000);
    assert_int_equal(row_of(machine, TOPOLOGY_SMT)->agreement, AGREEMENT_NOT_TESTED);
    assert_int_equal(row_of(machine, TOPOLOGY_PACKAGE)->agreement, AGREEMENT_YES);
    /* The masks are what the kernels make of CPUID, still. */
    assert_int_equal(cpumask_count(&machine->topologies[RULE_PROFILE_COUNT - 1].masks[
                         machine->topologies[RULE_PROFILE_COUNT - 1].cpus[0].mask[TOPOLOGY_LLC]]),
                     8);
}

/* --- small machines ----------------------------------------------------------------------- */

/* Masks of `size[kind]` neighbouring CPUs each, by the newest profile. */
static void claim(struct machine *machine, uint32_t cpus, const uint32_t size[TOPOLOGY_MASK_KINDS])
{
    struct topology *topology = &machine->topologies[RULE_PROFILE_COUNT - 1];

    topology->rules = &rule_profiles[RULE_PROFILE_COUNT - 1];
    topology->cpu_count = topology->nr_cpu_ids = cpus;
    topology->cpus = ARENA_NEW(&machine->arena, struct topology_cpu, cpus);
    topology->masks = ARENA_NEW(&machine->arena, struct cpumask, cpus * TOPOLOGY_MASK_KINDS);
    for (uint32_t cpu = 0; cpu < cpus; cpu++) {
        topology->cpus[cpu].is_online = true;
        topology->cpus[cpu].fact = cpu;
        for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++) {
            struct cpumask *mask = &topology->masks[topology->mask_count];

            topology->cpus[cpu].mask[kind] = topology->mask_count++;
            assert_true(cpumask_init(mask, cpus, &machine->arena));
            for (uint32_t other = 0; other < cpus; other++)
                if (other / size[kind] == cpu / size[kind])
                    cpumask_set(mask, other);
        }
    }
    machine->built[RULE_PROFILE_COUNT - 1] = topology;
}

/* `ps` of a pair by what its CPUs share, with a little that differs from pair to pair. */
static void measure(struct machine *machine, uint32_t cpus, uint32_t (*ps)(uint32_t, uint32_t))
{
    for (uint32_t a = 0; a < cpus; a++)
        for (uint32_t b = 0; b < cpus; b++)
            if (a != b)
                machine->matrix[a * cpus + b] = ps(a, b) * (990 + (a * 7 + b * 3) % 20) / 1000;
}

static uint32_t as_claimed(uint32_t a, uint32_t b)
{
    return a / 2 == b / 2 ? 8000 : a / 8 == b / 8 ? 30000 : 110000;
}

static const uint32_t threads_and_packages[] = {
    [TOPOLOGY_SMT] = 2, [TOPOLOGY_CLUSTER] = 2, [TOPOLOGY_LLC] = 8, [TOPOLOGY_DIE] = 8,
    [TOPOLOGY_PACKAGE] = 8};

static void measured_borders_where_they_are_claimed_agree(void **state)
{
    struct machine *machine = *state;

    claim(machine, 16, threads_and_packages);
    measure(machine, 16, as_claimed);
    compare(machine, 16);
    assert_int_equal(machine->findings.count, 0);
    for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
        assert_int_equal(row_of(machine, kind)->agreement, AGREEMENT_YES);
}

static uint32_t all_alike(uint32_t a, uint32_t b)
{
    (void)a, (void)b;
    return 50000;
}

static void claimed_borders_that_are_not_there_are_narrower(void **state)
{
    struct machine *machine = *state;

    claim(machine, 16, threads_and_packages);
    measure(machine, 16, all_alike);
    compare(machine, 16);
    assert_int_equal(row_of(machine, TOPOLOGY_SMT)->agreement, AGREEMENT_NARROWER);
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->agreement, AGREEMENT_NARROWER);
    assert_int_equal(row_of(machine, TOPOLOGY_PACKAGE)->agreement, AGREEMENT_NARROWER);
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->contradicted_count, 1);
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->claimed_count, 2);
    assert_int_equal(findings_worst(&machine->findings), FINDING_WARNING);
}

static uint32_t odd_and_even(uint32_t a, uint32_t b) { return a % 2 == b % 2 ? 25000 : 90000; }

static void masks_that_cut_through_measured_groups_cross(void **state)
{
    static const uint32_t sizes[] = {1, 1, 4, 8, 8};
    struct machine *machine = *state;

    claim(machine, 8, sizes);
    measure(machine, 8, odd_and_even);
    compare(machine, 8);
    assert_int_equal(machine->findings.count, 1);
    assert_string_equal(machine->findings.list[0].id, "claimed-llc-crossing");
    assert_int_equal(machine->findings.list[0].severity, FINDING_ERROR);
    assert_non_null(strstr(machine->findings.list[0].text, "0,2,4,6 and 1,3,5,7"));
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->contradicted_count, 2);
}

static uint32_t two_caches_in_each_package(uint32_t a, uint32_t b)
{
    return a / 4 == b / 4 ? 25000 : a / 8 == b / 8 ? 85000 : 180000;
}

static void a_package_claimed_as_one_cache_is_wider_though_it_was_measured(void **state)
{
    static const uint32_t sizes[] = {1, 1, 8, 8, 8};
    struct machine *machine = *state;

    claim(machine, 16, sizes);
    measure(machine, 16, two_caches_in_each_package);
    compare(machine, 16);
    assert_int_equal(machine->groups.level_count, 2);
    assert_int_equal(machine->findings.count, 1);
    assert_string_equal(machine->findings.list[0].id, "claimed-llc-wider");
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->contradicted_count, 2);
    assert_int_equal(row_of(machine, TOPOLOGY_PACKAGE)->agreement, AGREEMENT_YES);
}

static uint32_t step_of_a_third(uint32_t a, uint32_t b) { return a / 4 == b / 4 ? 45000 : 56000; }

static void a_small_step_inside_a_mask_is_only_information(void **state)
{
    static const uint32_t sizes[] = {1, 1, 8, 8, 8};
    struct machine *machine = *state;

    claim(machine, 8, sizes);
    measure(machine, 8, step_of_a_third);
    compare(machine, 8);
    assert_int_equal(machine->findings.count, 1);
    assert_int_equal(machine->findings.list[0].severity, FINDING_INFO);
}

/* Half of the pairs inside are as far as half of those across. */
static uint32_t overlapping(uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;

    return (a / 4 == b / 4 ? 36000 : 50000) + (low * 5 + high * 3) % 8 * 5000;
}

static void overlapping_times_give_no_finding(void **state)
{
    static const uint32_t sizes[] = {1, 1, 4, 8, 8};
    struct machine *machine = *state;

    claim(machine, 8, sizes);
    measure(machine, 8, overlapping);
    compare(machine, 8);
    assert_int_equal(machine->groups.verdict, GROUPS_CANNOT_TELL);
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->agreement, AGREEMENT_CANNOT_TELL);
    assert_int_equal(machine->findings.count, 0);
}

static void nothing_is_said_about_a_virtual_machine(void **state)
{
    static const uint32_t sizes[] = {1, 1, 4, 8, 8};
    struct machine *machine = *state;

    machine->results.is_virtual = true;
    claim(machine, 8, sizes);
    measure(machine, 8, odd_and_even);
    compare(machine, 8);
    assert_int_equal(machine->findings.count, 0);
    machine->results.is_injected = true;
    agreement_findings(&machine->results, &machine->findings);
    assert_int_equal(machine->findings.count, 1);
    assert_non_null(strstr(machine->findings.list[0].source, "inject="));
}

static void a_border_around_hidden_threads_is_not_held_against_the_cache(void **state)
{
    static const uint32_t sizes[] = {1, 1, 8, 8, 8};
    static struct measured_contention_pair pairs[4];
    static const struct measured_contention contention = {.pairs = pairs, .pair_count = 4};
    struct machine *machine = *state;

    for (uint32_t i = 0; i < 4; i++)
        pairs[i] = (struct measured_contention_pair){.slot = 2 * i, .partner_slot = 2 * i + 1,
                                                     .verdict = CONTENTION_SHARED_CORE};
    machine->results.contention = &contention;
    claim(machine, 8, sizes);
    measure(machine, 8, as_claimed);
    compare(machine, 8);
    assert_int_equal(machine->groups.levels[0].group_count, 4);
    assert_int_equal(row_of(machine, TOPOLOGY_LLC)->agreement, AGREEMENT_YES);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(two_clusters_behind_one_claimed_cache_are_found),
        CASE(measured_borders_where_they_are_claimed_agree),
        CASE(claimed_borders_that_are_not_there_are_narrower),
        CASE(masks_that_cut_through_measured_groups_cross),
        CASE(a_package_claimed_as_one_cache_is_wider_though_it_was_measured),
        CASE(a_small_step_inside_a_mask_is_only_information),
        CASE(overlapping_times_give_no_finding),
        CASE(nothing_is_said_about_a_virtual_machine),
        CASE(a_border_around_hidden_threads_is_not_held_against_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
