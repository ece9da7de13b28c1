/* Order statistics against sorting and against printed tables. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/order.h"
#include "kernel/stats/rng.h"

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void selection_finds_what_sorting_finds(void **state)
{
    (void)state;
    struct rng rng = rng_of(1, 0);
    int64_t values[200], sorted[200], work[200];
    for (int round = 0; round < 300; round++) {
        uint32_t count = 1 + (uint32_t)rng_below(&rng, 200);
        uint64_t spread = 1 + rng_below(&rng, 300); /* small spreads make ties */
        for (uint32_t i = 0; i < count; i++)
            values[i] = (int64_t)rng_below(&rng, spread) - 100;
        memcpy(sorted, values, count * sizeof *values);
        qsort(sorted, count, sizeof *sorted, ascending);
        for (uint32_t rank = 0; rank < count; rank++) {
            memcpy(work, values, count * sizeof *values);
            assert_int_equal(order_select(work, count, rank), sorted[rank]);
        }
    }
}

static void median_of_an_even_number_is_the_mean_of_the_middle_two(void **state)
{
    (void)state;
    int64_t even[] = { 9, 1, 4, 6 }, odd[] = { 9, 1, 4 };
    assert_int_equal(order_median(even, 4), 5);
    assert_int_equal(order_median(odd, 3), 4);
    assert_int_equal(order_median(odd, 0), 0);
}

static void quantiles_are_nearest_ranks(void **state)
{
    (void)state;
    int64_t values[100];
    for (int i = 0; i < 100; i++)
        values[i] = 100 - i;
    assert_int_equal(order_quantile(values, 100, 950000), 95);
    assert_int_equal(order_quantile(values, 100, 0), 1);
    assert_int_equal(order_quantile(values, 100, 1000000), 100);
}

/* [clear 4.1]: the ranks as printed there. */
static void median_ranks_are_those_of_the_table(void **state)
{
    (void)state;
    static const struct { uint32_t count, confidence_ppm, low, high; } table[] = {
        { 15, 950000, 4, 12 },  { 20, 950000, 6, 15 },   { 30, 950000, 10, 21 },
        { 50, 950000, 18, 33 }, { 100, 950000, 40, 61 }, { 200, 950000, 86, 115 },
        { 20, 990000, 4, 17 },  { 30, 990000, 8, 23 },   { 50, 990000, 16, 35 },
        { 100, 990000, 37, 64 },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint32_t low = 0, high = 0;
        assert_true(order_median_ranks(table[i].count, table[i].confidence_ppm, &low, &high));
        assert_int_equal(low, table[i].low);
        assert_int_equal(high, table[i].high);
    }
}

/* 1 - 2 * 2^-5 is 93.75 %, 1 - 2 * 2^-6 is 96.9 %. */
static void five_values_have_no_95_percent_interval_and_six_have(void **state)
{
    (void)state;
    uint32_t low = 0, high = 0;
    assert_false(order_median_ranks(5, 950000, &low, &high));
    assert_true(order_median_ranks(6, 950000, &low, &high));
    assert_int_equal(low, 1);
    assert_int_equal(high, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selection_finds_what_sorting_finds),
        cmocka_unit_test(median_of_an_even_number_is_the_mean_of_the_middle_two),
        cmocka_unit_test(quantiles_are_nearest_ranks),
        cmocka_unit_test(median_ranks_are_those_of_the_table),
        cmocka_unit_test(five_values_have_no_95_percent_interval_and_six_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
