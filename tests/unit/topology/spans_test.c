/* The three forms of topology_span_sane, against the definition: two masks of a
 * level are equal or disjoint. Expected verdicts come from that sentence, from
 * [rules 9.3] and from masks of recorded machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/topology/spans.h"

enum { CPUS_MAX = 200, LEVELS_MAX = 4 };

static uint8_t storage[1 << 20];
static struct arena arena;
static struct cpumask masks[LEVELS_MAX * CPUS_MAX];
static uint32_t index_of[LEVELS_MAX][CPUS_MAX];
static struct topology_level levels[LEVELS_MAX];
static struct cpumask set;
static struct span_scratch scratch;
static uint64_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

/* Every CPU gets a mask of its own in every level, so that equality is a matter
 * of the bits and not of the place. */
static struct span_input empty_input(uint32_t level_count, uint32_t cpu_count)
{
    arena_init(&arena, storage, sizeof(storage));
    assert_true(cpumask_init(&set, cpu_count, &arena));
    assert_true(spans_init_scratch(&scratch, cpu_count, &arena));
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        cpumask_set(&set, cpu);
    for (uint32_t level = 0; level < level_count; level++) {
        levels[level] = (struct topology_level){.name = "L", .mask = index_of[level]};
        for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
            index_of[level][cpu] = level * CPUS_MAX + cpu;
            assert_true(cpumask_init(&masks[index_of[level][cpu]], cpu_count, &arena));
        }
    }
    return (struct span_input){levels, level_count, masks, &set};
}

static struct cpumask *mask_of(uint32_t level, uint32_t cpu)
{
    return &masks[index_of[level][cpu]];
}

static void fill_partition(uint32_t level, uint32_t cpu_count, uint32_t class_count)
{
    uint32_t class_of[CPUS_MAX];

    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        class_of[cpu] = random_below(class_count);
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        for (uint32_t other = 0; other < cpu_count; other++)
            if (class_of[cpu] == class_of[other])
                cpumask_set(mask_of(level, cpu), other);
}

static bool is_sane_by_definition(uint32_t level, uint32_t cpu_count)
{
    for (uint32_t a = 0; a < cpu_count; a++)
        for (uint32_t b = 0; b < cpu_count; b++)
            if (!cpumask_equal(mask_of(level, a), mask_of(level, b)) &&
                cpumask_intersects(mask_of(level, a), mask_of(level, b)))
                return false;
    return true;
}

static enum span_result verdict_of(const struct span_input *input, enum span_form form)
{
    struct span_verdict verdict;

    spans_check(input, form, &scratch, &verdict);
    return verdict.result;
}

/* The linear form wants equal masks to have equal indexes. */
static struct span_verdict conclusion_of(const struct span_input *input, enum span_form form,
                                         uint32_t cpu_count)
{
    struct span_verdict verdict;

    for (uint32_t level = 0; level < input->level_count; level++)
        for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
            for (uint32_t other = 0; other < cpu; other++)
                if (cpumask_equal(mask_of(level, cpu), mask_of(level, other)))
                    index_of[level][cpu] = index_of[level][other];
    assert_true(spans_conclude(input, form, LEVELS_MAX * CPUS_MAX, &arena, &verdict));
    return verdict;
}

/* Up to three levels of random masks, most of them nonsense, some over the whole
 * set, some without their own CPU, some reaching beyond the set. */
static void the_linear_form_names_the_pair_the_kernels_name(void **state)
{
    uint32_t count[3] = {0};

    (void)state;
    for (uint32_t round = 0; round < 3000; round++) {
        seed = round + 77;
        uint32_t cpu_count = 2 + random_below(7), level_count = 1 + random_below(3);
        struct span_input input = empty_input(level_count, cpu_count);

        for (uint32_t level = 0; level < level_count; level++) {
            fill_partition(level, cpu_count, 1 + random_below(cpu_count));
            for (uint32_t turns = random_below(3); turns > 0; turns--)
                cpumask_set(mask_of(level, random_below(cpu_count)), random_below(cpu_count));
            if (random_below(4) == 0)
                cpumask_drop(mask_of(level, 0), random_below(cpu_count));
        }
        if (random_below(2))
            cpumask_drop(&set, cpu_count - 1);
        for (int form = SPAN_FORM_ALL_PAIRS; form <= SPAN_FORM_SINGLE_PASS; form++) {
            struct span_verdict plain, linear;

            spans_check(&input, (enum span_form)form, &scratch, &plain);
            linear = conclusion_of(&input, (enum span_form)form, cpu_count);
            assert_int_equal(plain.result, linear.result);
            assert_int_equal(plain.cpu_a, linear.cpu_a);
            assert_int_equal(plain.cpu_b, linear.cpu_b);
            count[plain.result]++;
        }
    }
    assert_true(count[SPAN_SANE] > 1000 && count[SPAN_INSANE] > 1000);
}

