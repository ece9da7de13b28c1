/* A page of the screen as a list of filled rectangles, words and a QR code: laid out here
 * in pure code, drawn by drivers/screen. Later items lie over earlier ones. The unit is a
 * pixel, or a character cell where the screen is VGA text. */
#ifndef KERNEL_PAGE_PAGE_H
#define KERNEL_PAGE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"

enum { PAGE_MAX_ITEMS = 12000, PAGE_TEXT_BYTES = 96 * 1024 };

/* 0xRRGGBB. */
typedef uint32_t page_colour;
#define PAGE_PAPER 0x10161Cu
#define PAGE_INK 0xD8DEE4u
#define PAGE_BRIGHT 0xFFFFFFu
#define PAGE_FAINT 0x8A949Eu
#define PAGE_PANEL 0x1C2630u
#define PAGE_GOOD 0x2E8B57u
#define PAGE_WARNING 0xD08A1Du
#define PAGE_BAD 0xC03A3Au
#define PAGE_ACCENT 0x3A6EA5u
#define PAGE_BLACK 0x000000u

struct page_metrics {
    uint32_t width, height;           /* of the screen */
    uint32_t char_width, char_height; /* 1 and 1 in text mode */
    bool is_text;
};

struct page_rect {
    uint32_t x, y, width, height;
};

enum page_kind { PAGE_FILL, PAGE_WORDS, PAGE_MODULES };

struct page_item {
    enum page_kind kind;
    struct page_rect rect;
    page_colour colour;
    uint32_t scale;                   /* words: glyph enlargement; modules: pixels of one */
    uint32_t text_offset, text_length;
};

/* A QR code: size * size bits, row by row, 1 is dark. */
struct page_modules {
    uint32_t size;
    const uint8_t *bits;
};

struct page {
    struct page_metrics metrics;
    struct page_item *items;
    uint32_t item_count;
    char *text;                       /* of all words, not terminated */
    uint32_t text_length;
    bool is_cut;                      /* sticky: something did not fit in the lists */
    struct page_modules modules;
};

/* Takes the lists from the arena. False: it is full. */
bool page_init(struct page *page, const struct page_metrics *metrics, struct arena *arena);

/* Nothing on it but the paper. */
void page_clear(struct page *page);

void page_fill(struct page *page, struct page_rect rect, page_colour colour);

/* One line of words, cut with ".." where it is longer than `columns` characters. Bytes
 * that are no printable ASCII show as blanks, a UTF-8 character beyond it as "?".
 * Returns the columns it takes. */
uint32_t page_words(struct page *page, uint32_t x, uint32_t y, uint32_t scale, uint32_t columns,
                    page_colour colour, const char *text);
uint32_t page_printf(struct page *page, uint32_t x, uint32_t y, uint32_t columns,
                     page_colour colour, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Words broken into at most `max_lines` lines of `columns`, the last cut. Returns lines. */
uint32_t page_wrap(struct page *page, uint32_t x, uint32_t y, uint32_t scale, uint32_t columns,
                   uint32_t max_lines, page_colour colour, const char *text);

/* The QR code with its quiet zone, as large as fits in `rect`, at its top right corner.
 * Returns the rectangle taken; width 0: it does not fit, or there is none. */
struct page_rect page_code(struct page *page, struct page_rect rect);

/* Dark or bright words, whichever is easier to read on that colour. */
page_colour page_ink_on(page_colour paper);

#endif
