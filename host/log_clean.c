/* Files of a report hold neither escape characters nor NULs, so that nothing of them is lost
 * here; whether the guesses are right is decided by the frames' lengths and CRCs. */
#include "host/log_clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/extract_frame.h"
#include "host/log_prefix.h"

enum { BEL = 7, ESCAPE = 27, MOST_SEQUENCE_BYTES = 32 };

struct cleaner {
    const char *log;
    size_t length;
    struct log_clean *clean;
    struct log_prefix prefix;
    bool has_cr_lines;               /* CRs stand where line feeds should */
    bool is_doubled;
    size_t last_line, last_bytes;    /* of the clean line before; it may come again */
    bool may_repeat;
    uint64_t prefixes, nuls, sequences, doubles;
};

static bool add_piece(struct cleaner *cleaner, size_t offset, uint64_t line)
{
    struct log_clean *clean = cleaner->clean;

    if (clean->piece_count == clean->piece_capacity) {
        size_t capacity = clean->piece_capacity ? clean->piece_capacity * 2 : 1024;
        struct log_piece *grown = realloc(clean->pieces, capacity * sizeof(*grown));

        if (!grown)
            return false;
        clean->pieces = grown;
        clean->piece_capacity = capacity;
    }
    clean->pieces[clean->piece_count++] = (struct log_piece){clean->length_bytes, offset, line};
    return true;
}

static bool is_between(char c, char low, char high)
{
    return c >= low && c <= high;
}

/* Behind the bytes from `at` on that lie between `low` and `high`. */
static size_t behind(const struct cleaner *cleaner, size_t at, char low, char high)
{
    while (at < cleaner->length && is_between(cleaner->log[at], low, high))
        at++;
    return at;
}

/* Of a title or another string: up to its ST, or BEL as terminals take it. */
static size_t string_bytes(const struct cleaner *cleaner, size_t at)
{
    const char *log = cleaner->log;
    size_t i = at + 2;

    while (i < cleaner->length && (unsigned char)log[i] >= ' ')
        i++;
    if (i < cleaner->length && log[i] == BEL)
        return i + 1 - at;
    return i + 1 < cleaner->length && log[i] == ESCAPE && log[i + 1] == '\\' ? i + 2 - at : 0;
}

/* Bytes of an escape sequence at `at`; 0: it is none. CSI, a string, or intermediate bytes
 * and a final one. [ECMA-48 5.4, 5.6, ECMA-35 13.2] */
static size_t sequence_bytes(const struct cleaner *cleaner, size_t at)
{
    const char *log = cleaner->log;
    size_t i = at + 1;

    if (log[at] != ESCAPE || i >= cleaner->length)
        return 0;
    if (log[i] == '[') {
        i = behind(cleaner, behind(cleaner, i + 1, '0', '?'), ' ', '/');
        return i < cleaner->length && i - at < MOST_SEQUENCE_BYTES &&
               is_between(log[i], '@', '~') ? i + 1 - at : 0;
    }
    if (log[i] != '\0' && strchr("PX]^_", log[i]))
        return string_bytes(cleaner, at);
    i = behind(cleaner, i, ' ', '/');
    return i < cleaner->length && is_between(log[i], '0', '~') ? i + 1 - at : 0;
}

/* A CR that stands for a line feed. */
static bool is_cr_end(const struct cleaner *cleaner, size_t at)
{
    return cleaner->has_cr_lines && cleaner->log[at] == '\r' &&
           (at + 1 == cleaner->length || cleaner->log[at + 1] != '\n');
}

/* Behind the line at `at`, its end included. */
static size_t line_end(const struct cleaner *cleaner, size_t at)
{
    while (at < cleaner->length && cleaner->log[at] != '\n' && !is_cr_end(cleaner, at))
        at++;
    return at < cleaner->length ? at + 1 : at;
}

/* Copies what is neither NUL nor escape sequence nor, with line feeds about, CR. */
static bool copy_line(struct cleaner *cleaner, size_t at, size_t end, uint64_t line)
{
    struct log_clean *clean = cleaner->clean;
    bool is_piece = false;

    while (at < end) {
        size_t skipped = sequence_bytes(cleaner, at);
        char c = cleaner->log[at];

        cleaner->sequences += skipped != 0;
        cleaner->nuls += c == '\0';
        if (skipped || c == '\0' || (c == '\r' && !is_cr_end(cleaner, at))) {
            at += skipped ? skipped : 1;
            is_piece = false;
            continue;
        }
        if (!is_piece && !add_piece(cleaner, at, line))
            return false;
        is_piece = true;
        clean->bytes[clean->length_bytes++] = c == '\r' ? '\n' : c;
        at++;
    }
    return true;
}

