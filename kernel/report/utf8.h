/* Valid UTF-8 out of bytes of any origin (firmware strings, brand strings). */
#ifndef KERNEL_REPORT_UTF8_H
#define KERNEL_REPORT_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed sequence at `text` (NUL-terminated), 1 to 4; 0 when it
 * is not well formed: overlong, a surrogate, above U+10FFFF, or cut. [Unicode D92] */
size_t utf8_sequence_bytes(const char *text);

#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

#endif
