/* Tests drivers/screen/page_text.c: cells in, bytes of a terminal out. [ECMA-48 8.3.117] */
#include "drivers/screen/page_text.c"
#include "drivers/screen/psf.c"
#include "drivers/screen/raster.c"

#include <string.h>

#include "tests/unit/unit_test.h"

static struct page_item items[4];
static char words[] = "one\x7Ftwo";
static char sent[400];

static bool keep(struct report_sink *sink, const void *bytes, size_t length)
{
    (void)sink;
    strncat(sent, bytes, length);
    return true;
}

/* Two rows: white words on red, then bright words on nothing. */
static const char *written(bool has_colour)
{
    struct report_sink sink = {.write = keep};
    struct page page = {.metrics = {8, 2, 1, 1, true}, .items = items, .item_count = 4, .text = words};

    items[0] = (struct page_item){PAGE_FILL, {0, 0, 8, 2}, PAGE_BLACK, 1, 0, 0};
    items[1] = (struct page_item){PAGE_FILL, {1, 0, 5, 1}, 0xAA0000, 1, 0, 0};
    items[2] = (struct page_item){PAGE_WORDS, {1, 0, 3, 1}, PAGE_BRIGHT, 1, 0, 3};
    items[3] = (struct page_item){PAGE_WORDS, {2, 1, 4, 1}, 0x5555FF, 1, 3, 4};
    sent[0] = '\0';
    page_text_write(&page, has_colour, &sink);
    return sent;
}

static void without_colour_no_control_byte_goes_out(void **state)
{
    (void)state;
    assert_string_equal(written(false), " one\r\n  ?two\r\n");
}

static void colours_are_those_of_the_cells(void **state)
{
    (void)state;
    assert_string_equal(written(true), " \033[0;97;41mone\033[0;37;41m  \033[0m\r\n"
                                       "  \033[0;94m?two\033[0m\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_colour_no_control_byte_goes_out),
        cmocka_unit_test(colours_are_those_of_the_cells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
