/* Colours of 8 bits are cut for narrow fields, and repeated downwards for wide ones, so
 * that full intensity stays full. */
#include "drivers/screen/pixel.h"

enum { COLOUR_BITS = 8, MAX_FIELD_BITS = 16 };

static bool fits(const struct pixel_format *format, uint8_t shift, uint8_t bits)
{
    return bits > 0 && bits <= MAX_FIELD_BITS && shift + bits <= format->bits_per_pixel;
}

bool pixel_is_usable(const struct pixel_format *format)
{
    return format->bits_per_pixel >= 15 && format->bits_per_pixel <= 32 &&
           fits(format, format->red_shift, format->red_bits) &&
           fits(format, format->green_shift, format->green_bits) &&
           fits(format, format->blue_shift, format->blue_bits);
}

uint32_t pixel_bytes(const struct pixel_format *format)
{
    return (format->bits_per_pixel + 7u) / 8;
}

static uint32_t field(uint32_t colour, uint8_t shift, uint8_t bits)
{
    uint32_t value = bits <= COLOUR_BITS ? colour >> (COLOUR_BITS - bits)
                                         : (colour << COLOUR_BITS | colour) >>
                                               (2 * COLOUR_BITS - bits);

    return value << shift;
}

uint32_t pixel_of(const struct pixel_format *format, pixel_rgb colour)
{
    return field(colour >> 16 & 0xFF, format->red_shift, format->red_bits) |
           field(colour >> 8 & 0xFF, format->green_shift, format->green_bits) |
           field(colour & 0xFF, format->blue_shift, format->blue_bits);
}
