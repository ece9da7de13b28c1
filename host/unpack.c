/* Takes packed text apart: base64 to bytes, bytes to literals and matches. Everything
 * is foreign: a length or a distance that does not fit ends the file there. */
#include "host/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/crc32.h"

enum { HEADER_BYTES = 160, MOST_BYTES = 256 << 20 };

struct reader {
    const char *text;
    size_t length, at;
    uint32_t group;     /* bits of base64 that are no whole byte yet */
    unsigned bit_count;
};

static int digit_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;

    return found ? (int)(found - digits) : -1;
}

/* The next byte of the stream; false at its end or at what is no base64. */
static bool next_byte(struct reader *reader, uint8_t *byte)
{
    while (reader->bit_count < 8) {
        int value;

        if (reader->at == reader->length)
            return false;
        value = digit_value(reader->text[reader->at]);
        if (value < 0 && reader->text[reader->at] != '\n')
            return false;
        reader->at++;
        if (value < 0)
            continue;
        reader->group = (reader->group << 6 | (uint32_t)value) & 0xFFFF;
        reader->bit_count += 6;
    }
    reader->bit_count -= 8;
    *byte = (uint8_t)(reader->group >> reader->bit_count);
    return true;
}

static bool next_number(struct reader *reader, uint64_t *number)
{
    uint8_t byte = 0x80;

    *number = 0;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        if (shift > 56 || !next_byte(reader, &byte))
            return false;
        *number |= (uint64_t)(byte & 0x7F) << shift;
    }
    return true;
}

/* Room for `more` bytes, which the announced length allows. */
static bool make_room(struct unpacked *out, size_t *capacity, uint64_t more)
{
    size_t wanted = out->length_bytes + more;
    char *grown;

    if (wanted <= *capacity)
        return true;
    wanted = wanted < 2 * *capacity ? 2 * *capacity : wanted;
    grown = realloc(out->bytes, wanted);
    if (!grown)
        return false;
    out->bytes = grown;
    *capacity = wanted;
    return true;
}

static bool take_literals(struct reader *reader, struct unpacked *out, size_t *capacity)
{
    uint64_t count;
    uint8_t byte;

    if (!next_number(reader, &count) || count > out->expected_bytes - out->length_bytes)
        return false;
    for (; count > 0; count--) {
        if (!next_byte(reader, &byte) || !make_room(out, capacity, 1))
            return false;
        out->bytes[out->length_bytes++] = (char)byte;
    }
    return true;
}

static bool take_match(struct reader *reader, struct unpacked *out, size_t *capacity)
{
    uint64_t count, distance;

    if (!next_number(reader, &count) || !next_number(reader, &distance) || count == 0 ||
        count > out->expected_bytes - out->length_bytes || distance == 0 ||
        distance > out->length_bytes || !make_room(out, capacity, count))
        return false;
    for (; count > 0; count--, out->length_bytes++)
        out->bytes[out->length_bytes] = out->bytes[out->length_bytes - distance];
    return true;
}

/* "coretruth-packed 1 NAME bytes=N crc32=XXXXXXXX"; moves behind it. */
static bool read_header(struct reader *reader, struct unpacked *out)
{
    const char *end = memchr(reader->text, '\n', reader->length);
    char line[HEADER_BYTES];
    unsigned long long bytes;
    int used = 0;

    if (!end || end - reader->text >= HEADER_BYTES)
        return false;
    memcpy(line, reader->text, (size_t)(end - reader->text));
    line[end - reader->text] = '\0';
    if (sscanf(line, "coretruth-packed 1 %63s bytes=%9llu crc32=%8x%n", out->name, &bytes,
               &out->expected_crc, &used) != 3 || line[used] || bytes > MOST_BYTES)
        return false;
    out->expected_bytes = bytes;
    reader->at = (size_t)(end - reader->text) + 1;
    return true;
}

bool unpack_text(const char *text, size_t length, struct unpacked *out)
{
    struct reader reader = {.text = text, .length = length};
    size_t capacity = 4096;

    *out = (struct unpacked){0};
    if (!read_header(&reader, out))
        return false;
    out->bytes = malloc(capacity);
    if (!out->bytes)
        return false;
    while (take_literals(&reader, out, &capacity) && out->length_bytes < out->expected_bytes &&
           take_match(&reader, out, &capacity) && out->length_bytes < out->expected_bytes)
        ;
    out->crc = crc32_update(0, out->bytes, out->length_bytes);
    return true;
}
