/* From top to bottom: status, then machine and findings beside the code, then topology
 * beside bars, then the verdict and what became of the files. */
#include "kernel/page/final.h"

#include <string.h>

#include "kernel/lib/textbuf.h"
#include "kernel/page/bars.h"
#include "kernel/page/boxes.h"
#include "kernel/page/final_parts.h"
#include "kernel/report/sentence.h"

enum { SENTENCE_BYTES = 480, REPORT_COLUMNS = 82, WIDE_COLUMNS = 80, VERDICT_LINES = 3 };

struct frame {
    struct page_rect header, body, footer;
    uint32_t header_scale;
};

static struct frame make_frame(const struct page *page)
{
    const struct page_metrics *m = &page->metrics;
    uint32_t scale = m->is_text ? 1 : 2, pad = m->is_text ? 0 : m->char_height / 4;
    uint32_t top = m->char_height * scale + 2 * pad, bottom = m->char_height + 2 * pad;

    return (struct frame){
        .header = {0, 0, m->width, top},
        .body = {0, top + pad, m->width, m->height - top - bottom - 2 * pad},
        .footer = {0, m->height - bottom, m->width, bottom},
        .header_scale = scale,
    };
}

static page_colour status_colour(enum report_status status)
{
    return status == REPORT_PASS ? PAGE_GOOD : status == REPORT_FINDINGS ? PAGE_WARNING : PAGE_BAD;
}

static void draw_header(struct page *page, const struct frame *frame, const struct final_view *view)
{
    const struct page_metrics *m = &page->metrics;
    enum report_status status = report_status(view->model);
    page_colour paper = status_colour(status), ink = page_ink_on(paper);
    uint32_t pad = (frame->header.height - m->char_height * frame->header_scale) / 2;
    const char *version = view->model->version ? view->model->version : "";
    uint32_t columns = (uint32_t)strcspn(version, " "), x;
    char title[48];
    struct textbuf out;

    page_fill(page, frame->header, paper);
    textbuf_init(&out, title, sizeof title);
    textbuf_printf(&out, "coretruth: %s", report_status_name(status));
    page_words(page, m->char_width, pad, frame->header_scale, 32, ink, title);
    x = m->width - (columns + 1) * m->char_width;
    page_printf(page, x, pad, columns, ink, "%.*s", (int)columns, version);
}

static void draw_footer(struct page *page, const struct frame *frame,
                        const struct final_view *view, uint32_t number)
{
    const struct page_metrics *m = &page->metrics;
    uint32_t pad = (frame->footer.height - m->char_height) / 2, y = frame->footer.y + pad;
    page_colour paper = view->is_outcome_bad ? PAGE_BAD : PAGE_PANEL;
    uint32_t columns = m->width / m->char_width - 2, used;
    char right[64];
    struct textbuf out;

    page_fill(page, frame->footer, paper);
    textbuf_init(&out, right, sizeof right);
    if (view->keys[0])
        textbuf_printf(&out, "%s  ", view->keys);
    textbuf_printf(&out, "%u/%u", (unsigned)number + 1,
                   (unsigned)final_page_count(page, view));
    used = (uint32_t)out.length;
    page_words(page, (columns + 1 - used) * m->char_width, y, 1, used, PAGE_BRIGHT, right);
    page_words(page, m->char_width, y, 1, columns - used - 1, PAGE_BRIGHT, view->outcome);
}

static void draw_verdict(struct page *page, struct page_rect rect, uint32_t scale,
                         const struct final_view *view)
{
    uint32_t pad = page->metrics.is_text ? 0 : page->metrics.char_height / 4;
    char text[SENTENCE_BYTES];
    struct textbuf out;

    textbuf_init(&out, text, sizeof text);
    sentence_put(&out, view->model);
    page_fill(page, rect, PAGE_PANEL);
    page_wrap(page, rect.x + page->metrics.char_width, rect.y + pad, scale,
              rect.width / page->metrics.char_width / scale - 2,
              (rect.height - 2 * pad) / (page->metrics.char_height * scale), PAGE_BRIGHT, text);
}

static uint32_t text_page_lines(const struct page *page)
{
    struct frame frame = make_frame(page);

    return frame.body.height / page->metrics.char_height;
}

