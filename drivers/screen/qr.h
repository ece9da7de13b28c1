/* A text as a QR code. */
#ifndef DRIVERS_SCREEN_QR_H
#define DRIVERS_SCREEN_QR_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/page/page.h"

/* Characters of QR codes' alphanumeric kind that fit at the lowest error correction. */
enum { QR_LARGE_VERSION = 18, QR_LARGE_CHARACTERS = 1046,  /* 89 modules [iso 18004] */
       QR_SMALL_VERSION = 7, QR_SMALL_CHARACTERS = 224 };  /* 45: 25 lines of text mode */

/* False: the text is too long, or this CPU has no vector registers switched on. The bits
 * stay until the next call. */
bool qr_make(const char *text, uint32_t version, struct page_modules *modules);

#endif
