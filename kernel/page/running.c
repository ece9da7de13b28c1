/* Title, what is being done, a bar, the times. */
#include "kernel/page/running.h"

#include <string.h>

#include "kernel/lib/textbuf.h"

enum { MS_OF_S = 1000, S_OF_MIN = 60, TIMES_BYTES = 96 };

static void put_duration(struct textbuf *out, uint64_t ms)
{
    uint64_t seconds = ms / MS_OF_S;

    if (seconds >= S_OF_MIN)
        textbuf_printf(out, "%llu min ", (unsigned long long)(seconds / S_OF_MIN));
    textbuf_printf(out, "%llu s", (unsigned long long)(seconds % S_OF_MIN));
}

static void draw_title(struct page *page, const struct running_view *view)
{
    const struct page_metrics *m = &page->metrics;
    uint32_t columns = (uint32_t)strcspn(view->version, " ");

    page_fill(page, (struct page_rect){0, 0, m->width, m->char_height}, PAGE_ACCENT);
    page_words(page, m->char_width, 0, 1, 40, PAGE_BRIGHT, "coretruth is measuring this machine");
    page_printf(page, m->width - (columns + 1) * m->char_width, 0, columns, PAGE_BRIGHT, "%.*s",
                (int)columns, view->version);
}

static void draw_bar(struct page *page, uint32_t y, uint32_t percent)
{
    const struct page_metrics *m = &page->metrics;
    struct page_rect bar = {m->char_width, y, m->width - 2 * m->char_width, m->char_height};

    page_fill(page, bar, m->is_text ? 0x0000AA : PAGE_PANEL);
    bar.width = bar.width * (percent > 100 ? 100 : percent) / 100;
    page_fill(page, bar, m->is_text ? 0x00AA00 : PAGE_GOOD);
}

void running_page(struct page *page, const struct running_view *view)
{
    const struct page_metrics *m = &page->metrics;
    uint32_t line = m->char_height, columns = m->width / m->char_width - 2;
    uint32_t y = m->is_text ? line : line * 3 / 2, scale = m->is_text ? 1 : 2;
    char times[TIMES_BYTES], phase[TIMES_BYTES];
    struct textbuf out;

    page_clear(page);
    draw_title(page, view);
    textbuf_init(&out, phase, sizeof phase);
    textbuf_printf(&out, "%u. %s", (unsigned)view->step, view->phase);
    page_words(page, m->char_width, y, scale, columns / scale, PAGE_BRIGHT, phase);
    y += line * scale;
    draw_bar(page, y, view->percent);
    y += line;
    textbuf_init(&out, times, sizeof times);
    textbuf_printf(&out, "%u %%, ", (unsigned)view->percent);
    put_duration(&out, view->elapsed_ms);
    textbuf_put(&out, " gone");
    if (view->left_ms != UINT64_MAX) {
        textbuf_put(&out, ", ");
        put_duration(&out, view->left_ms + MS_OF_S - 1);
        textbuf_put(&out, " left");
    }
    uint32_t used = page_words(page, m->char_width, y, 1, columns, PAGE_INK, times);
    page_words(page, (used + 4) * m->char_width, y, 1, columns - used - 3, PAGE_FAINT,
               view->place);
}
