/* What a terminal added to a log is left out; what only looks like it stays. */
#include "host/log_clean.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/unit_test.h"

static void expect_clean(const char *log, const char *wanted, const char *told)
{
    struct log_clean clean;

    assert_true(log_clean_make(log, strlen(log), &clean));
    assert_int_equal(clean.length_bytes, strlen(wanted));
    assert_memory_equal(clean.bytes, wanted, clean.length_bytes);
    assert_string_equal(clean.told, told);
    log_clean_free(&clean);
}

/* A character set is ESC, intermediate bytes, a final one (ECMA-35 13.2); a title is a string up
 * to ST (ECMA-48 5.6), or BEL as xterm takes it. */
static void every_form_of_escape_sequence_is_left_out(void **state)
{
    static const char *const forms[] = {
        "\033(B", "\033%G", "\033#8", "\033=", "\033c", "\033[?25l", "\033[1 q",
        "\033]0;a title\033\\", "\033]0;a title\a", "\033P1$r0m\033\\", "\033_an order\033\\",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        char log[128];

        snprintf(log, sizeof(log), "%sstatus pass\nline%s two\n%s", forms[i], forms[i], forms[i]);
        expect_clean(log, "status pass\nline two\n", "3 escape sequences are left out");
    }
}

/* Control characters are in no sequence (ECMA-48 5.4), and a string has an end. */
static void a_sequence_takes_no_line_feed_with_it(void **state)
{
    static const char *const logs[] = {"a\033\nb\n", "a\033[1\nb\n", "a\033]0;t\nb\n", "a\033(\nb\n",
                                       "a\n\033", "a\n\033[", "a\n\033]", "a\n\033("};

    (void)state;
    for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
        expect_clean(logs[i], logs[i], "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_escape_sequence_is_left_out),
        cmocka_unit_test(a_sequence_takes_no_line_feed_with_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
