/* Two independent samples, on data whose results are in the literature. */
#include <math.h>
#include <stdlib.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/unpaired.h"

static struct unpaired_estimate measured(const uint64_t *a, uint32_t a_count, const uint64_t *b,
                                         uint32_t b_count)
{
    struct unpaired_scratch *scratch = calloc(1, sizeof *scratch);
    struct unpaired_estimate estimate;
    struct rng rng = rng_of(11, 0);
    unpaired_measure(a, a_count, b, b_count, &rng, scratch, &estimate);
    free(scratch);
    return estimate;
}

/* Hollander and Wolfe, table 4.1 (permeability of chorioamnion): U is 15 of 50, exact
 * two-sided p 0.2544. The values enter as exponents so that the shift of the logs is
 * the book's shift: -0.305, interval -0.76 to 0.15. */
static void permeability_data_give_the_books_results(void **state)
{
    (void)state;
    static const double term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
    static const double early[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
    uint64_t a[10], b[5];
    for (int i = 0; i < 10; i++)
        a[i] = (uint64_t)llround(exp(term[i]) * 1e12);
    for (int i = 0; i < 5; i++)
        b[i] = (uint64_t)llround(exp(early[i]) * 1e12);
    struct unpaired_estimate estimate = measured(a, 10, b, 5);
    assert_true(fabs((double)estimate.shift_q32 / 4294967296.0 + 0.305) < 1e-6);
    assert_in_range(estimate.p_ppm, 248000, 261000);
    assert_true(estimate.has_interval95);
    assert_true(fabs((double)estimate.low95_q32 / 4294967296.0 + 0.76) < 1e-6);
    assert_true(fabs((double)estimate.high95_q32 / 4294967296.0 - 0.15) < 1e-6);
}

/* All of b above all of a: of 252 labellings two are as far out, p = 0.0079. */
static void separated_lists_have_the_smallest_p_there_is(void **state)
{
    (void)state;
    static const uint64_t a[] = { 100, 101, 102, 103, 104 }, b[] = { 200, 201, 202, 203, 204 };
    struct unpaired_estimate estimate = measured(a, 5, b, 5);
    assert_in_range(estimate.p_ppm, 7000, 9000);
    assert_true(estimate.low95_q32 > 0);
    assert_true(estimate.has_interval99);
    estimate = measured(a, 4, b, 4); /* 1 of 70 in each tail: no 99 % interval */
    assert_true(estimate.has_interval95);
    assert_false(estimate.has_interval99);
}

static void equal_lists_have_shift_zero_and_p_one(void **state)
{
    (void)state;
    static const uint64_t a[] = { 7, 7, 7, 7, 7, 7, 7, 7 };
    struct unpaired_estimate estimate = measured(a, 8, a, 8);
    assert_int_equal(estimate.shift_q32, 0);
    assert_int_equal(estimate.p_ppm, 1000000);
}

static void largest_lists_fit(void **state)
{
    (void)state;
    static uint64_t a[UNPAIRED_MAX], b[UNPAIRED_MAX];
    for (uint32_t i = 0; i < UNPAIRED_MAX; i++) {
        a[i] = 100000 + i;
        b[i] = 102000 + i;
    }
    struct unpaired_estimate estimate = measured(a, UNPAIRED_MAX, b, UNPAIRED_MAX);
    assert_in_range(fixed_log_exp_ppm(estimate.shift_q32), 1019800, 1020100);
    assert_int_equal(estimate.p_ppm, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permeability_data_give_the_books_results),
        cmocka_unit_test(separated_lists_have_the_smallest_p_there_is),
        cmocka_unit_test(equal_lists_have_shift_zero_and_p_one),
        cmocka_unit_test(largest_lists_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
