/* Text in a fixed buffer. Numbers have their own writers beside printf: CPU
 * lists of large machines are made of nothing else. */
#include "kernel/lib/textbuf.h"

#include <stdio.h>
#include <string.h>

enum { CONVERSION_BYTES = 1024 };

static size_t room_bytes(const struct textbuf *buf)
{
    return buf->capacity ? buf->capacity - 1 - buf->length : 0;
}

static void hand_over(struct textbuf *buf)
{
    buf->flush(buf, buf->flush_context);
    buf->length = 0;
    buf->text[0] = '\0';
}

void textbuf_init(struct textbuf *buf, char *storage, size_t capacity)
{
    *buf = (struct textbuf){.text = storage, .capacity = storage ? capacity : 0};
    if (buf->capacity)
        storage[0] = '\0';
}

void textbuf_put_bytes(struct textbuf *buf, const char *bytes, size_t length)
{
    while (length) {
        size_t part = room_bytes(buf);

        if (part > length)
            part = length;
        if (part) {
            memcpy(buf->text + buf->length, bytes, part);
            buf->length += part;
            buf->text[buf->length] = '\0';
            bytes += part;
            length -= part;
        }
        if (!length)
            return;
        if (!buf->flush || buf->capacity < 2) {
            buf->is_cut = true;
            return;
        }
        hand_over(buf);
    }
}

void textbuf_put(struct textbuf *buf, const char *text)
{
    textbuf_put_bytes(buf, text, strlen(text));
}

void textbuf_putc(struct textbuf *buf, char c)
{
    textbuf_put_bytes(buf, &c, 1);
}

void textbuf_put_decimal(struct textbuf *buf, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    textbuf_put_bytes(buf, digits + at, sizeof(digits) - at);
}

void textbuf_put_hex(struct textbuf *buf, uint64_t value, unsigned digit_count)
{
    char digits[16];
    unsigned at = sizeof(digits);

    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (at && (value || sizeof(digits) - at < digit_count));
    textbuf_put_bytes(buf, digits + at, sizeof(digits) - at);
}

void textbuf_vprintf(struct textbuf *buf, const char *format, va_list args)
{
    char text[CONVERSION_BYTES];
    int length = vsnprintf(text, sizeof(text), format, args);

    if (length < 0 || (size_t)length >= sizeof(text)) {
        buf->is_cut = true;
        length = length < 0 ? 0 : (int)sizeof(text) - 1;
    }
    textbuf_put_bytes(buf, text, (size_t)length);
}

void textbuf_printf(struct textbuf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    textbuf_vprintf(buf, format, args);
    va_end(args);
}
