/* Pages are made line by line in RAM and copied whole: through a write-combining mapping
 * only long stores are fast. While the run goes on a log scrolls below the first page's
 * top; of it only the cells that changed are drawn. */
#include "drivers/screen/screen.h"

#include <string.h>

#include "drivers/screen/pixel.h"
#include "drivers/screen/psf.h"
#include "drivers/screen/raster.h"
#include "drivers/screen/text_grid.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/physmap.h"

enum {
    LARGE_FONT_FROM_WIDTH = 2560,
    MAX_WIDTH = 8192,
    MAX_GLYPH_WIDTH = 32,
    MAX_PIXEL_BYTES = 4,
    MAX_VGA_COLUMNS = 256,
    VGA_CELL_BYTES = 2,
    VGA_GREY_ON_BLACK = 0x07,
    VGA_CRTC_INDEX = 0x3D4, VGA_CRTC_VALUE = 0x3D5, /* of colour modes */
    VGA_CURSOR_START = 0x0A, VGA_CURSOR_OFF = 1 << 5,
};

struct screen {
    struct screen_mode mode;
    uint8_t *memory;
    struct psf font;
    struct pixel_format format;
    uint32_t pixel_bytes;
    uint32_t paper, ink;   /* of the log, as pixels */
    uint32_t log_top;      /* first line of the log, in the unit of pages */
    bool has_log;
};

extern const uint8_t font_small[], font_small_end[], font_large[], font_large_end[];

static struct screen screen;
static struct text_grid grid;
static pixel_rgb line[MAX_WIDTH];
static uint8_t bytes[MAX_WIDTH * MAX_PIXEL_BYTES];

static void put_pixel(uint8_t *at, uint32_t pixel)
{
    for (uint32_t i = 0; i < screen.pixel_bytes; i++)
        at[i] = (uint8_t)(pixel >> 8 * i);
}

static void draw_glyph(void *context, uint32_t column, uint32_t row, uint8_t code)
{
    uint8_t pixels[MAX_GLYPH_WIDTH * MAX_PIXEL_BYTES];
    const struct psf *font = &screen.font;
    const uint8_t *glyph = psf_glyph(font, code);
    uint8_t *target = screen.memory +
                      (uint64_t)(screen.log_top + row * font->height) * screen.mode.pitch_bytes +
                      (uint64_t)(column + 1) * font->width * screen.pixel_bytes;

    (void)context;
    for (uint32_t y = 0; y < font->height; y++, target += screen.mode.pitch_bytes) {
        for (uint32_t x = 0; x < font->width; x++)
            put_pixel(pixels + x * screen.pixel_bytes,
                      psf_bit(font, glyph, y, x) ? screen.ink : screen.paper);
        memcpy(target, pixels, (size_t)font->width * screen.pixel_bytes);
    }
}

static void draw_cell(void *context, uint32_t column, uint32_t row, uint8_t code)
{
    uint8_t *cell = screen.memory + (uint64_t)(screen.log_top + row) * screen.mode.pitch_bytes +
                    (uint64_t)(column + 1) * VGA_CELL_BYTES;

    (void)context;
    cell[0] = code;
    cell[1] = VGA_GREY_ON_BLACK;
}

static void flush(void)
{
    if (screen.has_log)
        text_grid_flush(&grid, screen.mode.kind == SCREEN_TEXT ? draw_cell : draw_glyph, NULL);
}

/* The most frequent format is the one that lines are made in. */
static bool is_plain_format(void)
{
    const struct pixel_format *format = &screen.format;

    return screen.pixel_bytes == 4 && format->red_shift == 16 && format->green_shift == 8 &&
           format->blue_shift == 0 && format->red_bits == 8 && format->green_bits == 8 &&
           format->blue_bits == 8;
}

static void copy_line(uint32_t y)
{
    uint8_t *target = screen.memory + (uint64_t)y * screen.mode.pitch_bytes;

    if (is_plain_format()) {
        memcpy(target, line, (size_t)screen.mode.width * sizeof *line);
        return;
    }
    for (uint32_t x = 0; x < screen.mode.width; x++)
        put_pixel(bytes + x * screen.pixel_bytes, pixel_of(&screen.format, line[x]));
    memcpy(target, bytes, (size_t)screen.mode.width * screen.pixel_bytes);
}