static uint32_t text_columns(const struct page *page)
{
    uint32_t columns = page->metrics.width / page->metrics.char_width / REPORT_COLUMNS;

    return columns ? columns : 1;
}

static uint32_t count_lines(const struct final_view *view)
{
    uint32_t lines = 0;

    for (uint64_t i = 0; i < view->text_bytes; i++)
        lines += view->text[i] == '\n';
    return lines;
}

static uint32_t pages_before_text(const struct page *page)
{
    return page->metrics.is_text && page->modules.size ? 2 : 1;
}

uint32_t final_page_count(const struct page *page, const struct final_view *view)
{
    uint32_t lines = text_page_lines(page) * text_columns(page);

    return pages_before_text(page) + (lines ? (count_lines(view) + lines - 1) / lines : 0);
}

static const char *skip_lines(const char *at, const char *end, uint32_t count)
{
    for (; at < end && count; at++)
        count -= *at == '\n';
    return at;
}

static void draw_text(struct page *page, struct page_rect body, const struct final_view *view,
                      uint32_t text_page)
{
    const struct page_metrics *m = &page->metrics;
    uint32_t lines = text_page_lines(page), columns = text_columns(page);
    const char *end = view->text + view->text_bytes;
    const char *at = skip_lines(view->text, end, text_page * lines * columns);
    uint32_t width = m->width / columns;

    for (uint32_t i = 0; i < lines * columns && at < end; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        int length = (int)((stop ? stop : end) - at);

        page_printf(page, i / lines * width + (m->is_text ? 0 : m->char_width),
                    body.y + i % lines * m->char_height, width / m->char_width, PAGE_INK, "%.*s",
                    length > 400 ? 400 : length, at);
        at += length + 1;
    }
}

/* Everything at once. The code takes up to half of the height and two fifths of the
 * width; in text mode there is no place for it here. */
static void draw_overview(struct page *page, struct page_rect body, const struct final_view *view)
{
    const struct page_metrics *m = &page->metrics;
    uint32_t gap = m->char_width, scale = 1, verdict;
    struct page_rect code = {0}, part;

    if (!m->is_text && body.width / (2 * m->char_width) >= WIDE_COLUMNS)
        scale = 2;
    verdict = m->is_text ? VERDICT_LINES :
              m->char_height * (scale * VERDICT_LINES) + m->char_height / 2;
    part = (struct page_rect){body.x, body.y + body.height - verdict, body.width, verdict};
    draw_verdict(page, part, scale, view);
    body.height -= verdict + (m->is_text ? 0 : gap);

    uint32_t top = m->is_text ? body.height / 2 : body.height * 11 / 20;
    if (!m->is_text)
        code = page_code(page, (struct page_rect){body.width * 3 / 5, body.y,
                                                  body.width * 2 / 5 - gap, top});
    part = (struct page_rect){gap, body.y, body.width - code.width - (code.width ? 3 : 2) * gap, top};
    uint32_t used = final_machine_and_findings(page, part, view->model);
    used = used > code.height ? used : code.height;
    top = used < top ? used : top;
    part = (struct page_rect){gap, body.y + top + (m->is_text ? 0 : gap), body.width - 2 * gap,
                              body.height - top - (m->is_text ? 0 : gap)};
    final_topology_and_bars(page, part, view->model);
}

void final_page(struct page *page, const struct final_view *view, uint32_t number)
{
    struct frame frame = make_frame(page);
    uint32_t before = pages_before_text(page);

    page_clear(page);
    if (number >= before) {
        draw_header(page, &frame, view);
        draw_text(page, frame.body, view, number - before);
    } else if (number == 1) {
        /* All lines are needed for the code. */
        page_code(page, (struct page_rect){0, 0, page->metrics.width, page->metrics.height});
        page_words(page, 1, 1, 1, 24, PAGE_BRIGHT, "Summary for");
        page_words(page, 1, 2, 1, 24, PAGE_BRIGHT, "coretruth extract");
        return;
    } else {
        draw_header(page, &frame, view);
        draw_overview(page, frame.body, view);
    }
    draw_footer(page, &frame, view, number);
}
