/* Tests kernel/lib/reader.c. */
#include "kernel/lib/reader.h"

#include "tests/unit/unit_test.h"

static const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
                                0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F};

static void values_are_little_endian_and_may_be_unaligned(void **state)
{
    struct reader reader = reader_of(bytes, sizeof(bytes));
    uint8_t a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
    (void)state;

    assert_true(reader_u8(&reader, &a));
    assert_true(reader_u16(&reader, &b));
    assert_true(reader_u32(&reader, &c));
    assert_true(reader_u64(&reader, &d));
    assert_int_equal(a, 0x01);
    assert_int_equal(b, 0x0302);
    assert_int_equal(c, 0x07060504);
    assert_true(d == 0x0F0E0D0C0B0A0908ull);
    assert_int_equal(reader_left_bytes(&reader), 0);
}

static void bytes_that_are_not_there_move_nothing(void **state)
{
    struct reader reader = reader_of(bytes, 3);
    uint32_t value = 77;
    uint8_t copy[4] = {9, 9, 9, 9};
    struct reader sub;
    (void)state;

    assert_false(reader_u32(&reader, &value));
    assert_false(reader_copy(&reader, copy, 4));
    assert_false(reader_skip(&reader, 4));
    assert_false(reader_skip(&reader, SIZE_MAX));
    assert_false(reader_sub(&reader, SIZE_MAX, &sub));
    assert_int_equal(value, 77);
    assert_int_equal(copy[0], 9);
    assert_int_equal(reader_left_bytes(&reader), 3);
}

static void a_sub_reader_ends_where_it_was_told_to(void **state)
{
    struct reader reader = reader_of(bytes, sizeof(bytes)), sub;
    uint16_t value;
    uint8_t byte;
    (void)state;

    assert_true(reader_skip(&reader, 2));
    assert_true(reader_sub(&reader, 3, &sub));
    assert_true(reader_u16(&sub, &value));
    assert_int_equal(value, 0x0403);
    assert_false(reader_u16(&sub, &value));
    assert_true(reader_u8(&reader, &byte));
    assert_int_equal(byte, 6);
}

static void no_bytes_at_all_is_an_empty_reader(void **state)
{
    struct reader reader = reader_of(NULL, 8);
    uint8_t value;
    (void)state;

    assert_int_equal(reader_left_bytes(&reader), 0);
    assert_false(reader_u8(&reader, &value));
    assert_true(reader_skip(&reader, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_little_endian_and_may_be_unaligned),
        cmocka_unit_test(bytes_that_are_not_there_move_nothing),
        cmocka_unit_test(a_sub_reader_ends_where_it_was_told_to),
        cmocka_unit_test(no_bytes_at_all_is_an_empty_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
