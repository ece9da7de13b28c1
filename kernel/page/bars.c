/* The longest bar takes the width that names and values leave. */
#include "kernel/page/bars.h"

#include <string.h>

#include "kernel/report/fixed.h"

struct bar *bars_add(struct bars *bars)
{
    struct bar *bar;

    if (bars->count == BARS_MAX)
        return NULL;
    bar = &bars->list[bars->count++];
    *bar = (struct bar){.value = 0};
    return bar;
}

struct columns {
    uint32_t name, value, remark;
};

static uint32_t longer(uint32_t length, const char *text)
{
    uint32_t other = (uint32_t)strlen(text);

    return other > length ? other : length;
}

static struct columns measure(const struct bars *bars)
{
    struct columns columns = {0};

    for (uint32_t i = 0; i < bars->count; i++) {
        columns.name = longer(columns.name, bars->list[i].name);
        columns.value = longer(columns.value, bars->list[i].value_text);
        columns.remark = longer(columns.remark, bars->list[i].remark);
    }
    return columns;
}

static uint64_t highest(const struct bars *bars)
{
    uint64_t most = 1;

    for (uint32_t i = 0; i < bars->count; i++) {
        most = bars->list[i].value > most ? bars->list[i].value : most;
        most = bars->list[i].high > most ? bars->list[i].high : most;
    }
    return most;
}

static uint32_t part(uint32_t width, uint64_t value, uint64_t most)
{
    return (uint32_t)fixed_muldiv(width, value, most);
}

/* The interval as a light line through the end of its bar. */
static void draw_interval(struct page *page, struct page_rect rect, const struct bar *bar,
                          uint64_t most)
{
    uint32_t left = part(rect.width, bar->low, most), right = part(rect.width, bar->high, most);
    uint32_t thick = rect.height / 8 ? rect.height / 8 : 1;

    if (!bar->high || right <= left || page->metrics.is_text)
        return;
    page_fill(page, (struct page_rect){rect.x + left, rect.y + rect.height / 2 - thick / 2,
                                       right - left, thick}, PAGE_BRIGHT);
}

static void draw_bar(struct page *page, struct page_rect row, const struct bar *bar,
                     const struct columns *columns, uint64_t most)
{
    const struct page_metrics *metrics = &page->metrics;
    uint32_t text_y = row.y + (row.height - metrics->char_height) / 2;
    uint32_t bar_height = metrics->is_text ? 1 : row.height * 3 / 4;
    uint32_t taken = (columns->name + columns->value + columns->remark + 3) * metrics->char_width;
    struct page_rect space = {row.x + (columns->name + 1) * metrics->char_width,
                              row.y + (row.height - bar_height) / 2,
                              row.width > taken ? row.width - taken : 0, bar_height};
    uint32_t right = space.x + space.width + metrics->char_width;

    page_words(page, row.x, text_y, 1, columns->name, PAGE_INK, bar->name);
    page_fill(page, space, PAGE_PANEL);
    space.width = part(space.width, bar->value, most);
    if (bar->value && !space.width)
        space.width = 1;
    page_fill(page, space, metrics->is_text ? (bar->is_marked ? 0x00AA00 : 0x0000AA) :
                            bar->is_marked ? PAGE_GOOD : PAGE_ACCENT);
    space.width = row.width > taken ? row.width - taken : 0;
    if (space.width)
        draw_interval(page, space, bar, most);
    page_words(page, right + (columns->value - (uint32_t)strlen(bar->value_text)) *
               metrics->char_width, text_y, 1, columns->value, PAGE_INK, bar->value_text);
    page_words(page, right + (columns->value + 1) * metrics->char_width, text_y, 1,
               columns->remark, PAGE_BRIGHT, bar->remark);
}

uint32_t bars_draw(struct page *page, struct page_rect rect, const struct bars *bars)
{
    uint32_t line = page->metrics.char_height, height, drawn;
    struct columns columns = measure(bars);
    uint64_t most = highest(bars);

    if (!bars->count || rect.height < line)
        return 0;
    height = rect.height / bars->count;
    height = height < line ? line : height > 2 * line ? 2 * line : height;
    if (page->metrics.is_text)
        height = 1;
    drawn = rect.height / height < bars->count ? rect.height / height : bars->count;
    for (uint32_t i = 0; i < drawn; i++)
        draw_bar(page, (struct page_rect){rect.x, rect.y + i * height, rect.width, height},
                 &bars->list[i], &columns, most);
    return drawn * height;
}
