/* Pages and a log on what the loader left: a framebuffer of any packed format, VGA text
 * mode, or nothing. */
#ifndef DRIVERS_SCREEN_SCREEN_H
#define DRIVERS_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/page/page.h"
#include "kernel/report/sink.h"

enum screen_kind { SCREEN_NONE, SCREEN_PIXELS, SCREEN_TEXT };

/* What the loader handed over, in the words of boot_framebuffer. */
struct screen_mode {
    enum screen_kind kind;
    uint64_t address;            /* physical */
    uint32_t width, height;      /* pixels, or characters */
    uint32_t pitch_bytes;
    uint8_t bits_per_pixel;
    uint8_t red_shift, red_bits, green_shift, green_bits, blue_shift, blue_bits;
};

/* False: there is nothing to draw on, and the run does without. */
bool screen_open(const struct screen_mode *mode);

/* The rest only after screen_open() said true. */
void screen_metrics(struct page_metrics *metrics);

/* The whole page; the log ends. */
void screen_show(const struct page *page);

/* The page with an empty log from line `top` on, then its lines above the log anew. */
void screen_show_log(const struct page *page, uint32_t top);
void screen_show_top(const struct page *page);

/* A sink that writes to the log. */
void screen_sink(struct report_sink *sink);

#endif