static void copy_row(const uint16_t *row, uint32_t y)
{
    memcpy(screen.memory + (uint64_t)y * screen.mode.pitch_bytes, row,
           (size_t)screen.mode.width * VGA_CELL_BYTES);
}

/* Lines `from` to `to` of the page. */
static void show(const struct page *page, uint32_t from, uint32_t to)
{
    uint16_t row[MAX_VGA_COLUMNS];

    for (uint32_t y = from; y < to; y++) {
        if (screen.mode.kind == SCREEN_TEXT) {
            raster_row(page, y, row);
            copy_row(row, y);
        } else {
            raster_line(page, &screen.font, y, line);
            copy_line(y);
        }
    }
}

void screen_metrics(struct page_metrics *metrics)
{
    bool is_text = screen.mode.kind == SCREEN_TEXT;

    *metrics = (struct page_metrics){
        .width = screen.mode.width, .height = screen.mode.height,
        .char_width = is_text ? 1 : screen.font.width,
        .char_height = is_text ? 1 : screen.font.height,
        .is_text = is_text,
    };
}

void screen_show(const struct page *page)
{
    screen.has_log = false;
    show(page, 0, screen.mode.height);
}

void screen_show_top(const struct page *page)
{
    if (screen.has_log)
        show(page, 0, screen.log_top);
}

void screen_show_log(const struct page *page, uint32_t top)
{
    struct page_metrics metrics;

    screen_metrics(&metrics);
    if (top >= metrics.height ||
        !text_grid_init(&grid, metrics.width / metrics.char_width - 2, /* a margin on each side */
                        (metrics.height - top) / metrics.char_height))
        return;
    screen.log_top = top;
    screen.has_log = true;
    screen.paper = pixel_of(&screen.format, PAGE_PAPER);
    screen.ink = pixel_of(&screen.format, PAGE_INK);
    show(page, 0, metrics.height);
}

static bool open_pixels(const struct screen_mode *mode)
{
    bool is_large = mode->width >= LARGE_FONT_FROM_WIDTH;
    const uint8_t *font = is_large ? font_large : font_small;
    const uint8_t *end = is_large ? font_large_end : font_small_end;

    screen.format = (struct pixel_format){
        mode->bits_per_pixel, mode->red_shift,  mode->red_bits,  mode->green_shift,
        mode->green_bits,     mode->blue_shift, mode->blue_bits,
    };
    if (!pixel_is_usable(&screen.format) || !psf_open(&screen.font, font, (size_t)(end - font)))
        return false;
    screen.pixel_bytes = pixel_bytes(&screen.format);
    if (mode->width > MAX_WIDTH ||
        mode->pitch_bytes < (uint64_t)mode->width * screen.pixel_bytes ||
        !text_grid_init(&grid, mode->width / screen.font.width,
                        mode->height / screen.font.height))
        return false;
    screen.memory = physmap_device(mode->address, (uint64_t)mode->pitch_bytes * mode->height,
                                   PHYSMAP_WRITE_COMBINING);
    return screen.memory != NULL;
}

static bool open_text(const struct screen_mode *mode)
{
    if (mode->width > MAX_VGA_COLUMNS ||
        mode->pitch_bytes < (uint64_t)mode->width * VGA_CELL_BYTES ||
        !text_grid_init(&grid, mode->width, mode->height))
        return false;
    screen.memory = physmap_device(mode->address, (uint64_t)mode->pitch_bytes * mode->height,
                                   PHYSMAP_UNCACHED);
    port_write8(VGA_CRTC_INDEX, VGA_CURSOR_START);
    port_write8(VGA_CRTC_VALUE, VGA_CURSOR_OFF);
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
    if (!is_open)
        screen.mode.kind = SCREEN_NONE;
    return is_open;
}

static bool write_sink(struct report_sink *sink, const void *text, size_t length)
{
    (void)sink;
    if (screen.has_log) {
        text_grid_write(&grid, text, length);
        flush();
    }
    return true;
}

void screen_sink(struct report_sink *sink)
{
    *sink = (struct report_sink){
        .name = "screen",
        .wants = SINK_PROGRESS,
        .write = write_sink,
    };
}