static void partitions_are_sane_in_every_form(void **state)
{
    (void)state;
    for (uint32_t round = 1; round < 200; round++) {
        seed = round;
        uint32_t cpu_count = 1 + random_below(CPUS_MAX);
        struct span_input input = empty_input(1, cpu_count);

        fill_partition(0, cpu_count, 1 + random_below(cpu_count));
        assert_true(is_sane_by_definition(0, cpu_count));
        for (int form = SPAN_FORM_ALL_PAIRS; form <= SPAN_FORM_SINGLE_PASS; form++)
            assert_int_equal(verdict_of(&input, (enum span_form)form), SPAN_SANE);
    }
}

/* One bit of one mask is turned, never a CPU's own. */
static void broken_partitions_get_the_verdict_of_the_definition(void **state)
{
    uint32_t insane = 0;

    (void)state;
    for (uint32_t round = 1000; round < 1400; round++) {
        seed = round;
        uint32_t cpu_count = 2 + random_below(CPUS_MAX - 2);
        struct span_input input = empty_input(1, cpu_count);
        uint32_t cpu = random_below(cpu_count), other = random_below(cpu_count);

        fill_partition(0, cpu_count, 1 + random_below(cpu_count));
        if (cpu == other)
            other = (cpu + 1) % cpu_count;
        if (cpumask_has(mask_of(0, cpu), other))
            cpumask_drop(mask_of(0, cpu), other);
        else
            cpumask_set(mask_of(0, cpu), other);
        enum span_result expected = is_sane_by_definition(0, cpu_count) ? SPAN_SANE : SPAN_INSANE;
        insane += expected == SPAN_INSANE;
        for (int form = SPAN_FORM_ALL_PAIRS; form <= SPAN_FORM_SINGLE_PASS; form++) {
            /* A mask over the whole set ends the building for its CPU, but the test
             * of that level has been made before, so one level shows no difference. */
            assert_int_equal(verdict_of(&input, (enum span_form)form), expected);
        }
    }
    assert_true(insane > 300);
}

static void the_first_failing_pair_is_named(void **state)
{
    struct span_input input = empty_input(1, 4);
    struct span_verdict verdict;

    (void)state;
    assert_true(cpumask_parse_list(mask_of(0, 0), "0"));
    assert_true(cpumask_parse_list(mask_of(0, 1), "1-2"));
    assert_true(cpumask_parse_list(mask_of(0, 2), "2"));
    assert_true(cpumask_parse_list(mask_of(0, 3), "3"));
    for (int form = SPAN_FORM_ALL_PAIRS; form <= SPAN_FORM_SINGLE_PASS; form++) {
        spans_check(&input, (enum span_form)form, &scratch, &verdict);
        assert_int_equal(verdict.result, SPAN_INSANE);
        assert_true((verdict.cpu_a == 1 && verdict.cpu_b == 2) ||
                    (verdict.cpu_a == 2 && verdict.cpu_b == 2));
    }
}

/* [rules 9.3]: the pairwise forms end at the level that spans the set, the single
 * pass looks at all levels. */
static void only_the_single_pass_looks_above_the_stop_level(void **state)
{
    struct span_input input = empty_input(2, 4);

    (void)state;
    for (uint32_t cpu = 0; cpu < 4; cpu++)
        assert_true(cpumask_parse_list(mask_of(0, cpu), "0-3"));
    assert_true(cpumask_parse_list(mask_of(1, 0), "0-1"));
    assert_true(cpumask_parse_list(mask_of(1, 1), "1-2"));
    assert_true(cpumask_parse_list(mask_of(1, 2), "2"));
    assert_true(cpumask_parse_list(mask_of(1, 3), "3"));
    assert_int_equal(verdict_of(&input, SPAN_FORM_ALL_PAIRS), SPAN_SANE);
    assert_int_equal(verdict_of(&input, SPAN_FORM_HALF_PAIRS), SPAN_SANE);
    assert_int_equal(verdict_of(&input, SPAN_FORM_SINGLE_PASS), SPAN_INSANE);
}

static void overlapping_numa_levels_are_skipped(void **state)
{
    struct span_input input = empty_input(1, 3);

    (void)state;
    assert_true(cpumask_parse_list(mask_of(0, 0), "0-1"));
    assert_true(cpumask_parse_list(mask_of(0, 1), "0-2"));
    assert_true(cpumask_parse_list(mask_of(0, 2), "1-2"));
    assert_int_equal(verdict_of(&input, SPAN_FORM_ALL_PAIRS), SPAN_INSANE);
    levels[0].is_numa_overlap = true;
    for (int form = SPAN_FORM_ALL_PAIRS; form <= SPAN_FORM_SINGLE_PASS; form++)
        assert_int_equal(verdict_of(&input, (enum span_form)form), SPAN_SANE);
}

