/* Integer logarithms against the C library's. */
#include <math.h>
#include <stdint.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/rng.h"

static const double one_q32 = 4294967296.0;

static void log_ratio_is_the_librarys_within_2_to_the_minus_29(void **state)
{
    (void)state;
    struct rng rng = rng_of(2, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t a = 1 + (rng_next(&rng) >> rng_below(&rng, 63));
        uint64_t b = 1 + (rng_next(&rng) >> rng_below(&rng, 63));
        double wanted = log((double)a) - log((double)b);
        double found = (double)fixed_log_ratio_q32(a, b) / one_q32;
        assert_true(fabs(found - wanted) < 1.0 / (1 << 29));
    }
}

static void exp_is_the_librarys_to_a_millionth(void **state)
{
    (void)state;
    for (double x = -4; x < 6; x += 0.0137) {
        double wanted = exp(x) * 1e6;
        double found = (double)fixed_log_exp_ppm((int64_t)llround(x * one_q32));
        assert_true(fabs(found - wanted) <= 1 + wanted * 1e-9);
    }
    assert_int_equal(fixed_log_exp_ppm(0), 1000000);
}

static void exp_that_does_not_fit_says_so(void **state)
{
    (void)state;
    assert_true(fixed_log_exp_ppm((int64_t)60 << 32) == UINT64_MAX);
    assert_int_equal(fixed_log_exp_ppm(-((int64_t)60 << 32)), 0);
}

static void square_root_is_the_floor(void **state)
{
    (void)state;
    struct rng rng = rng_of(3, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t value = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t root = fixed_log_square_root(value);
        assert_true(root * root <= value);
        assert_true((unsigned __int128)(root + 1) * (root + 1) > value);
    }
}

static void scale_is_the_128_bit_quotient(void **state)
{
    (void)state;
    struct rng rng = rng_of(4, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t a = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t b = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t c = 1 + (rng_next(&rng) >> rng_below(&rng, 63));
        unsigned __int128 wanted = (unsigned __int128)a * b / c;
        uint64_t found = fixed_log_scale(a, b, c);
        assert_true(found == (wanted > UINT64_MAX ? UINT64_MAX : (uint64_t)wanted));
    }
    assert_true(fixed_log_scale(1, 1, 0) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_ratio_is_the_librarys_within_2_to_the_minus_29),
        cmocka_unit_test(exp_is_the_librarys_to_a_millionth),
        cmocka_unit_test(exp_that_does_not_fit_says_so),
        cmocka_unit_test(square_root_is_the_floor),
        cmocka_unit_test(scale_is_the_128_bit_quotient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
