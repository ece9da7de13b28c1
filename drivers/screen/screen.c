/* Draws cells of a text_grid. Rows of a glyph are put together in RAM and copied whole:
 * through a write-combining mapping only long stores are fast. */
#include "drivers/screen/screen.h"

#include <string.h>

#include "drivers/screen/pixel.h"
#include "drivers/screen/psf.h"
#include "drivers/screen/text_grid.h"
#include "kernel/cpu/physmap.h"

enum {
    LARGE_FONT_FROM_WIDTH = 2560,
    MAX_GLYPH_WIDTH = 32,
    MAX_PIXEL_BYTES = 4,
    VGA_CELL_BYTES = 2,
    VGA_GREY_ON_BLACK = 0x07,
    VGA_STATUS = 0x70,
};
#define COLOUR_PAPER 0x000000u
#define COLOUR_INK 0xC8C8C8u
#define COLOUR_STATUS_PAPER 0x203850u
#define COLOUR_STATUS_INK 0xFFFFFFu

struct screen {
    struct screen_mode mode;
    uint8_t *memory;
    struct psf font;
    uint32_t pixel_bytes;
    uint32_t paper, ink, status_paper, status_ink; /* as pixels */
};

extern const uint8_t font_small[], font_small_end[], font_large[], font_large_end[];

static struct screen screen;
static struct text_grid grid;

static void put_pixel(uint8_t *at, uint32_t pixel)
{
    for (uint32_t i = 0; i < screen.pixel_bytes; i++)
        at[i] = (uint8_t)(pixel >> 8 * i);
}

static void draw_glyph(void *context, uint32_t column, uint32_t row, uint8_t code)
{
    uint8_t line[MAX_GLYPH_WIDTH * MAX_PIXEL_BYTES];
    const struct psf *font = &screen.font;
    const uint8_t *glyph = psf_glyph(font, code);
    bool is_status = row == grid.rows - 1;
    uint32_t ink = is_status ? screen.status_ink : screen.ink;
    uint32_t paper = is_status ? screen.status_paper : screen.paper;
    uint8_t *target = screen.memory + (uint64_t)row * font->height * screen.mode.pitch_bytes +
                      (uint64_t)column * font->width * screen.pixel_bytes;

    (void)context;
    for (uint32_t y = 0; y < font->height; y++, target += screen.mode.pitch_bytes) {
        for (uint32_t x = 0; x < font->width; x++)
            put_pixel(line + x * screen.pixel_bytes, psf_bit(font, glyph, y, x) ? ink : paper);
        memcpy(target, line, (size_t)font->width * screen.pixel_bytes);
    }
}

static void draw_cell(void *context, uint32_t column, uint32_t row, uint8_t code)
{
    uint8_t *cell = screen.memory + (uint64_t)row * screen.mode.pitch_bytes +
                    (uint64_t)column * VGA_CELL_BYTES;

    (void)context;
    cell[0] = code;
    cell[1] = row == grid.rows - 1 ? VGA_STATUS : VGA_GREY_ON_BLACK;
}

static void flush(void)
{
    text_grid_flush(&grid, screen.mode.kind == SCREEN_TEXT ? draw_cell : draw_glyph, NULL);
}

/* Everything once, because what is there is not ours. Black pixels are blank cells
 * already, but for the status row. */
static void clear(void)
{
    size_t log_cells = (size_t)grid.columns * (grid.rows - 1);

    if (screen.mode.kind == SCREEN_PIXELS)
        for (uint32_t y = 0; y < screen.mode.height; y++)
            memset(screen.memory + (uint64_t)y * screen.mode.pitch_bytes, 0,
                   (size_t)screen.mode.width * screen.pixel_bytes);
    else
        memset(grid.drawn, 0, log_cells);
    memset(grid.drawn + log_cells, 0, grid.columns);
    flush();
}

static bool open_pixels(const struct screen_mode *mode)
{
    const struct pixel_format format = {
        mode->bits_per_pixel, mode->red_shift,  mode->red_bits,  mode->green_shift,
        mode->green_bits,     mode->blue_shift, mode->blue_bits,
    };
    bool is_large = mode->width >= LARGE_FONT_FROM_WIDTH;
    const uint8_t *font = is_large ? font_large : font_small;
    const uint8_t *end = is_large ? font_large_end : font_small_end;

    if (!pixel_is_usable(&format) || !psf_open(&screen.font, font, (size_t)(end - font)))
        return false;
    screen.pixel_bytes = pixel_bytes(&format);
    if (mode->pitch_bytes < (uint64_t)mode->width * screen.pixel_bytes ||
        !text_grid_init(&grid, mode->width / screen.font.width,
                        mode->height / screen.font.height))
        return false;
    screen.paper = pixel_of(&format, COLOUR_PAPER);
    screen.ink = pixel_of(&format, COLOUR_INK);
    screen.status_paper = pixel_of(&format, COLOUR_STATUS_PAPER);
    screen.status_ink = pixel_of(&format, COLOUR_STATUS_INK);
    screen.memory = physmap_device(mode->address, (uint64_t)mode->pitch_bytes * mode->height,
                                   PHYSMAP_WRITE_COMBINING);
    return screen.memory != NULL;
}

static bool open_text(const struct screen_mode *mode)
{
    if (mode->pitch_bytes < (uint64_t)mode->width * VGA_CELL_BYTES ||
        !text_grid_init(&grid, mode->width, mode->height))
        return false;
    screen.memory = physmap_device(mode->address, (uint64_t)mode->pitch_bytes * mode->height,
                                   PHYSMAP_UNCACHED);
    return screen.memory != NULL;
}

bool screen_open(const struct screen_mode *mode)
{
    bool is_open = false;

    screen = (struct screen){.mode = *mode};
    if (mode->kind == SCREEN_PIXELS)
        is_open = open_pixels(mode);
    else if (mode->kind == SCREEN_TEXT)
        is_open = open_text(mode);
    if (is_open)
        clear();
    else
        screen.mode.kind = SCREEN_NONE;
    return is_open;
}

static bool write_sink(struct report_sink *sink, const void *bytes, size_t length)
{
    (void)sink;
    text_grid_write(&grid, bytes, length);
    flush();
    return true;
}

void screen_sink(struct report_sink *sink)
{
    *sink = (struct report_sink){
        .name = "screen",
        .wants = SINK_PROGRESS | SINK_SUMMARY,
        .write = write_sink,
    };
}

void screen_set_status(const char *text, size_t length)
{
    if (screen.mode.kind == SCREEN_NONE)
        return;
    text_grid_set_status(&grid, text, length);
    flush();
}
