/* Both versions hold glyphs one after the other, rows of whole bytes, the leftmost pixel
 * in the highest bit. The table of Unicode values behind them is not used: in the Lat
 * fonts ASCII stands where ASCII belongs. */
#include "drivers/screen/psf.h"

#include "kernel/lib/reader.h"

enum {
    PSF1_MAGIC = 0x0436,
    PSF1_MODE_512 = 1,
    PSF1_WIDTH = 8,
    PSF2_MAGIC_LOW = 0xB572,
    PSF2_MAGIC_HIGH = 0x864A,
    MAX_WIDTH = 32,
    MAX_HEIGHT = 64,
};

static bool open_v1(struct psf *font, struct reader *reader)
{
    uint8_t mode, height;

    if (!reader_u8(reader, &mode) || !reader_u8(reader, &height))
        return false;
    font->width = PSF1_WIDTH;
    font->height = font->glyph_bytes = height;
    font->glyph_count = mode & PSF1_MODE_512 ? 512 : 256;
    return true;
}

static bool open_v2(struct psf *font, struct reader *reader)
{
    uint16_t magic_high;
    uint32_t version, header_bytes, flags;

    return reader_u16(reader, &magic_high) && magic_high == PSF2_MAGIC_HIGH &&
           reader_u32(reader, &version) && reader_u32(reader, &header_bytes) &&
           reader_u32(reader, &flags) && reader_u32(reader, &font->glyph_count) &&
           reader_u32(reader, &font->glyph_bytes) && reader_u32(reader, &font->height) &&
           reader_u32(reader, &font->width) && header_bytes >= reader->offset_bytes &&
           reader_skip(reader, header_bytes - reader->offset_bytes);
}

bool psf_open(struct psf *font, const void *bytes, size_t length)
{
    struct reader reader = reader_of(bytes, length), glyphs;
    uint16_t magic;

    *font = (struct psf){0};
    if (!reader_u16(&reader, &magic))
        return false;
    if (!(magic == PSF1_MAGIC && open_v1(font, &reader)) &&
        !(magic == PSF2_MAGIC_LOW && open_v2(font, &reader)))
        return false;
    font->row_bytes = (font->width + 7) / 8;
    if (font->width == 0 || font->width > MAX_WIDTH || font->height == 0 ||
        font->height > MAX_HEIGHT || font->glyph_count <= '?' ||
        font->glyph_bytes != font->row_bytes * font->height ||
        font->glyph_count > length / font->glyph_bytes ||
        !reader_sub(&reader, (size_t)font->glyph_count * font->glyph_bytes, &glyphs))
        return false;
    font->glyphs = glyphs.bytes + glyphs.offset_bytes;
    return true;
}

const uint8_t *psf_glyph(const struct psf *font, uint8_t code)
{
    uint32_t index = code < font->glyph_count ? code : '?';

    return font->glyphs + (size_t)index * font->glyph_bytes;
}

bool psf_bit(const struct psf *font, const uint8_t *glyph, uint32_t row, uint32_t column)
{
    return glyph[row * font->row_bytes + column / 8] >> (7 - column % 8) & 1;
}
