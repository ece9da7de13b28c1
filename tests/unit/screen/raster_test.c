/* Tests drivers/screen/raster.c with a font of two glyphs. */
#include "drivers/screen/psf.c"
#include "drivers/screen/raster.c"

#include <string.h>

#include "tests/unit/unit_test.h"

enum { WIDTH = 32, HEIGHT = 8 };

static struct page_item items[16];
static char words[32];
static struct page page;
static uint8_t glyphs[256 * 2];
static const struct psf font = {glyphs, 256, 2, 8, 2, 1};

static void start(bool is_text)
{
    memset(items, 0, sizeof items);
    page = (struct page){.metrics = {WIDTH, HEIGHT, 8, 2, is_text}, .items = items, .text = words};
    glyphs['A' * 2] = 0x81;
    glyphs['A' * 2 + 1] = 0xFF;
}

static struct page_item *add(enum page_kind kind, struct page_rect rect, page_colour colour)
{
    struct page_item *item = &items[page.item_count++];

    *item = (struct page_item){.kind = kind, .rect = rect, .colour = colour, .scale = 1};
    return item;
}

static void later_items_lie_above_earlier_ones(void **state)
{
    pixel_rgb line[WIDTH];

    (void)state;
    start(false);
    add(PAGE_FILL, (struct page_rect){0, 0, WIDTH, HEIGHT}, 1);
    add(PAGE_FILL, (struct page_rect){4, 2, 8, 3}, 2);
    raster_line(&page, &font, 1, line);
    assert_int_equal(line[5], 1);
    raster_line(&page, &font, 2, line);
    assert_int_equal(line[3], 1);
    assert_int_equal(line[4], 2);
    assert_int_equal(line[11], 2);
    assert_int_equal(line[12], 1);
    raster_line(&page, &font, 5, line);
    assert_int_equal(line[5], 1);
}

static void words_are_glyphs_enlarged_by_their_scale(void **state)
{
    pixel_rgb line[WIDTH];
    struct page_item *item;

    (void)state;
    start(false);
    words[0] = 'A';
    add(PAGE_FILL, (struct page_rect){0, 0, WIDTH, HEIGHT}, 0);
    item = add(PAGE_WORDS, (struct page_rect){4, 2, 16, 4}, 7);
    item->scale = 2;
    item->text_length = 1;
    raster_line(&page, &font, 3, line); /* the glyph's first row: 1000 0001 */
    assert_int_equal(line[4], 7);
    assert_int_equal(line[5], 7);
    assert_int_equal(line[6], 0);
    assert_int_equal(line[18], 7);
    assert_int_equal(line[19], 7);
    assert_int_equal(line[20], 0);
    raster_line(&page, &font, 4, line);
    assert_int_equal(line[10], 7);
}

static void a_code_has_its_dark_modules(void **state)
{
    static const uint8_t bits[2] = {0x21, 0x01}; /* (0,0), (2,1), (2,2) of 3 × 3 */
    pixel_rgb line[WIDTH];
    uint16_t row[WIDTH];

    (void)state;
    start(false);
    page.modules = (struct page_modules){3, bits};
    add(PAGE_FILL, (struct page_rect){0, 0, WIDTH, HEIGHT}, 9);
    add(PAGE_MODULES, (struct page_rect){0, 0, 6, 6}, 0)->scale = 2;
    raster_line(&page, &font, 1, line);
    assert_int_equal(line[1], 0);
    assert_int_equal(line[2], 9);
    raster_line(&page, &font, 4, line);
    assert_int_equal(line[4], 0);
    assert_int_equal(line[6], 9);

    items[1].rect = (struct page_rect){0, 0, 3, 2};
    raster_row(&page, 0, row);
    assert_int_equal(row[0], 0xDF | 0 << 8 | 7 << 12); /* dark above light */
    assert_int_equal(row[1], 0xDF | 7 << 8 | 7 << 12);
    assert_int_equal(row[2], 0xDF | 7 << 8 | 0 << 12);
    raster_row(&page, 1, row);
    assert_int_equal(row[2], 0xDF | 0 << 8 | 7 << 12);
}

static void words_in_text_mode_keep_the_paper_and_can_be_read(void **state)
{
    uint16_t row[WIDTH];

    (void)state;
    start(true);
    words[0] = 'A';
    for (uint32_t colour = 0; colour < 8; colour++) {
        page.item_count = 0;
        add(PAGE_FILL, (struct page_rect){0, 0, WIDTH, 1}, vga_colours[colour]);
        add(PAGE_WORDS, (struct page_rect){2, 0, 1, 1}, vga_colours[colour])->text_length = 1;
        raster_row(&page, 0, row);
        assert_int_equal(row[2] & 0xFF, 'A');
        assert_int_equal(row[2] >> 12, colour);
        assert_int_not_equal(row[2] >> 8 & 0xF, colour);
        assert_int_equal(row[1], ' ' | 7 << 8 | colour << 12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_items_lie_above_earlier_ones),
        cmocka_unit_test(words_are_glyphs_enlarged_by_their_scale),
        cmocka_unit_test(a_code_has_its_dark_modules),
        cmocka_unit_test(words_in_text_mode_keep_the_paper_and_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
