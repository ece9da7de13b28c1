/* The loader's words: what a configuration file and a command line make together. */
#include <string.h>

#include "boot/info/loader_text.h"
#include "tests/unit/unit_test.h"

static void comments_are_left_out_and_words_joined_by_one_blank(void **state)
{
    char text[64] = "";
    (void)state;
    assert_true(loader_text_append_words(text, sizeof text,
                                         "# run=x\r\n\tbudget=10m  # y z\r\nhelp\n", ""));
    assert_string_equal(text, "budget=10m help");
}

static void a_stronger_word_replaces_one_of_its_name(void **state)
{
    char text[64] = "";
    (void)state;
    assert_true(loader_text_append_words(text, sizeof text, "run=bench budget=10m", "run=topology"));
    assert_true(loader_text_append_words(text, sizeof text, "run=topology", ""));
    assert_string_equal(text, "budget=10m run=topology");
}

static void a_name_that_only_begins_alike_is_another(void **state)
{
    char text[64] = "";
    (void)state;
    assert_true(loader_text_append_words(text, sizeof text, "runs=1 ru=2 run", "run=3"));
    assert_string_equal(text, "runs=1 ru=2");
}

static void what_does_not_fit_is_told(void **state)
{
    char text[8] = "", exact[8] = "";
    (void)state;
    assert_false(loader_text_append_words(text, sizeof text, "abc defg", ""));
    assert_string_equal(text, "abc def");
    assert_true(loader_text_append_words(exact, sizeof exact, "abc def", ""));
    assert_false(loader_text_append(exact, sizeof exact, "x"));
}

static void options_of_a_menu_are_between_quotes(void **state)
{
    char menu[] = "# words, between the quotes\noptions=\"x\"\r\noptions=\"run=topology budget=9s\"\n#\n";
    char plain[] = "# a comment\nrun=topology\n", open[] = "options=\"run=bench\nset x", none[] = "";
    (void)state;
    assert_string_equal(loader_text_quoted_options(menu), "run=topology budget=9s");
    assert_string_equal(loader_text_quoted_options(plain), "# a comment\nrun=topology\n");
    assert_string_equal(loader_text_quoted_options(open), "run=bench");
    assert_string_equal(loader_text_quoted_options(none), "");
}

static void the_last_quiet_word_counts(void **state)
{
    (void)state;
    assert_true(loader_text_last_value_is("quiet=firmware a QUIET=Exit", "quiet=", "exit"));
    assert_false(loader_text_last_value_is("quiet=exit quiet=firmware", "quiet=", "exit"));
    assert_false(loader_text_last_value_is("# quiet=exit", "quiet=", "exit"));
    assert_false(loader_text_last_value_is("quiet=exits", "quiet=", "exit"));
    assert_false(loader_text_last_value_is("", "quiet=", "exit"));
}

static void numbers_have_at_least_their_digits(void **state)
{
    char text[32] = "";
    (void)state;
    assert_true(loader_text_append_number(text, sizeof text, 7, 3));
    assert_true(loader_text_append_number(text, sizeof text, UINT64_MAX, 1));
    assert_string_equal(text, "00718446744073709551615");
}

static void wide_text_beyond_ascii_becomes_question_marks(void **state)
{
    const uint16_t wide[] = {'A', 0xe9, 'B', 0, 'C'};
    char text[8] = "";
    (void)state;
    assert_true(loader_text_append16(text, sizeof text, wide, 5));
    assert_string_equal(text, "A?B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_are_left_out_and_words_joined_by_one_blank),
        cmocka_unit_test(a_stronger_word_replaces_one_of_its_name),
        cmocka_unit_test(a_name_that_only_begins_alike_is_another),
        cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(options_of_a_menu_are_between_quotes),
        cmocka_unit_test(the_last_quiet_word_counts),
        cmocka_unit_test(numbers_have_at_least_their_digits),
        cmocka_unit_test(wide_text_beyond_ascii_becomes_question_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
