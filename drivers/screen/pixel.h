/* One colour as the bytes of one pixel, for any packed format. */
#ifndef DRIVERS_SCREEN_PIXEL_H
#define DRIVERS_SCREEN_PIXEL_H

#include <stdbool.h>
#include <stdint.h>

struct pixel_format {
    uint8_t bits_per_pixel;
    uint8_t red_shift, red_bits, green_shift, green_bits, blue_shift, blue_bits;
};

/* 0xRRGGBB. */
typedef uint32_t pixel_rgb;

/* 15 to 32 bits, every colour inside the pixel. */
bool pixel_is_usable(const struct pixel_format *format);
uint32_t pixel_bytes(const struct pixel_format *format);
/* The pixel as a little-endian number of pixel_bytes(). */
uint32_t pixel_of(const struct pixel_format *format, pixel_rgb colour);

#endif
