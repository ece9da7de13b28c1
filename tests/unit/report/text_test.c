/* Layout of report.txt: columns, wrapping, tables, foreign bytes. */
#include "kernel/report/text.h"

#include <string.h>

#include "tests/unit/unit_test.h"

static char text[4096];
static struct textbuf out;

static void start(void)
{
    textbuf_init(&out, text, sizeof(text));
}

static unsigned widest_line(void)
{
    unsigned widest = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        unsigned width = (unsigned)strcspn(line, "\n");

        widest = width > widest ? width : widest;
    }
    return widest;
}

static void sentences_break_between_words_at_column_80(void **state)
{
    char sentence[400] = "";

    (void)state;
    for (int i = 0; i < 60; i++)
        strcat(sentence, i % 7 ? "four " : "eleven-long ");
    start();
    text_wrap(&out, "    first ", 10, sentence);
    assert_in_range(widest_line(), 70, 80);
    assert_memory_equal(strchr(text, '\n') + 1, "          ", 10);
}

static void a_word_that_fills_the_line_exactly_stays_on_it(void **state)
{
    char word[81];

    (void)state;
    memset(word, 'x', 75);
    strcpy(word + 75, " abcd");
    start();
    text_wrap(&out, "", 0, word);
    assert_int_equal(strcspn(text, "\n"), 80);
    word[80] = '\0';
    start();
    text_wrap(&out, " ", 0, word);
    assert_int_equal(strcspn(text, "\n"), 76);
}

static void labels_and_values_stand_in_columns(void **state)
{
    (void)state;
    start();
    text_pair(&out, "CPU", "%s %u", "model", 85u);
    assert_string_equal(text, "CPU                 model 85\n");
    start();
    text_pair(&out, "a label of more than 20", "value");
    assert_string_equal(text, "a label of more than 20 value\n");
}

static void numbers_in_tables_stand_right_and_are_never_cut(void **state)
{
    static const struct text_column columns[] = {
        {"size", 6, false}, {"GiB/s", 8, true}, {"note", 6, false},
    };
    struct text_table table;

    (void)state;
    start();
    text_table_begin(&table, &out, columns, 3);
    text_cell_size(&table, 16 << 20);
    text_cell_gib_per_s(&table, 12165408686ull); /* 11.33 * 2^30 */
    text_cell(&table, "%s", "ok");
    text_cell(&table, "%s", "abcdefgh");
    text_cell_fixed(&table, -15, 1);
    text_table_end_row(&table);
    assert_string_equal(text, "size      GiB/s note\n"
                              "------ -------- ------\n"
                              "16M       11.33 ok\n"
                              "abcdefgh     -1.5 \n");
}

static void foreign_bytes_do_not_reach_the_terminal(void **state)
{
    (void)state;
    start();
    text_put_clean(&out, "a\033[2Jb\r\nc\xFF""d\xC2\xAE");
    assert_string_equal(text, "a [2Jb  c?d\xC2\xAE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_break_between_words_at_column_80),
        cmocka_unit_test(a_word_that_fills_the_line_exactly_stays_on_it),
        cmocka_unit_test(labels_and_values_stand_in_columns),
        cmocka_unit_test(numbers_in_tables_stand_right_and_are_never_cut),
        cmocka_unit_test(foreign_bytes_do_not_reach_the_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
