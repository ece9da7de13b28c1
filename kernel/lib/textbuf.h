/* A text that grows in a fixed buffer and knows when it was cut. */
#ifndef KERNEL_LIB_TEXTBUF_H
#define KERNEL_LIB_TEXTBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct textbuf {
    char *text;        /* always terminated by NUL when capacity > 0 */
    size_t capacity;   /* bytes, the NUL included */
    size_t length;     /* bytes before the NUL */
    bool is_cut;       /* sticky: something did not fit and was left out */
    /* When set, a full buffer is handed over and emptied instead of cut. */
    void (*flush)(struct textbuf *buf, void *context);
    void *flush_context;
};

void textbuf_init(struct textbuf *buf, char *storage, size_t capacity);
void textbuf_put(struct textbuf *buf, const char *text);
void textbuf_put_bytes(struct textbuf *buf, const char *bytes, size_t length);
void textbuf_putc(struct textbuf *buf, char c);
/* Without printf, for texts that are mostly numbers. put_hex pads with zeros
 * to `digit_count` (at most 16) and writes lower case. */
void textbuf_put_decimal(struct textbuf *buf, uint64_t value);
void textbuf_put_hex(struct textbuf *buf, uint64_t value, unsigned digit_count);
/* One call's output may be at most 1,023 bytes (more is cut); no floating point. */
void textbuf_printf(struct textbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void textbuf_vprintf(struct textbuf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
