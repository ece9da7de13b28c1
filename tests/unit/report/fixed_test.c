/* Fixed point and the 128-bit division; expected values by Python's integers. */
#include "kernel/report/fixed.h"

#include "tests/unit/unit_test.h"

static void muldiv_rounds_and_saturates(void **state)
{
    (void)state;
    assert_true(fixed_muldiv(7, 1, 2) == 4);
    assert_true(fixed_muldiv(10, 10, 3) == 33);
    assert_true(fixed_muldiv(0, 5, 3) == 0);
    assert_true(fixed_muldiv(UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
    assert_true(fixed_muldiv(UINT64_MAX, 2, 3) == 12297829382473034410ull);
    assert_true(fixed_muldiv(1ull << 63, 1ull << 63, (1ull << 63) + 1) == 9223372036854775807ull);
    assert_true(fixed_muldiv(123456789012345678ull, 987654321987654321ull,
                             1111111111111111111ull) == 109739368122085046ull);
    assert_true(fixed_muldiv(1ull << 40, 1ull << 40, 1) == UINT64_MAX);
    assert_true(fixed_muldiv(1, 1, 0) == UINT64_MAX);
}

static void assert_fixed(int64_t value, unsigned decimals, const char *expected)
{
    char text[64];
    struct textbuf out;

    textbuf_init(&out, text, sizeof(text));
    fixed_put(&out, value, decimals);
    assert_string_equal(text, expected);
}

static void numbers_have_their_point(void **state)
{
    (void)state;
    assert_fixed(12345, 3, "12.345");
    assert_fixed(5, 3, "0.005");
    assert_fixed(-5, 3, "-0.005");
    assert_fixed(7, 0, "7");
    assert_fixed(INT64_MIN, 18, "-9.223372036854775808");
    assert_fixed(INT64_MAX, 2, "92233720368547758.07");
}

static void assert_size(uint64_t bytes, const char *expected)
{
    char text[64];
    struct textbuf out;

    textbuf_init(&out, text, sizeof(text));
    fixed_put_size(&out, bytes);
    assert_string_equal(text, expected);
}

static void sizes_take_the_largest_whole_unit(void **state)
{
    (void)state;
    assert_size(0, "0");
    assert_size(4096, "4K");
    assert_size(1536 << 10, "1536K");
    assert_size(1ull << 30, "1G");
    assert_size(3ull << 50, "3072T");
    assert_size(4097, "4097");
}

static void rates_are_in_2_to_the_30(void **state)
{
    char text[64];
    struct textbuf out;

    (void)state;
    textbuf_init(&out, text, sizeof(text));
    fixed_put_gib_per_s(&out, 11330ull << 20); /* 11,330 MiB/s */
    assert_string_equal(text, "11.06");
    assert_true(fixed_cycles_to_ps(3000, 2000000000) == 1500000);
    assert_true(fixed_cycles_to_ps(3000, 0) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(muldiv_rounds_and_saturates),
        cmocka_unit_test(numbers_have_their_point),
        cmocka_unit_test(sizes_take_the_largest_whole_unit),
        cmocka_unit_test(rates_are_in_2_to_the_30),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