/* Takes the line that was just copied back when it is the one before once more. */
static void drop_double(struct cleaner *cleaner, size_t start, size_t pieces)
{
    struct log_clean *clean = cleaner->clean;
    size_t bytes = clean->length_bytes - start;

    if (cleaner->is_doubled && cleaner->may_repeat && bytes == cleaner->last_bytes &&
        !memcmp(clean->bytes + cleaner->last_line, clean->bytes + start, bytes)) {
        clean->length_bytes = start;
        clean->piece_count = pieces;
        cleaner->may_repeat = false;
        cleaner->doubles++;
        return;
    }
    cleaner->last_line = start;
    cleaner->last_bytes = bytes;
    cleaner->may_repeat = true;
}

/* Of the line from `at` to `end`: its prefix and the CRs before it. */
static size_t prefix_bytes(struct cleaner *cleaner, size_t at, size_t end)
{
    size_t start = at, matched;

    while (at < end && cleaner->log[at] == '\r')
        at++;
    while (end > at && (cleaner->log[end - 1] == '\n' || cleaner->log[end - 1] == '\r'))
        end--;
    matched = log_prefix_match(&cleaner->prefix, cleaner->log + at, end - at);
    cleaner->prefixes += matched != 0;
    return matched ? at + matched - start : 0;
}

static bool clean_lines(struct cleaner *cleaner)
{
    uint64_t line = 1;

    for (size_t at = 0, end; at < cleaner->length; at = end, line++) {
        size_t start = cleaner->clean->length_bytes, pieces = cleaner->clean->piece_count;

        end = line_end(cleaner, at);
        if (!copy_line(cleaner, at + prefix_bytes(cleaner, at, end), end, line))
            return false;
        drop_double(cleaner, start, pieces);
    }
    return true;
}

/* Each frame line stands there twice, one after the other. */
static bool is_doubled(const struct cleaner *cleaner)
{
    size_t pairs = 0, frames = 0;
    char line[EXTRACT_LINE_BYTES], before[EXTRACT_LINE_BYTES] = "";

    for (size_t at = extract_find_mark(cleaner->log, cleaner->length, 0); at < cleaner->length;
         at = extract_find_mark(cleaner->log, cleaner->length, at + 1)) {
        if (extract_read_frame(cleaner->log, cleaner->length, at, line).kind == FRAME_NONE)
            continue;
        frames++;
        pairs += !strcmp(line, before);
        memcpy(before, line, sizeof(before));
    }
    return pairs && pairs >= frames / 2;
}

/* Line feeds are rarer than CRs that stand alone. */
static bool has_cr_lines(const char *log, size_t length)
{
    size_t feeds = 0, returns = 0;

    for (size_t i = 0; i < length; i++) {
        feeds += log[i] == '\n';
        returns += log[i] == '\r' && (i + 1 == length || log[i + 1] != '\n') &&
                   (i == 0 || log[i - 1] != '\n');
    }
    return returns / 2 > feeds;
}

static void tell(struct cleaner *cleaner)
{
    char *told = cleaner->clean->told;
    size_t room = sizeof(cleaner->clean->told), used = 0;

#define TELL(...) \
    (used += used < room ? (size_t)snprintf(told + used, room - used, __VA_ARGS__) : 0)
    if (cleaner->prefixes)
        TELL("%llu lines start with a prefix like \"%.*s\", which is left out; ",
             (unsigned long long)cleaner->prefixes, (int)cleaner->prefix.length_bytes,
             cleaner->prefix.text);
    if (cleaner->has_cr_lines)
        TELL("lines end with CR alone; ");
    if (cleaner->doubles)
        TELL("%llu lines are there twice; ", (unsigned long long)cleaner->doubles);
    if (cleaner->sequences)
        TELL("%llu escape sequences are left out; ", (unsigned long long)cleaner->sequences);
    if (cleaner->nuls)
        TELL("%llu NULs are left out; ", (unsigned long long)cleaner->nuls);
#undef TELL
    if (used >= 2 && used < room)
        told[used - 2] = '\0';
}

bool log_clean_make(const char *log, size_t length, struct log_clean *clean)
{
    struct cleaner cleaner = {.log = log, .length = length, .clean = clean,
                              .has_cr_lines = has_cr_lines(log, length)};

    *clean = (struct log_clean){.bytes = malloc(length + 1)};
    clean->has_prefix = log_prefix_find(log, length, &cleaner.prefix);
    if (!clean->has_prefix)
        cleaner.prefix.length_bytes = 0;
    cleaner.is_doubled = is_doubled(&cleaner);
    if (!clean->bytes || !clean_lines(&cleaner))
        return false;
    tell(&cleaner);
    return true;
}

void log_clean_free(struct log_clean *clean)
{
    free(clean->bytes);
    free(clean->pieces);
    *clean = (struct log_clean){0};
}

/* The last piece that starts at or before the place has it. */
struct extract_place log_clean_place(const struct log_clean *clean, struct extract_place place)
{
    size_t low = 0, high = clean->piece_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (clean->pieces[middle].clean <= place.offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (struct extract_place){0, 1};
    const struct log_piece *piece = &clean->pieces[low - 1];
    return (struct extract_place){piece->offset + (place.offset - piece->clean), piece->line};
}
