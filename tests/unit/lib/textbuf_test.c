/* Tests kernel/lib/textbuf.c, crc32.c and input_error.c. */
#include "kernel/lib/textbuf.h"

#include <string.h>

#include "kernel/lib/crc32.h"
#include "kernel/lib/input_error.h"
#include "tests/unit/unit_test.h"

static void text_that_does_not_fit_is_cut_and_marked(void **state)
{
    char storage[8];
    struct textbuf buf;
    (void)state;

    textbuf_init(&buf, storage, sizeof(storage));
    textbuf_put(&buf, "1234567");
    assert_false(buf.is_cut);
    textbuf_putc(&buf, '8');
    assert_true(buf.is_cut);
    assert_string_equal(storage, "1234567");
    assert_int_equal(buf.length, 7);
}

static void collect(struct textbuf *buf, void *context)
{
    strcat(context, buf->text);
    strcat(context, "|");
}

static void a_full_buffer_is_handed_over_instead_of_cut(void **state)
{
    char storage[5], seen[64] = "";
    struct textbuf buf;
    (void)state;

    textbuf_init(&buf, storage, sizeof(storage));
    buf.flush = collect;
    buf.flush_context = seen;
    textbuf_put(&buf, "abcdefghij");
    assert_string_equal(seen, "abcd|efgh|");
    assert_string_equal(storage, "ij");
    assert_false(buf.is_cut);
}

static void numbers_are_written_in_decimal_and_padded_hex(void **state)
{
    char storage[128];
    struct textbuf buf;
    (void)state;

    textbuf_init(&buf, storage, sizeof(storage));
    textbuf_put_decimal(&buf, 0);
    textbuf_putc(&buf, ' ');
    textbuf_put_decimal(&buf, UINT64_MAX);
    textbuf_putc(&buf, ' ');
    textbuf_put_hex(&buf, 0xBEEF, 8);
    textbuf_putc(&buf, ' ');
    textbuf_put_hex(&buf, 0, 1);
    textbuf_putc(&buf, ' ');
    textbuf_put_hex(&buf, UINT64_MAX, 2);
    assert_string_equal(storage, "0 18446744073709551615 0000beef 0 ffffffffffffffff");
}

static void one_call_writes_at_most_1023_bytes(void **state)
{
    static char storage[4096];
    struct textbuf buf;
    (void)state;

    textbuf_init(&buf, storage, sizeof(storage));
    textbuf_printf(&buf, "%1023d", 7);
    assert_false(buf.is_cut);
    assert_int_equal(buf.length, 1023);
    textbuf_printf(&buf, "%1024d", 7);
    assert_true(buf.is_cut);
    assert_int_equal(buf.length, 2046);
}

static void a_buffer_without_room_stays_silent(void **state)
{
    struct textbuf buf;
    (void)state;

    textbuf_init(&buf, NULL, 0);
    textbuf_put(&buf, "x");
    assert_true(buf.is_cut);
    assert_int_equal(buf.length, 0);
}

/* The check value of the CRC catalogue for CRC-32/ISO-HDLC. */
static void crc_of_the_check_string_is_cbf43926(void **state)
{
    (void)state;
    assert_int_equal(crc32_update(0, "123456789", 9), 0xCBF43926);
    assert_int_equal(crc32_update(crc32_update(0, "1234", 4), "56789", 5), 0xCBF43926);
    assert_int_equal(crc32_update(0, "", 0), 0);
}

static void an_error_keeps_its_place_and_a_whole_sentence(void **state)
{
    struct input_error error;
    (void)state;

    input_error_set(&error, PLACE_LINE, 12, "'%s' is not a CPU number", "cpu x");
    assert_int_equal(error.place_kind, PLACE_LINE);
    assert_int_equal(error.place, 12);
    assert_string_equal(error.text, "'cpu x' is not a CPU number");
    input_error_set(&error, PLACE_OFFSET, 0, "%300d", 1);
    assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
    input_error_set(NULL, PLACE_NONE, 0, "nobody asked");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_does_not_fit_is_cut_and_marked),
        cmocka_unit_test(a_full_buffer_is_handed_over_instead_of_cut),
        cmocka_unit_test(numbers_are_written_in_decimal_and_padded_hex),
        cmocka_unit_test(one_call_writes_at_most_1023_bytes),
        cmocka_unit_test(a_buffer_without_room_stays_silent),
        cmocka_unit_test(crc_of_the_check_string_is_cbf43926),
        cmocka_unit_test(an_error_keeps_its_place_and_a_whole_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