/* {1}, {1}, {2}: equal or disjoint, and CPU 1, which names the class of CPU 0, has
 * that very mask. {2}, {2}, {1}: still equal or disjoint, but CPU 2, which names
 * the class of CPUs 0 and 1, has another mask: only the single pass sees that. */
static void masks_without_their_own_cpu_part_the_forms(void **state)
{
    struct span_input input = empty_input(1, 3);

    (void)state;
    assert_true(cpumask_parse_list(mask_of(0, 0), "1"));
    assert_true(cpumask_parse_list(mask_of(0, 1), "1"));
    assert_true(cpumask_parse_list(mask_of(0, 2), "2"));
    assert_int_equal(verdict_of(&input, SPAN_FORM_ALL_PAIRS), SPAN_SANE);
    assert_int_equal(verdict_of(&input, SPAN_FORM_SINGLE_PASS), SPAN_SANE);

    input = empty_input(1, 3);
    assert_true(cpumask_parse_list(mask_of(0, 0), "2"));
    assert_true(cpumask_parse_list(mask_of(0, 1), "2"));
    assert_true(cpumask_parse_list(mask_of(0, 2), "1"));
    assert_int_equal(verdict_of(&input, SPAN_FORM_ALL_PAIRS), SPAN_SANE);
    assert_int_equal(verdict_of(&input, SPAN_FORM_HALF_PAIRS), SPAN_SANE);
    assert_int_equal(verdict_of(&input, SPAN_FORM_SINGLE_PASS), SPAN_INSANE);
}

static void masks_are_compared_raw_not_within_the_set(void **state)
{
    struct span_input input = empty_input(1, 4);

    (void)state;
    /* Within the set {0,1} the masks are disjoint; CPU 3 makes them overlap. */
    cpumask_drop(&set, 2);
    cpumask_drop(&set, 3);
    assert_true(cpumask_parse_list(mask_of(0, 0), "0,3"));
    assert_true(cpumask_parse_list(mask_of(0, 1), "1,3"));
    for (int form = SPAN_FORM_ALL_PAIRS; form <= SPAN_FORM_SINGLE_PASS; form++)
        assert_int_equal(verdict_of(&input, (enum span_form)form), SPAN_INSANE);
}

static void empty_masks_are_counted_by_the_single_pass(void **state)
{
    struct span_input input = empty_input(1, 3);
    struct span_verdict verdict;

    (void)state;
    cpumask_set(mask_of(0, 1), 1);
    spans_check(&input, SPAN_FORM_SINGLE_PASS, &scratch, &verdict);
    assert_int_equal(verdict.result, SPAN_SANE);
    assert_int_equal(verdict.empty_count, 2);
    assert_int_equal(verdict_of(&input, SPAN_FORM_ALL_PAIRS), SPAN_SANE);
}

/* The class is named by a CPU that has no mask (offline): it cannot be the same. */
static void a_class_named_by_a_cpu_without_mask_fails(void **state)
{
    struct span_input input = empty_input(1, 3);

    (void)state;
    cpumask_drop(&set, 0);
    index_of[0][0] = UINT32_MAX;
    assert_true(cpumask_parse_list(mask_of(0, 1), "0-2"));
    assert_true(cpumask_parse_list(mask_of(0, 2), "0-2"));
    assert_int_equal(verdict_of(&input, SPAN_FORM_ALL_PAIRS), SPAN_SANE);
    assert_int_equal(verdict_of(&input, SPAN_FORM_SINGLE_PASS), SPAN_INSANE);
}

static void a_profile_without_the_check_says_so(void **state)
{
    struct span_input input = empty_input(1, 2);

    (void)state;
    assert_int_equal(verdict_of(&input, SPAN_FORM_NONE), SPAN_NOT_CHECKED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_are_sane_in_every_form),
        cmocka_unit_test(broken_partitions_get_the_verdict_of_the_definition),
        cmocka_unit_test(the_linear_form_names_the_pair_the_kernels_name),
        cmocka_unit_test(the_first_failing_pair_is_named),
        cmocka_unit_test(only_the_single_pass_looks_above_the_stop_level),
        cmocka_unit_test(overlapping_numa_levels_are_skipped),
        cmocka_unit_test(masks_without_their_own_cpu_part_the_forms),
        cmocka_unit_test(masks_are_compared_raw_not_within_the_set),
        cmocka_unit_test(empty_masks_are_counted_by_the_single_pass),
        cmocka_unit_test(a_class_named_by_a_cpu_without_mask_fails),
        cmocka_unit_test(a_profile_without_the_check_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
