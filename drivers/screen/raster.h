/* A page as lines of pixels or rows of VGA cells, made one at a time from top to bottom:
 * video memory is only ever written, each byte once. */
#ifndef DRIVERS_SCREEN_RASTER_H
#define DRIVERS_SCREEN_RASTER_H

#include "drivers/screen/pixel.h"
#include "drivers/screen/psf.h"
#include "kernel/page/page.h"

/* Pixels y of the page, metrics.width of them. */
void raster_line(const struct page *page, const struct psf *font, uint32_t y, pixel_rgb *line);

/* Cells of row y: the character in the low byte, the attribute above it. */
void raster_row(const struct page *page, uint32_t y, uint16_t *row);

/* The nearest of the 16 colours; only the 8 dark ones can be paper. */
uint8_t raster_vga_paper(page_colour colour);
uint8_t raster_vga_ink(page_colour colour, uint8_t paper);

#endif
