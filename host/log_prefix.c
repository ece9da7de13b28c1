/* Seen in the field: "[2026-11-30 12:00:00] " (minicom, conserver, tio), "Nov 30 12:00:00 "
 * (ts), "[   12.345678] ", "12:00:00.123 console: ". A wrong guess costs nothing: the lengths
 * and CRCs of the frames decide. */
#include "host/log_prefix.h"

#include <string.h>

#include "host/extract_frame.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* In a prefix of fixed width a blank may stand where another line has a digit: "Nov  3". */
static bool is_like(char example, char c)
{
    if (is_digit(example) || (example == ' ' && is_digit(c)))
        return is_digit(c) || c == ' ';
    return is_letter(example) ? is_letter(c) : example == c;
}

/* Behind a run of characters that `is_of` takes. */
static const char *pass(const char *at, const char *end, bool (*is_of)(char c))
{
    while (at < end && is_of(*at))
        at++;
    return at;
}

static bool is_blank(char c)
{
    return c == ' ';
}

/* One step of a shape: what the example has at *at, and the same kind at *c. False: it differs. */
static bool step(const char **at, const char *at_end, const char **c, const char *c_end)
{
    const char *digits = pass(*at, at_end, is_blank);
    bool (*is_of)(char) = NULL;

    if (digits < at_end && is_digit(*digits)) {
        *at = digits;
        *c = pass(*c, c_end, is_blank);
        is_of = is_digit;
    } else if (is_letter(**at)) {
        is_of = is_letter;
    }
    if (*c == c_end || (is_of ? !is_of(**c) : **c != **at))
        return false;
    *at = is_of ? pass(*at, at_end, is_of) : *at + 1;
    *c = is_of ? pass(*c, c_end, is_of) : *c + 1;
    return true;
}

static size_t match_runs(const struct log_prefix *prefix, const char *line, size_t length)
{
    const char *at = prefix->text, *c = line;

    while (at < prefix->text + prefix->length_bytes)
        if (!step(&at, prefix->text + prefix->length_bytes, &c, line + length))
            return 0;
    return (size_t)(c - line);
}

static size_t match_fixed(const struct log_prefix *prefix, const char *line, size_t length)
{
    size_t i = 0;

    while (i < prefix->length_bytes && i < length && is_like(prefix->text[i], line[i]))
        i++;
    return i == prefix->length_bytes ? i : 0;
}

size_t log_prefix_match(const struct log_prefix *prefix, const char *line, size_t length)
{
    if (!prefix->length_bytes)
        return 0;
    struct log_prefix trimmed = *prefix;
    size_t matched = prefix->is_fixed ? match_fixed(prefix, line, length)
                                      : match_runs(prefix, line, length);

    if (matched)
        return matched;
    /* An empty line, whose blanks at the end were left out. */
    while (trimmed.length_bytes && trimmed.text[trimmed.length_bytes - 1] == ' ')
        trimmed.length_bytes--;
    matched = prefix->is_fixed ? match_fixed(&trimmed, line, length)
                               : match_runs(&trimmed, line, length);
    return matched == length ? matched : 0;
}

/* The start of the line in which `at` is; terminals' CRs are no part of it. */
static size_t line_start(const char *log, size_t at)
{
    while (at && log[at - 1] != '\n' && log[at - 1] != '\r')
        at--;
    return at;
}

static bool is_frame(const char *log, size_t length, size_t at)
{
    char line[EXTRACT_LINE_BYTES];

    return extract_read_frame(log, length, at, line).kind != FRAME_NONE;
}

static bool is_printed(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\t' && (text[i] < ' ' || text[i] > '~'))
            return false;
    return true;
}

bool log_prefix_find(const char *log, size_t length, struct log_prefix *prefix)
{
    size_t frames = 0;

    *prefix = (struct log_prefix){.is_fixed = true};
    for (size_t at = extract_find_mark(log, length, 0); at < length;
         at = extract_find_mark(log, length, at + 1)) {
        size_t start = line_start(log, at), bytes = at - start;

        if (!is_frame(log, length, at))
            continue;
        if (bytes == 0 || bytes > LOG_PREFIX_BYTES || !is_printed(log + start, bytes))
            return false;
        if (frames++ == 0) {
            memcpy(prefix->text, log + start, bytes);
            prefix->length_bytes = bytes;
            continue;
        }
        if (prefix->is_fixed && match_fixed(prefix, log + start, bytes) != bytes)
            prefix->is_fixed = false;
        if (!prefix->is_fixed && match_runs(prefix, log + start, bytes) != bytes)
            return false;
    }
    return frames > 1;
}
