/* A PC screen font, version 1 or 2, read through the bounded reader. */
#ifndef DRIVERS_SCREEN_PSF_H
#define DRIVERS_SCREEN_PSF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct psf {
    const uint8_t *glyphs;
    uint32_t glyph_count, glyph_bytes;
    uint32_t width, height;   /* pixels */
    uint32_t row_bytes;
};

/* False: not a font, or cut. Fonts wider than 32 pixels are refused. */
bool psf_open(struct psf *font, const void *bytes, size_t length);

/* The first row of a glyph; a code that the font lacks shows as '?'. */
const uint8_t *psf_glyph(const struct psf *font, uint8_t code);
/* Bit `column` of a glyph's row, from the left. */
bool psf_bit(const struct psf *font, const uint8_t *glyph, uint32_t row, uint32_t column);

#endif
