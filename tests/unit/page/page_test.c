/* Tests kernel/page: boxes, bars and pages of the fixture's machine stay on the screen and
 * in each other, at every size. */
#include "kernel/page/bars.h"
#include "kernel/page/boxes.h"
#include "kernel/page/final.h"
#include "kernel/page/running.h"
#include "tests/unit/report/fixture.h"

static const struct page_metrics sizes[] = {
    {80, 25, 1, 1, true}, {640, 480, 8, 16, false}, {800, 600, 8, 16, false},
    {1280, 800, 8, 16, false}, {1920, 1080, 8, 16, false}, {3840, 2160, 16, 32, false},
    {320, 200, 8, 16, false}, {40, 25, 1, 1, true},
};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void assert_on_screen(const struct page *page)
{
    for (uint32_t i = 0; i < page->item_count; i++) {
        const struct page_rect *rect = &page->items[i].rect;

        assert_true(rect->width > 0 && rect->height > 0);
        assert_true(rect->x + rect->width <= page->metrics.width);
        assert_true(rect->y + rect->height <= page->metrics.height);
    }
    assert_false(page->is_cut);
}

static bool shows(const struct page *page, const char *text)
{
    for (uint32_t i = 0; i < page->item_count; i++) {
        const struct page_item *item = &page->items[i];

        if (item->kind == PAGE_WORDS && item->text_length >= strlen(text) &&
            memmem(page->text + item->text_offset, item->text_length, text, strlen(text)))
            return true;
    }
    return false;
}

static uint32_t count_colour(const struct page *page, page_colour colour)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < page->item_count; i++)
        count += page->items[i].kind == PAGE_FILL && page->items[i].colour == colour;
    return count;
}

static void open_page(struct fixture *fixture, struct page *page, uint32_t size)
{
    assert_true(page_init(page, &sizes[size], &fixture->arena));
    page_clear(page);
}

static void the_last_page_fits_every_screen(void **state)
{
    static const uint8_t bits[(65 * 65 + 7) / 8];
    struct fixture fixture;
    struct page page;
    char *text;

    (void)state;
    fixture_start(&fixture);
    findings_add(&fixture.findings, "a-finding", FINDING_ERROR, 0, "leaf 0x1", "something is wrong");
    text = fixture_text(&fixture, report_formats[0].write);
    struct final_view view = {.model = &fixture.model, .text = text, .text_bytes = strlen(text),
                              .outcome = "saved", .keys = "any key: next"};
    for (uint32_t size = 0; size < SIZES; size++) {
        open_page(&fixture, &page, size);
        page.modules = (struct page_modules){65, bits};
        for (uint32_t i = 0; i < final_page_count(&page, &view); i++) {
            final_page(&page, &view, i);
            assert_on_screen(&page);
        }
        final_page(&page, &view, 0);
        assert_true(shows(&page, "coretruth: findings"));
        if (sizes[size].width / sizes[size].char_width >= 80) {
            assert_true(shows(&page, "Test CPU @ 2.00GHz"));
            assert_true(shows(&page, "a-finding"));
            assert_true(shows(&page, "What this machine declares has 1 error."));
        }
    }
    free(text);
    fixture_end(&fixture);
}

static void the_text_pages_have_every_line_once(void **state)
{
    struct fixture fixture;
    struct page page;
    char text[4000];
    uint32_t length = 0, found = 0;

    (void)state;
    fixture_start(&fixture);
    for (unsigned i = 0; i < 300; i++)
        length += (uint32_t)snprintf(text + length, sizeof text - length, "line %03u\n", i);
    struct final_view view = {.model = &fixture.model, .text = text, .text_bytes = length,
                              .outcome = "", .keys = ""};
    open_page(&fixture, &page, 3);
    for (uint32_t number = 1; number < final_page_count(&page, &view); number++) {
        final_page(&page, &view, number);
        for (uint32_t i = 0; i < page.item_count; i++) {
            const struct page_item *item = &page.items[i];
            char wanted[16];

            if (item->kind != PAGE_WORDS || item->text_length != 8)
                continue;
            snprintf(wanted, sizeof wanted, "line %03u", (unsigned)found);
            assert_memory_equal(page.text + item->text_offset, wanted, 8);
            found++;
        }
    }
    assert_int_equal(found, 300);
    fixture_end(&fixture);
}

