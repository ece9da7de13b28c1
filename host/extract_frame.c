/* A frame line is exactly one or none: a changed byte must not pass as another name or length. */
#include "host/extract_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char extract_mark[] = "#coretruth ";

static bool is_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789._-");

    return length > 0 && name[length] == '\0' && name[0] != '.' && name[0] != '-';
}

static bool read_number(const char *digits, int base, uint64_t *value)
{
    char *end;

    if (!*digits || strspn(digits, base == 16 ? "0123456789abcdefABCDEF" : "0123456789") !=
                    strlen(digits) || strlen(digits) > 18)
        return false;
    *value = strtoull(digits, &end, base);
    return *end == '\0';
}

static bool is_status(const char *status)
{
    return !strcmp(status, "pass") || !strcmp(status, "findings") || !strcmp(status, "fail");
}

/* Copies the line at `at` without CRs and its line feed. */
static struct frame_line copy_line(const char *log, size_t length, size_t at,
                                   char *line)
{
    struct frame_line frame = {0};
    size_t used = 0, i = at;

    memset(line, 0, EXTRACT_LINE_BYTES);
    for (; i < length && log[i] != '\n'; i++) {
        if (log[i] != '\r' && used + 1 < EXTRACT_LINE_BYTES)
            line[used++] = log[i];
    }
    frame.has_end = i < length;
    frame.length = i - at + frame.has_end;
    return frame;
}

/* Cuts the line at its blanks; returns the number of words, at most `max`. */
static size_t split(char *line, char **words, size_t max)
{
    size_t count = 0;

    for (char *blank = line; blank && count < max; line = blank + 1) {
        blank = strchr(line, ' ');
        if (blank)
            *blank = '\0';
        words[count++] = line;
        if (!blank)
            break;
    }
    return count;
}

struct frame_line extract_read_frame(const char *log, size_t length, size_t at,
                                     char line[EXTRACT_LINE_BYTES])
{
    char copy[EXTRACT_LINE_BYTES], *words[4];
    struct frame_line frame = copy_line(log, length, at, line);
    size_t count;

    memcpy(copy, line, sizeof(copy));
    count = split(copy, words, 4);
    if (count < 3 || strcmp(words[0], "#coretruth") != 0)
        return frame;
    if (!strcmp(words[1], "done") && !strncmp(words[2], "status=", 7) && is_status(words[2] + 7)) {
        frame.kind = FRAME_DONE;
        snprintf(frame.status, sizeof(frame.status), "%s", words[2] + 7);
        return frame;
    }
    if (count != 4 || strlen(words[2]) >= EXTRACT_NAME_BYTES || !is_name(words[2]))
        return frame;
    memcpy(frame.name, words[2], strlen(words[2]) + 1);
    if (!strcmp(words[1], "begin") && !strncmp(words[3], "bytes=", 6) && frame.has_end &&
        read_number(words[3] + 6, 10, &frame.number))
        frame.kind = FRAME_BEGIN;
    else if (!strcmp(words[1], "end") && !strncmp(words[3], "crc32=", 6) &&
             strlen(words[3]) == 14 && read_number(words[3] + 6, 16, &frame.number))
        frame.kind = FRAME_END;
    return frame;
}

size_t extract_find_mark(const char *log, size_t length, size_t at)
{
    const char *found = at < length ? memmem(log + at, length - at, extract_mark,
                                             sizeof(extract_mark) - 1) : NULL;

    return found ? (size_t)(found - log) : length;
}
