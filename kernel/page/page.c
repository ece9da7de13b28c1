/* The lists that a page is made of, and the breaking of lines. */
#include "kernel/page/page.h"

#include <stdarg.h>
#include <string.h>

#include "kernel/lib/textbuf.h"

enum {
    LINE_BYTES = 512,
    QUIET_MODULES = 4,       /* light modules around a QR code [iso 18004] */
    TEXT_QUIET_MODULES = 2,  /* all that 25 lines leave room for */
    MAX_MODULE_PIXELS = 12,
};

bool page_init(struct page *page, const struct page_metrics *metrics, struct arena *arena)
{
    *page = (struct page){.metrics = *metrics};
    page->items = ARENA_NEW(arena, struct page_item, PAGE_MAX_ITEMS);
    page->text = ARENA_NEW(arena, char, PAGE_TEXT_BYTES);
    return page->items && page->text;
}

void page_clear(struct page *page)
{
    page->item_count = page->text_length = 0;
    page->is_cut = false;
    page_fill(page, (struct page_rect){0, 0, page->metrics.width, page->metrics.height},
              PAGE_PAPER);
}

static struct page_item *add(struct page *page)
{
    if (page->item_count == PAGE_MAX_ITEMS) {
        page->is_cut = true;
        return NULL;
    }
    return &page->items[page->item_count++];
}

void page_fill(struct page *page, struct page_rect rect, page_colour colour)
{
    struct page_item *item;

    if (!rect.width || !rect.height || rect.x >= page->metrics.width ||
        rect.y >= page->metrics.height || !(item = add(page)))
        return;
    if (rect.width > page->metrics.width - rect.x)
        rect.width = page->metrics.width - rect.x;
    if (rect.height > page->metrics.height - rect.y)
        rect.height = page->metrics.height - rect.y;
    *item = (struct page_item){.kind = PAGE_FILL, .rect = rect, .colour = colour};
}

/* What a byte shows as; 0: nothing, it goes on with a character before it. */
static char shown(char byte)
{
    unsigned char value = (unsigned char)byte;

    if (value >= 0x80)
        return value >= 0xC0 ? '?' : 0;
    return value < 0x20 || value == 0x7F ? ' ' : byte;
}

/* Copies at most `columns` characters; *whole says whether that was all. */
static uint32_t copy_shown(char *target, uint32_t columns, const char *text, size_t length,
                           bool *whole)
{
    uint32_t used = 0;

    *whole = true;
    for (size_t i = 0; i < length; i++) {
        char c = shown(text[i]);

        if (!c)
            continue;
        if (used == columns) {
            *whole = false;
            return used;
        }
        target[used++] = c;
    }
    return used;
}

/* Columns between x and the right edge. */
static uint32_t columns_right_of(const struct page *page, uint32_t x, uint32_t scale)
{
    return x >= page->metrics.width ? 0 :
           (page->metrics.width - x) / (page->metrics.char_width * scale);
}

static uint32_t put_line(struct page *page, uint32_t x, uint32_t y, uint32_t scale,
                         uint32_t columns, page_colour colour, const char *text, size_t length)
{
    uint32_t room, height;
    char line[LINE_BYTES];
    bool is_whole;

    if (page->metrics.is_text)
        scale = 1;
    room = columns_right_of(page, x, scale);
    height = page->metrics.char_height * scale;
    if (columns > room)
        columns = room;
    if (columns > LINE_BYTES)
        columns = LINE_BYTES;
    if (y + height > page->metrics.height)
        return 0;
    uint32_t used = copy_shown(line, columns, text, length, &is_whole);
    if (!is_whole && used > 2)
        memcpy(line + used - 2, "..", 2);
    if (!used)
        return 0;
    struct page_item *item = page->text_length + used <= PAGE_TEXT_BYTES ? add(page) : NULL;
    if (!item) {
        page->is_cut = true;
        return 0;
    }
    *item = (struct page_item){
        .kind = PAGE_WORDS,
        .rect = {x, y, used * page->metrics.char_width * scale, height},
        .colour = colour, .scale = scale,
        .text_offset = page->text_length, .text_length = used,
    };
    memcpy(page->text + page->text_length, line, used);
    page->text_length += used;
    return used;
}

uint32_t page_words(struct page *page, uint32_t x, uint32_t y, uint32_t scale, uint32_t columns,
                    page_colour colour, const char *text)
{
    return put_line(page, x, y, scale, columns, colour, text, strlen(text));
}

uint32_t page_printf(struct page *page, uint32_t x, uint32_t y, uint32_t columns,
                     page_colour colour, const char *format, ...)
{
    char text[LINE_BYTES];
    struct textbuf out;
    va_list args;

    textbuf_init(&out, text, sizeof text);
    va_start(args, format);
    textbuf_vprintf(&out, format, args);
    va_end(args);
    return put_line(page, x, y, 1, columns, colour, text, out.length);
}

/* Bytes of the first line of `text`: up to a blank, or cut in a word that is too long. */
static size_t line_bytes(const char *text, uint32_t columns)
{
    size_t length = strlen(text), end = length < columns ? length : columns;

    if (end == length)
        return length;
    for (size_t at = end; at > 0; at--)
        if (text[at] == ' ')
            return at;
    return end;
}

uint32_t page_wrap(struct page *page, uint32_t x, uint32_t y, uint32_t scale, uint32_t columns,
                   uint32_t max_lines, page_colour colour, const char *text)
{
    uint32_t lines = 0, room;

    if (page->metrics.is_text)
        scale = 1;
    room = columns_right_of(page, x, scale);
    if (columns > room)
        columns = room;
    while (*text && columns && lines < max_lines) {
        bool is_last = lines + 1 == max_lines;
        size_t length = is_last ? strlen(text) : line_bytes(text, columns);

        put_line(page, x, y + lines * page->metrics.char_height * scale, scale, columns, colour,
                 text, length);
        lines++;
        text += length;
        while (*text == ' ')
            text++;
    }
    return lines;
}

/* In text mode a cell holds two modules, one above the other. */
struct page_rect page_code(struct page *page, struct page_rect rect)
{
    bool is_text = page->metrics.is_text;
    uint32_t quiet = is_text ? TEXT_QUIET_MODULES : QUIET_MODULES;
    uint32_t all = page->modules.size + 2 * quiet;
    uint32_t room = is_text ? 2 * rect.height : rect.height, scale;
    struct page_item *item;

    if (!page->modules.size || all > rect.width || all > room)
        return (struct page_rect){0};
    scale = is_text ? 1 : (rect.width < rect.height ? rect.width : rect.height) / all;
    if (scale > MAX_MODULE_PIXELS)
        scale = MAX_MODULE_PIXELS;
    rect.x += rect.width - all * scale;
    rect.width = all * scale;
    rect.height = is_text ? (all + 1) / 2 : all * scale;
    page_fill(page, rect, PAGE_BRIGHT);
    item = add(page);
    if (!item)
        return (struct page_rect){0};
    *item = (struct page_item){
        .kind = PAGE_MODULES,
        .rect = {rect.x + quiet * scale, rect.y + (is_text ? quiet / 2 : quiet * scale),
                 page->modules.size * scale,
                 is_text ? (page->modules.size + 1) / 2 : page->modules.size * scale},
        .colour = PAGE_BLACK, .scale = scale,
    };
    return rect;
}

page_colour page_ink_on(page_colour paper)
{
    uint32_t light = 3 * (paper >> 16 & 0xFF) + 6 * (paper >> 8 & 0xFF) + (paper & 0xFF);

    return light > 10 * 0x78 ? PAGE_BLACK : PAGE_BRIGHT;
}