/* Two packages of one LLC each, two cores, two threads. */
static void boxes_nest_and_have_their_caches_colour(void **state)
{
    struct fixture fixture;
    struct page page;

    (void)state;
    fixture_start(&fixture);
    open_page(&fixture, &page, 3);
    page.item_count = 0;
    boxes_draw(&page, (struct page_rect){0, 0, 1280, 800},
               &fixture.topologies[RULE_PROFILE_COUNT - 1], &fixture.facts);
    assert_on_screen(&page);
    assert_int_equal(count_colour(&page, boxes_colour(&page, 0)), 4); /* threads */
    assert_int_equal(count_colour(&page, boxes_colour(&page, 1)), 4);
    assert_int_equal(count_colour(&page, boxes_colour(&page, 2)), 0);
    assert_true(shows(&page, "package 1"));
    assert_true(shows(&page, "L3 16M"));
    assert_true(shows(&page, "core 1"));
    assert_false(shows(&page, "L2")); /* of one core: not drawn */
    for (uint32_t i = 0; i < page.item_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct page_rect *in = &page.items[i].rect, *out = &page.items[k].rect;
            bool is_apart = in->x >= out->x + out->width || out->x >= in->x + in->width ||
                            in->y >= out->y + out->height || out->y >= in->y + in->height;
            bool is_inside = in->x >= out->x && in->y >= out->y &&
                             in->x + in->width <= out->x + out->width &&
                             in->y + in->height <= out->y + out->height;

            if (page.items[i].kind == PAGE_FILL && page.items[k].kind == PAGE_FILL)
                assert_true(is_apart || is_inside);
        }
    fixture_end(&fixture);
}

static void the_longest_bar_has_the_highest_value(void **state)
{
    struct fixture fixture;
    struct bars bars = {.count = 0};
    struct page page;
    uint32_t widths[3], count = 0;

    (void)state;
    fixture_start(&fixture);
    for (unsigned i = 0; i < 3; i++) {
        struct bar *bar = bars_add(&bars);

        snprintf(bar->name, sizeof bar->name, "bar %u", i);
        bar->value = 100 * (i + 1);
        bar->is_marked = i == 1;
    }
    open_page(&fixture, &page, 3);
    bars_draw(&page, (struct page_rect){0, 0, 600, 200}, &bars);
    assert_on_screen(&page);
    for (uint32_t i = 0; i < page.item_count; i++)
        if (page.items[i].colour == PAGE_GOOD || page.items[i].colour == PAGE_ACCENT)
            widths[count++] = page.items[i].rect.width;
    assert_int_equal(count, 3);
    assert_int_equal(count_colour(&page, PAGE_GOOD), 1);
    assert_in_range(widths[0], widths[2] / 3 - 1, widths[2] / 3 + 1);
    assert_in_range(widths[1], widths[2] * 2 / 3 - 1, widths[2] * 2 / 3 + 1);
    fixture_end(&fixture);
}

static void the_bar_of_the_running_page_grows(void **state)
{
    struct running_view view = {.phase = "clearing pages", .step = 3, .percent = 50,
                                .elapsed_ms = 65000, .left_ms = 5000, .version = "abc clang",
                                .place = "here"};
    struct fixture fixture;
    struct page page;
    uint32_t half = 0;

    (void)state;
    fixture_start(&fixture);
    open_page(&fixture, &page, 2);
    running_page(&page, &view);
    assert_on_screen(&page);
    assert_true(shows(&page, "3. clearing pages"));
    assert_true(shows(&page, "50 %, 1 min 5 s gone, 5 s left"));
    for (uint32_t i = 0; i < page.item_count; i++)
        if (page.items[i].colour == PAGE_GOOD)
            half = page.items[i].rect.width;
    assert_int_equal(half, (800 - 16) / 2);
    fixture_end(&fixture);
}

static void words_are_cut_and_wrapped(void **state)
{
    struct fixture fixture;
    struct page page;

    (void)state;
    fixture_start(&fixture);
    open_page(&fixture, &page, 0);
    assert_int_equal(page_words(&page, 0, 0, 1, 8, PAGE_INK, "0123456789"), 8);
    assert_true(shows(&page, "012345.."));
    assert_int_equal(page_wrap(&page, 0, 1, 1, 10, 2, PAGE_INK, "one two three four five"), 2);
    assert_true(shows(&page, "one two"));
    assert_true(shows(&page, "three fo.."));
    assert_int_equal(page_words(&page, 79, 0, 1, 8, PAGE_INK, "abc"), 1);
    assert_int_equal(page_words(&page, 0, 25, 1, 8, PAGE_INK, "below"), 0);
    assert_int_equal(page_words(&page, 0, 2, 1, 8, PAGE_INK, "\xC3\xA9\n"), 2);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_page_fits_every_screen),
        cmocka_unit_test(the_text_pages_have_every_line_once),
        cmocka_unit_test(boxes_nest_and_have_their_caches_colour),
        cmocka_unit_test(the_longest_bar_has_the_highest_value),
        cmocka_unit_test(the_bar_of_the_running_page_grows),
        cmocka_unit_test(words_are_cut_and_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
