/* The JSON writer: RFC 8259 text out of any bytes and any 64-bit number. */
#include "kernel/report/json.h"

#include <string.h>

#include "tests/unit/unit_test.h"

static char text[4096];
static struct textbuf out;
static struct json json;

static void start(void)
{
    textbuf_init(&out, text, sizeof(text));
    json_init(&json, &out);
}

static void containers_nest_and_get_their_commas(void **state)
{
    (void)state;
    start();
    json_open_object(&json, NULL);
    json_open_array(&json, "a");
    json_u64(&json, NULL, 1);
    json_open_object(&json, NULL);
    json_open_array(&json, "empty");
    json_end(&json);
    json_bool(&json, "yes", true);
    json_no_value(&json, "none");
    json_end(&json);
    json_end(&json);
    json_open_object(&json, "o");
    json_end(&json);
    json_end(&json);
    assert_true(json_is_complete(&json));
    assert_string_equal(text, "{\n \"a\":[\n  1,\n  {\"empty\":[],\"yes\":true,\"none\":null}\n"
                        " ],\n \"o\":{}\n}\n");
}

static void the_ends_of_64_bits_are_exact(void **state)
{
    (void)state;
    start();
    json_open_array(&json, NULL);
    json_u64(&json, NULL, UINT64_MAX);
    json_i64(&json, NULL, INT64_MIN);
    json_i64(&json, NULL, INT64_MAX);
    json_fixed(&json, NULL, -50, 3);
    json_fixed(&json, NULL, 12345, 2);
    json_hex(&json, NULL, UINT64_MAX);
    json_hex(&json, NULL, 0);
    json_end(&json);
    assert_string_equal(text, "[\n 18446744073709551615,\n -9223372036854775808,\n"
                        " 9223372036854775807,\n -0.050,\n 123.45,\n \"0xffffffffffffffff\",\n"
                        " \"0x0\"\n]\n");
}

static void assert_string(const char *bytes, const char *expected)
{
    start();
    json_open_array(&json, NULL);
    json_text(&json, NULL, bytes);
    json_end(&json);
    assert_memory_equal(text, "[\n ", 3);
    assert_int_equal(strlen(text), strlen(expected) + 6);
    assert_memory_equal(text + 3, expected, strlen(expected));
}

/* Well and ill formed sequences of Unicode 15, tables 3-7 and 3-8. */
static void strings_are_escaped_and_made_valid(void **state)
{
    (void)state;
    assert_string("a\"b\\c\n\r\t\x01\x7f", "\"a\\\"b\\\\c\\n\\u000d\\u0009\\u0001\\u007f\"");
    assert_string("Xeon\xC2\xAE \xE2\x82\xAC \xF0\x9F\x98\x80",
                  "\"Xeon\xC2\xAE \xE2\x82\xAC \xF0\x9F\x98\x80\"");
    assert_string("a\xFF""b", "\"a\xEF\xBF\xBD""b\"");
    assert_string("\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_string("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_string("\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_string("\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_string("", "\"\"");
}

static void misuse_is_noticed(void **state)
{
    (void)state;
    start();
    json_open_object(&json, NULL);
    assert_false(json_is_complete(&json));
    json_u64(&json, NULL, 1);
    json_end(&json);
    assert_false(json_is_complete(&json));
    start();
    json_open_array(&json, NULL);
    json_u64(&json, "key", 1);
    json_end(&json);
    assert_false(json_is_complete(&json));
    start();
    json_open_array(&json, NULL);
    json_end(&json);
    json_end(&json);
    assert_false(json_is_complete(&json));
    start();
    for (int i = 0; i < 40; i++)
        json_open_array(&json, NULL);
    for (int i = 0; i < 40; i++)
        json_end(&json);
    assert_false(json_is_complete(&json));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_nest_and_get_their_commas),
        cmocka_unit_test(the_ends_of_64_bits_are_exact),
        cmocka_unit_test(strings_are_escaped_and_made_valid),
        cmocka_unit_test(misuse_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
