/* Cells as VGA shows them; their attributes become ANSI colours. [ECMA-48 8.3.117] */
#include "drivers/screen/page_text.h"

#include "drivers/screen/raster.h"
#include "kernel/lib/textbuf.h"

enum {
    ROW_BYTES = 2400,                /* a sequence and a character for every column, and the end */
    PLAIN = 0x07,                    /* grey on black: what a terminal shows by itself */
    INK_DARK = 30, INK_BRIGHT = 90, PAPER_DARK = 40, BRIGHT = 8,
};

/* Blue is VGA's lowest bit, red is ANSI's. */
static uint8_t ansi_of_vga(uint8_t colour)
{
    return (uint8_t)((colour & 1) << 2 | (colour & 2) | (colour >> 2 & 1));
}

static void put_attribute(struct textbuf *out, uint8_t attribute)
{
    uint8_t ink = attribute & 0xF, paper = attribute >> 4 & 7;

    textbuf_put(out, "\033[0");
    if (attribute != PLAIN)
        textbuf_printf(out, ";%u", (unsigned)(ink & BRIGHT ? INK_BRIGHT : INK_DARK) +
                                       ansi_of_vga(ink & 7));
    if (paper)
        textbuf_printf(out, ";%u", (unsigned)PAPER_DARK + ansi_of_vga(paper));
    textbuf_putc(out, 'm');
}

static bool is_blank(uint16_t cell, bool has_colour)
{
    return (cell & 0xFF) == ' ' && (!has_colour || cell >> 12 == 0);
}

static void put_row(struct textbuf *out, const uint16_t *row, uint32_t columns, bool has_colour)
{
    uint8_t attribute = PLAIN;

    while (columns && is_blank(row[columns - 1], has_colour))
        columns--;
    for (uint32_t x = 0; x < columns; x++) {
        uint8_t code = (uint8_t)row[x];

        if (has_colour && row[x] >> 8 != attribute) {
            attribute = (uint8_t)(row[x] >> 8);
            put_attribute(out, attribute);
        }
        textbuf_putc(out, (char)(code >= ' ' && code < 0x7F ? code : '?'));
    }
    if (attribute != PLAIN)
        put_attribute(out, PLAIN);
    textbuf_put(out, "\r\n");
}

void page_text_write(const struct page *page, bool has_colour, struct report_sink *sink)
{
    uint16_t row[PAGE_TEXT_MOST_COLUMNS];
    char line[ROW_BYTES];

    if (page->metrics.width > PAGE_TEXT_MOST_COLUMNS)
        return;
    for (uint32_t y = 0; y < page->metrics.height; y++) {
        struct textbuf out;

        textbuf_init(&out, line, sizeof line);
        raster_row(page, y, row);
        put_row(&out, row, page->metrics.width, has_colour);
        report_sink_write(sink, line, out.length);
    }
}
