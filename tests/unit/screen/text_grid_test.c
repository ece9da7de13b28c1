/* Tests drivers/screen/text_grid.c. */
#include "drivers/screen/text_grid.c"

#include <stdio.h>

#include "tests/unit/unit_test.h"

enum { COLUMNS = 20, ROWS = 4 };

static struct text_grid grid;
static char shown[ROWS][COLUMNS + 1];
static uint32_t drawn_count;

static void draw(void *context, uint32_t column, uint32_t row, uint8_t code)
{
    (void)context;
    shown[row][column] = (char)code;
    drawn_count++;
}

static void start(void)
{
    assert_true(text_grid_init(&grid, COLUMNS, ROWS));
    for (uint32_t row = 0; row < ROWS; row++) {
        memset(shown[row], ' ', COLUMNS);
        shown[row][COLUMNS] = '\0';
    }
    drawn_count = 0;
}

static void write_text(const char *text)
{
    text_grid_write(&grid, text, strlen(text));
    text_grid_flush(&grid, draw, NULL);
}

static void assert_row(uint32_t row, const char *text)
{
    char padded[COLUMNS + 1];

    snprintf(padded, sizeof(padded), "%-20s", text);
    assert_string_equal(shown[row], padded);
}

static void the_log_scrolls(void **state)
{
    (void)state;
    start();
    write_text("one\ntwo\nthree\nfour\nfive");
    assert_row(0, "two");
    assert_row(1, "three");
    assert_row(2, "four");
    assert_row(3, "five");
}

static void only_what_changed_is_drawn(void **state)
{
    (void)state;
    start();
    write_text("aaa\nabb\nacc\nadd");
    assert_int_equal(drawn_count, 12);
    drawn_count = 0;
    write_text("\naee"); /* every row moves up: the first column stays as it is */
    assert_int_equal(drawn_count, 8);
    drawn_count = 0;
    write_text("");
    assert_int_equal(drawn_count, 0);
}

static void a_word_goes_to_the_next_line_whole(void **state)
{
    (void)state;
    start();
    write_text("7 of 7 got a second start message\nabcdefghijklmnopqrst u");
    assert_row(0, "7 of 7 got a second");
    assert_row(1, "start message");
    assert_row(2, "abcdefghijklmnopqrst");
    assert_row(3, "u");
}

static void a_full_line_does_not_leave_an_empty_one(void **state)
{
    (void)state;
    start();
    write_text("01234567890123456789\nnext");
    assert_row(0, "01234567890123456789");
    assert_row(1, "next");
    start();
    write_text("01234567890123456789x");
    assert_row(1, "x");
}

static void a_return_writes_over_the_line(void **state)
{
    (void)state;
    start();
    write_text("10 percent\r99");
    assert_row(0, "99 percent");
}

static void tabs_go_to_multiples_of_eight(void **state)
{
    (void)state;
    start();
    write_text("ab\tc\td");
    assert_row(0, "ab      c       d");
}

static void a_character_beyond_ascii_is_one_mark(void **state)
{
    (void)state;
    start();
    write_text("a\xC3\xA9" "b\xE2\x80\xA6" "c\x1B\x07");
    assert_row(0, "a?b?c");
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    assert_false(text_grid_init(&grid, 0, 0));
    assert_false(text_grid_init(&grid, 80, 0));
    assert_false(text_grid_init(&grid, UINT32_MAX, UINT32_MAX));
    assert_false(text_grid_init(&grid, TEXT_GRID_MAX_CELLS / 2, 3));
    assert_true(text_grid_init(&grid, TEXT_GRID_MAX_CELLS / 2, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_scrolls),
        cmocka_unit_test(only_what_changed_is_drawn),
        cmocka_unit_test(a_word_goes_to_the_next_line_whole),
        cmocka_unit_test(a_full_line_does_not_leave_an_empty_one),
        cmocka_unit_test(a_return_writes_over_the_line),
        cmocka_unit_test(tabs_go_to_multiples_of_eight),
        cmocka_unit_test(a_character_beyond_ascii_is_one_mark),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
