/* Greedy matching with two hash tables: the near one finds the neighbour's text, the far
 * one the same stretch of another profile, which is longer but has left the near table. */
#include "kernel/report/pack.h"

#include <string.h>

enum {
    NEAR_BYTES = 6,
    FAR_BYTES = 32,
    TABLE_BITS = 15,
    TABLE_SIZE = 1 << TABLE_BITS,
    LINE_BYTES = 57, /* 76 characters */
};

struct pack_tables {
    uint32_t near[TABLE_SIZE], far[TABLE_SIZE]; /* position + 1 where it was seen last */
};

/* Bytes on their way into lines of base64. */
struct encoder {
    struct textbuf *out;
    uint8_t line[LINE_BYTES];
    uint32_t count;
};

struct match {
    uint64_t length, distance;
};

static void flush_line(struct encoder *encoder)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t left = encoder->count;

    if (!left)
        return;
    for (uint32_t i = 0; i < encoder->count; i += 3, left -= 3) {
        uint32_t group = (uint32_t)encoder->line[i] << 16;

        group |= left > 1 ? (uint32_t)encoder->line[i + 1] << 8 : 0;
        group |= left > 2 ? encoder->line[i + 2] : 0;
        textbuf_putc(encoder->out, digits[group >> 18]);
        textbuf_putc(encoder->out, digits[group >> 12 & 63]);
        textbuf_putc(encoder->out, left > 1 ? digits[group >> 6 & 63] : '=');
        textbuf_putc(encoder->out, left > 2 ? digits[group & 63] : '=');
        if (left < 3)
            break;
    }
    textbuf_putc(encoder->out, '\n');
    encoder->count = 0;
}

static void put_byte(struct encoder *encoder, uint8_t byte)
{
    encoder->line[encoder->count++] = byte;
    if (encoder->count == LINE_BYTES)
        flush_line(encoder);
}

static void put_number(struct encoder *encoder, uint64_t number)
{
    for (; number > 0x7F; number >>= 7)
        put_byte(encoder, (uint8_t)(number | 0x80));
    put_byte(encoder, (uint8_t)number);
}

static uint64_t load(const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static uint32_t slot_of(uint64_t word)
{
    return (uint32_t)(word * 0x9E3779B97F4A7C15u >> (64 - TABLE_BITS));
}

static uint32_t near_slot(const char *at)
{
    return slot_of(load(at) << (64 - 8 * NEAR_BYTES));
}

static uint32_t far_slot(const char *at)
{
    return slot_of(load(at) + load(at + 8) * 3 + load(at + 16) * 5 + load(at + 24) * 7);
}

static struct match match_at(const char *bytes, uint64_t length, uint64_t at, uint32_t seen)
{
    uint64_t count = 0, from = seen - 1;

    if (!seen)
        return (struct match){0};
    while (at + count < length && bytes[from + count] == bytes[at + count])
        count++;
    return (struct match){count, at - from};
}

/* The longer of the two, with room for both hashes from `at` on. */
static struct match find_match(struct pack_tables *tables, const char *bytes, uint64_t length,
                               uint64_t at)
{
    uint32_t *near = &tables->near[near_slot(bytes + at)], *far = &tables->far[far_slot(bytes + at)];
    struct match by_far = match_at(bytes, length, at, *far);
    struct match by_near = match_at(bytes, length, at, *near);

    *near = *far = (uint32_t)at + 1;
    return by_far.length > by_near.length ? by_far : by_near;
}

static void note(struct pack_tables *tables, const char *bytes, uint64_t at)
{
    tables->near[near_slot(bytes + at)] = (uint32_t)at + 1;
    tables->far[far_slot(bytes + at)] = (uint32_t)at + 1;
}

static void put_literals(struct encoder *encoder, const char *bytes, uint64_t count)
{
    put_number(encoder, count);
    for (uint64_t i = 0; i < count; i++)
        put_byte(encoder, (uint8_t)bytes[i]);
}

struct pack_tables *pack_new_tables(struct arena *arena)
{
    return arena_left_bytes(arena) > sizeof(struct pack_tables) + 64
               ? ARENA_NEW(arena, struct pack_tables, 1) : NULL;
}

void pack_write(struct pack_tables *tables, const char *name, const char *bytes, uint64_t length,
                uint32_t crc32, struct textbuf *out)
{
    struct encoder encoder = {.out = out};
    uint64_t at = 0, told = 0;

    memset(tables, 0, sizeof *tables);
    textbuf_printf(out, "coretruth-packed 1 %s bytes=%llu crc32=%08x\n", name,
                   (unsigned long long)length, (unsigned)crc32);
    while (at + FAR_BYTES <= length) {
        struct match match = find_match(tables, bytes, length, at);
        uint64_t end = at + match.length;

        if (match.length < NEAR_BYTES) {
            at++;
            continue;
        }
        put_literals(&encoder, bytes + told, at - told);
        put_number(&encoder, match.length);
        put_number(&encoder, match.distance);
        while (++at < end)
            if (at + FAR_BYTES <= length)
                note(tables, bytes, at);
        told = end;
    }
    if (told < length || !length)
        put_literals(&encoder, bytes + told, length - told);
    flush_line(&encoder);
}
