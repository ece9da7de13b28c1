/* Hodges-Lehmann and the sign-flip test on data whose results are in the literature. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/shift.h"
#include "kernel/stats/signflip.h"

static const double one_q32 = 4294967296.0;

static int64_t q32(double value)
{
    return (int64_t)llround(value * one_q32);
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Hollander and Wolfe, Nonparametric Statistical Methods, table 3.1 (Hamilton
 * depression scale, nine patients): estimate 0.46, 96.1 % interval 0.010 … 0.786. */
static void depression_scale_data_give_the_books_estimate(void **state)
{
    (void)state;
    static const double first[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
    static const double second[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
    int64_t differences[9];
    for (int i = 0; i < 9; i++)
        differences[i] = q32(first[i] - second[i]);
    struct shift_scratch *scratch = calloc(1, sizeof *scratch);
    struct shift_estimate shift;
    shift_measure(differences, 9, scratch, &shift);
    assert_true(fabs((double)shift.shift_q32 / one_q32 - 0.46) < 1e-6);
    assert_true(shift.has_interval95);
    assert_true(fabs((double)shift.low95_q32 / one_q32 - 0.010) < 1e-6);
    assert_true(fabs((double)shift.high95_q32 / one_q32 - 0.786) < 1e-6);
    free(scratch);
}

/* Critical values of the signed-rank sum for 30 pairs, two-sided: 137 at 0.05 and
 * 109 at 0.01 (Wilcoxon and Wilcox 1964). The interval is one rank further in. */
static void interval_of_30_pairs_lies_at_the_tabled_ranks(void **state)
{
    (void)state;
    struct rng rng = rng_of(5, 0);
    int64_t ratios[30], walsh[465];
    uint32_t count = 0;
    for (int i = 0; i < 30; i++)
        ratios[i] = (int64_t)(rng_next(&rng) >> 34) - (1 << 29);
    for (int i = 0; i < 30; i++)
        for (int j = i; j < 30; j++)
            walsh[count++] = ratios[i] + ratios[j];
    qsort(walsh, count, sizeof *walsh, ascending);
    struct shift_scratch *scratch = calloc(1, sizeof *scratch);
    struct shift_estimate shift;
    shift_measure(ratios, 30, scratch, &shift);
    assert_int_equal(shift.low95_q32, walsh[137] / 2);
    assert_int_equal(shift.high95_q32, walsh[464 - 137] / 2);
    assert_int_equal(shift.low99_q32, walsh[109] / 2);
    assert_int_equal(shift.high99_q32, walsh[464 - 109] / 2);
    assert_int_equal(shift.shift_q32, walsh[232] / 2);
    free(scratch);
}

/* 2^-5 and 2^-8 in each tail are the smallest there are. */
static void too_few_pairs_have_no_interval(void **state)
{
    (void)state;
    int64_t ratios[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    struct shift_scratch *scratch = calloc(1, sizeof *scratch);
    struct shift_estimate shift;
    shift_measure(ratios, 5, scratch, &shift);
    assert_false(shift.has_interval95);
    shift_measure(ratios, 6, scratch, &shift);
    assert_true(shift.has_interval95);
    assert_false(shift.has_interval99);
    shift_measure(ratios, 8, scratch, &shift);
    assert_true(shift.has_interval99);
    free(scratch);
}

static void most_pairs_fit(void **state)
{
    (void)state;
    int64_t ratios[SHIFT_MAX_PAIRS];
    for (int i = 0; i < SHIFT_MAX_PAIRS; i++)
        ratios[i] = i * 1000 - 5000;
    struct shift_scratch *scratch = calloc(1, sizeof *scratch);
    struct shift_estimate shift;
    shift_measure(ratios, SHIFT_MAX_PAIRS, scratch, &shift);
    assert_true(shift.low99_q32 < shift.low95_q32 && shift.low95_q32 < shift.shift_q32);
    assert_int_equal(shift.shift_q32, 127500 - 5000);
    free(scratch);
}

/* Darwin's maize, 15 pairs (eighths of an inch). Fisher, The Design of
 * Experiments, section 21: 863 of 32,768 sign patterns reach 314 on one side. */
static void darwins_maize_gives_fishers_count(void **state)
{
    (void)state;
    static const int eighths[] = { 49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48 };
    int64_t ratios[15];
    for (int i = 0; i < 15; i++)
        ratios[i] = eighths[i];
    struct rng rng = rng_of(6, 0);
    struct signflip_scratch *scratch = calloc(1, sizeof *scratch);
    assert_int_equal(signflip_p_ppm(ratios, 15, &rng, scratch),
                     (2 * 863ull * 1000000 + 32767) / 32768);
    free(scratch);
}

/* [clear 4.2]: with eight pairs of one sign p is 2 / 2^8, with seven it is above 0.01. */
static void eight_agreeing_pairs_are_the_fewest_for_a_hundredth(void **state)
{
    (void)state;
    int64_t ratios[] = { 10, 11, 12, 13, 14, 15, 16, 17 };
    struct rng rng = rng_of(7, 0);
    struct signflip_scratch *scratch = calloc(1, sizeof *scratch);
    assert_int_equal(signflip_p_ppm(ratios, 8, &rng, scratch), 7813);
    assert_true(signflip_p_ppm(ratios, 7, &rng, scratch) > 10000);
    free(scratch);
}

static void sampled_p_has_the_floor_of_its_flips(void **state)
{
    (void)state;
    int64_t ratios[40];
    for (int i = 0; i < 40; i++)
        ratios[i] = 1000 + i;
    struct rng rng = rng_of(8, 0);
    struct signflip_scratch *scratch = calloc(1, sizeof *scratch);
    assert_int_equal(signflip_p_ppm(ratios, 40, &rng, scratch), 10);
    for (int i = 0; i < 40; i++)
        ratios[i] = 0;
    assert_int_equal(signflip_p_ppm(ratios, 40, &rng, scratch), 1000000);
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depression_scale_data_give_the_books_estimate),
        cmocka_unit_test(interval_of_30_pairs_lies_at_the_tabled_ranks),
        cmocka_unit_test(too_few_pairs_have_no_interval),
        cmocka_unit_test(most_pairs_fit),
        cmocka_unit_test(darwins_maize_gives_fishers_count),
        cmocka_unit_test(eight_agreeing_pairs_are_the_fewest_for_a_hundredth),
        cmocka_unit_test(sampled_p_has_the_floor_of_its_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
