/* Items are drawn in their order, so that later ones lie above. */
#include "drivers/screen/raster.h"

enum {
    VGA_DARK_COLOURS = 8, VGA_COLOURS = 16,
    VGA_BLACK = 0, VGA_GREY = 7, VGA_WHITE = 15,
    VGA_UPPER_HALF = 0xDF,  /* code page 437 */
};

static bool crosses(const struct page_rect *rect, uint32_t y)
{
    return y >= rect->y && y - rect->y < rect->height;
}

static void fill_line(const struct page_item *item, pixel_rgb *line)
{
    for (uint32_t i = 0; i < item->rect.width; i++)
        line[item->rect.x + i] = item->colour;
}

static void words_line(const struct page *page, const struct page_item *item,
                       const struct psf *font, uint32_t y, pixel_rgb *line)
{
    const char *text = page->text + item->text_offset;
    uint32_t row = (y - item->rect.y) / item->scale;
    pixel_rgb *at = line + item->rect.x;

    for (uint32_t i = 0; i < item->text_length; i++) {
        const uint8_t *glyph = psf_glyph(font, (uint8_t)text[i]);

        for (uint32_t column = 0; column < font->width; column++, at += item->scale)
            if (psf_bit(font, glyph, row, column))
                for (uint32_t k = 0; k < item->scale; k++)
                    at[k] = item->colour;
    }
}

static bool is_dark(const struct page_modules *modules, uint32_t x, uint32_t y)
{
    uint32_t bit = y * modules->size + x;

    return x < modules->size && y < modules->size && modules->bits[bit / 8] >> bit % 8 & 1;
}

static void modules_line(const struct page *page, const struct page_item *item, uint32_t y,
                         pixel_rgb *line)
{
    for (uint32_t i = 0; i < item->rect.width; i++)
        if (is_dark(&page->modules, i / item->scale, (y - item->rect.y) / item->scale))
            line[item->rect.x + i] = item->colour;
}

void raster_line(const struct page *page, const struct psf *font, uint32_t y, pixel_rgb *line)
{
    for (uint32_t i = 0; i < page->item_count; i++) {
        const struct page_item *item = &page->items[i];

        if (!crosses(&item->rect, y))
            continue;
        if (item->kind == PAGE_FILL)
            fill_line(item, line);
        else if (item->kind == PAGE_WORDS)
            words_line(page, item, font, y, line);
        else
            modules_line(page, item, y, line);
    }
}

static const page_colour vga_colours[VGA_COLOURS] = {
    0x000000, 0x0000AA, 0x00AA00, 0x00AAAA, 0xAA0000, 0xAA00AA, 0xAA5500, 0xAAAAAA,
    0x555555, 0x5555FF, 0x55FF55, 0x55FFFF, 0xFF5555, 0xFF55FF, 0xFFFF55, 0xFFFFFF,
};

static uint8_t nearest(page_colour colour, uint8_t count)
{
    uint32_t best_distance = UINT32_MAX;
    uint8_t best = 0;

    for (uint8_t i = 0; i < count; i++) {
        uint32_t distance = 0;

        for (int shift = 0; shift <= 16; shift += 8) {
            int part = (int)(colour >> shift & 0xFF) - (int)(vga_colours[i] >> shift & 0xFF);
            distance += (uint32_t)(part * part);
        }
        if (distance < best_distance) {
            best_distance = distance;
            best = i;
        }
    }
    return best;
}

uint8_t raster_vga_paper(page_colour colour)
{
    return nearest(colour, VGA_DARK_COLOURS);
}

/* Ink of a colour too near to its paper becomes black or white. */
uint8_t raster_vga_ink(page_colour colour, uint8_t paper)
{
    uint8_t ink = nearest(colour, VGA_COLOURS);

    if (paper == VGA_BLACK)
        return ink == VGA_BLACK ? VGA_GREY : ink;
    return paper == VGA_GREY || paper == 3 || paper == 2 ? VGA_BLACK : VGA_WHITE;
}

static void modules_row(const struct page *page, const struct page_item *item, uint32_t y,
                        uint16_t *row)
{
    for (uint32_t x = 0; x < item->rect.width; x++) {
        uint32_t upper = 2 * (y - item->rect.y);
        uint8_t ink = is_dark(&page->modules, x, upper) ? VGA_BLACK : VGA_GREY;
        uint8_t paper = is_dark(&page->modules, x, upper + 1) ? VGA_BLACK : VGA_GREY;

        row[item->rect.x + x] = (uint16_t)(VGA_UPPER_HALF | ink << 8 | paper << 12);
    }
}

static void words_row(const struct page *page, const struct page_item *item, uint16_t *row)
{
    for (uint32_t i = 0; i < item->text_length; i++) {
        uint16_t *cell = &row[item->rect.x + i];
        uint8_t paper = *cell >> 12 & 7;

        *cell = (uint16_t)((uint8_t)page->text[item->text_offset + i] |
                           raster_vga_ink(item->colour, paper) << 8 | paper << 12);
    }
}

void raster_row(const struct page *page, uint32_t y, uint16_t *row)
{
    for (uint32_t i = 0; i < page->item_count; i++) {
        const struct page_item *item = &page->items[i];

        if (!crosses(&item->rect, y))
            continue;
        if (item->kind == PAGE_FILL)
            for (uint32_t x = 0; x < item->rect.width; x++)
                row[item->rect.x + x] = (uint16_t)(' ' | VGA_GREY << 8 |
                                                   raster_vga_paper(item->colour) << 12);
        else if (item->kind == PAGE_WORDS)
            words_row(page, item, row);
        else
            modules_row(page, item, y, row);
    }
}
