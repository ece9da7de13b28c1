/* Durations, roots and times in integers, and the findings that are not about groups. */
#include <string.h>

#include "tests/unit/unit_test.h"

#include "kernel/stats/measured_summary.h"
#include "kernel/topology/findings.h"

static void roots_are_the_largest_integers_below(void **state)
{
    (void)state;
    assert_int_equal(square_root(0), 0);
    assert_int_equal(square_root(15), 3);
    assert_int_equal(square_root(16), 4);
    assert_int_equal(square_root(4294967295ull * 4294967295ull - 1), 4294967294u);
    assert_int_equal(square_root(UINT64_MAX), 4294967295u);
}

static void the_deviation_of_the_textbook_population_is_two(void **state)
{
    /* 2, 4, 4, 4, 5, 5, 7, 9: average 5, standard deviation 2. */
    static const uint64_t values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct measured_duration duration = duration_of(values, 8);

    (void)state;
    assert_int_equal(duration.count, 8);
    assert_int_equal(duration.min_ns, 2);
    assert_int_equal(duration.max_ns, 9);
    assert_int_equal(duration.average_ns, 5);
    assert_int_equal(duration.deviation_ns, 2);
    assert_int_equal(duration_of(NULL, 0).count, 0);
}

static void seconds_do_not_overflow_the_deviation(void **state)
{
    static uint64_t values[4096];

    (void)state;
    for (uint32_t i = 0; i < 4096; i++)
        values[i] = i % 2 ? 20000000000ull : 10000000000ull;
    /* Half at 10 s and half at 20 s: 5 s off the average of 15 s, each. */
    assert_int_equal(duration_of(values, 4096).average_ns, 15000000000ull);
    assert_in_range(duration_of(values, 4096).deviation_ns, 4999990000ull, 5000000000ull);
}

static void cycles_become_time_without_wrapping(void **state)
{
    (void)state;
    assert_int_equal(cycles_to_ns(2500000000ull, 2500000000ull), 1000000000ull);
    assert_int_equal(cycles_to_ps(25, 2500000000ull), 10000);
    assert_int_equal(cycles_to_ns(3600ull * 2500000000ull, 2500000000ull), 3600000000000ull);
    assert_int_equal(cycles_to_ns(UINT64_MAX, 2500000000ull), UINT64_MAX);
    assert_int_equal(cycles_to_ns(100, 0), 0);
}

static void the_spread_is_median_and_quartiles(void **state)
{
    int64_t values[] = {50, 10, 40, 20, 30};
    struct measured_spread spread = spread_of(values, 5);

    (void)state;
    assert_int_equal(spread.median_ps, 30);
    assert_int_equal(spread.iqr_ps, 20); /* 20 to 40 */
    assert_int_equal(spread_of(values, 0).median_ps, MEASURED_NONE);
}

/* --- findings ------------------------------------------------------------------------------ */

static uint8_t memory[1 << 16];

static struct findings judge(const struct measured_results *results)
{
    static struct arena arena;
    struct findings findings;

    arena_init(&arena, memory, sizeof(memory));
    assert_true(findings_init(&findings, 16, 64, &arena));
    measured_findings(results, &findings);
    return findings;
}

static struct measured_cpu cpus[] = {{0, 0, 0}, {1, 1, 2}, {2, 2, 4}, {3, 3, 6}};

static void a_cpu_that_failed_once_is_named(void **state)
{
    static struct measured_cycle_cpu cycle_cpus[] = {
        {.slot = 1, .attempts = 10}, {.slot = 3, .attempts = 10, .failures = 1,
                                      .first_failed_cycle = 4}};
    static const struct measured_cycles cycles = {.cpus = cycle_cpus, .cpu_count = 2};
    struct measured_results results = {.cpus = cpus, .cpu_count = 4, .is_virtual = true,
                                       .cycles = &cycles};
    struct findings findings = judge(&results);

    (void)state;
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].id, "cpu-did-not-return");
    assert_true(cpumask_has(&findings.list[0].cpus, 3));
    assert_non_null(strstr(findings.list[0].text, "1 of 10 cycles, first in cycle 4"));
}

static struct measured_contention_pair pairs[] = {
    {.slot = 0, .partner_slot = 1, .is_claimed_sibling = true, .throughput_permille = 520,
     .verdict = CONTENTION_SHARED_CORE},
    {.slot = 2, .partner_slot = 3, .is_claimed_sibling = false, .throughput_permille = 530,
     .verdict = CONTENTION_SHARED_CORE},
    {.slot = 0, .partner_slot = 2, .is_claimed_sibling = true, .throughput_permille = 990,
     .verdict = CONTENTION_OWN_CORE},
    {.slot = 1, .partner_slot = 2, .is_claimed_sibling = true, .throughput_permille = 800,
     .verdict = CONTENTION_CANNOT_TELL},
};
static const struct measured_contention contention = {.pairs = pairs, .pair_count = 4};

static void contention_that_contradicts_the_claim_is_found(void **state)
{
    struct measured_results results = {.cpus = cpus, .cpu_count = 4, .contention = &contention};
    struct findings findings = judge(&results);

    (void)state;
    assert_int_equal(findings.count, 2);
    assert_string_equal(findings.list[0].id, "undeclared-siblings");
    assert_non_null(strstr(findings.list[0].text, "CPUs 2 and 3"));
    assert_non_null(strstr(findings.list[0].text, "53.0 %"));
    assert_string_equal(findings.list[1].id, "siblings-do-not-contend");
}

static void hardware_is_not_judged_in_a_virtual_machine(void **state)
{
    static struct measured_tsc_cpu tsc_cpus[] = {{.slot = 1, .max_warp_cycles = 9,
                                                  .warp_count = 3}};
    static const struct measured_tsc tsc = {.cpus = tsc_cpus, .cpu_count = 1};
    struct measured_results results = {.cpus = cpus, .cpu_count = 4, .is_virtual = true,
                                       .contention = &contention, .tsc = &tsc};

    (void)state;
    assert_int_equal(judge(&results).count, 0);
    results.is_virtual = false;
    assert_int_equal(judge(&results).count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_are_the_largest_integers_below),
        cmocka_unit_test(the_deviation_of_the_textbook_population_is_two),
        cmocka_unit_test(seconds_do_not_overflow_the_deviation),
        cmocka_unit_test(cycles_become_time_without_wrapping),
        cmocka_unit_test(the_spread_is_median_and_quartiles),
        cmocka_unit_test(a_cpu_that_failed_once_is_named),
        cmocka_unit_test(contention_that_contradicts_the_claim_is_found),
        cmocka_unit_test(hardware_is_not_judged_in_a_virtual_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
