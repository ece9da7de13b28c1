/* A file whose length and CRC agree with its frame is taken as it is, whatever it
 * contains. Where they do not, the next mark that looks like a frame ends it, so that
 * one lost byte costs one file and not the rest of the log. */
#include "host/extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/unpack.h"
#include "kernel/lib/crc32.h"

enum { LINE_BYTES = 256 };

static const char mark[] = "#coretruth ";

struct scanner {
    const char *log;
    size_t length;
    size_t at;
    uint64_t line;
    struct extract_log *out;
    bool is_new_report; /* the next frame starts a report */
};

/* A frame line, taken apart. */
enum frame_kind { FRAME_NONE, FRAME_BEGIN, FRAME_END, FRAME_DONE };
struct frame_line {
    enum frame_kind kind;
    char name[EXTRACT_NAME_BYTES];
    uint64_t number; /* bytes, or CRC */
    char status[16];
    size_t length;   /* of the line in the log, its line feed included */
    bool has_end;    /* the line feed is there */
};

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
static struct frame_line copy_line(const struct scanner *scanner, size_t at, char *line)
{
    struct frame_line frame = {0};
    size_t used = 0, i = at;

    memset(line, 0, LINE_BYTES);
    for (; i < scanner->length && scanner->log[i] != '\n'; i++) {
        if (scanner->log[i] != '\r' && used + 1 < LINE_BYTES)
            line[used++] = scanner->log[i];
    }
    frame.has_end = i < scanner->length;
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

/* Reads the frame line at `at`; FRAME_NONE when it is not exactly one. */
static struct frame_line read_frame(const struct scanner *scanner, size_t at, char *line)
{
    char copy[LINE_BYTES], *words[4];
    struct frame_line frame = copy_line(scanner, at, line);
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

/* The next mark at or after `at`; the log's length when there is none. */
static size_t find_mark(const struct scanner *scanner, size_t at)
{
    const char *found = at < scanner->length
        ? memmem(scanner->log + at, scanner->length - at, mark, sizeof(mark) - 1) : NULL;

    return found ? (size_t)(found - scanner->log) : scanner->length;
}

/* Moves on to `at`, counting lines. */
static void move_to(struct scanner *scanner, size_t at)
{
    while (scanner->at < at)
        scanner->line += scanner->log[scanner->at++] == '\n';
}

static struct extract_place here(const struct scanner *scanner)
{
    return (struct extract_place){scanner->at, scanner->line};
}

static struct extract_report *current_report(struct scanner *scanner)
{
    struct extract_log *out = scanner->out;
    struct extract_report *grown;

    if (!scanner->is_new_report)
        return &out->reports[out->report_count - 1];
    grown = realloc(out->reports, (out->report_count + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    out->reports = grown;
    memset(&grown[out->report_count], 0, sizeof(*grown));
    scanner->is_new_report = false;
    return &grown[out->report_count++];
}

static bool add_problem(struct scanner *scanner, const char *what, const char *line)
{
    struct extract_log *out = scanner->out;
    struct extract_report *report = current_report(scanner);
    struct extract_problem *grown;

    if (!report)
        return false;
    grown = realloc(out->problems, (out->problem_count + 1) * sizeof(*grown));
    if (!grown)
        return false;
    out->problems = grown;
    grown[out->problem_count].place = here(scanner);
    grown[out->problem_count].report = out->report_count - 1;
    snprintf(grown[out->problem_count].text, sizeof(grown->text), "%s: \"%.80s\"", what, line);
    out->problem_count++;
    report->end = here(scanner);
    return true;
}

/* Copies log bytes from `from` on without CRs until `wanted` are there or `stop` is
 * reached; returns where it stopped. */
static size_t copy_content(const struct scanner *scanner, size_t from, size_t stop,
                           uint64_t wanted, struct extract_file *file)
{
    size_t at = from;

    free(file->bytes);
    file->length_bytes = 0;
    file->bytes = malloc(stop > from ? stop - from : 1);
    while (file->bytes && at < stop && file->length_bytes < wanted) {
        char c = scanner->log[at++];

        if (c != '\r')
            file->bytes[file->length_bytes++] = c;
    }
    file->crc = crc32_update(0, file->bytes, file->length_bytes);
    return at;
}

static bool has_name(const struct extract_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->file_count; i++) {
        if (!strcmp(report->files[i].name, name))
            return true;
    }
    return false;
}

/* The end line of `file` when it stands at `at`. */
static bool ends_at(const struct scanner *scanner, size_t at, const struct extract_file *file,
                    struct frame_line *end)
{
    char line[LINE_BYTES];

    while (at < scanner->length && scanner->log[at] == '\r')
        at++;
    if (at >= scanner->length || find_mark(scanner, at) != at)
        return false;
    *end = read_frame(scanner, at, line);
    return end->kind == FRAME_END && !strcmp(end->name, file->name);
}

/* Takes the content that starts at `from`; moves behind the end line. */
static bool take_file(struct scanner *scanner, size_t from, struct extract_file *file)
{
    size_t stop = copy_content(scanner, from, scanner->length, file->expected_bytes, file);
    struct frame_line end;

    if (!file->bytes)
        return false;
    if (file->length_bytes != file->expected_bytes || !ends_at(scanner, stop, file, &end)) {
        stop = find_mark(scanner, from);
        copy_content(scanner, from, stop, UINT64_MAX, file);
        if (!file->bytes)
            return false;
        if (!ends_at(scanner, stop, file, &end)) {
            file->state = EXTRACT_CUT;
            move_to(scanner, stop);
            file->end = here(scanner);
            return true;
        }
    }
    move_to(scanner, stop);
    file->end = here(scanner);
    file->has_expected_crc = true;
    file->expected_crc = (uint32_t)end.number;
    if (file->length_bytes != file->expected_bytes || file->crc != file->expected_crc)
        file->state = EXTRACT_DAMAGED;
    move_to(scanner, find_mark(scanner, stop) + end.length);
    return true;
}

static bool take_begin(struct scanner *scanner, const struct frame_line *frame)
{
    struct extract_report *report;
    struct extract_file *file;

    if (!scanner->is_new_report) {
        report = current_report(scanner);
        scanner->is_new_report = has_name(report, frame->name);
    }
    report = current_report(scanner);
    if (!report)
        return false;
    if (report->file_count == EXTRACT_MAX_FILES) {
        move_to(scanner, scanner->at + frame->length);
        return add_problem(scanner, "more files than a report has", frame->name);
    }
    file = &report->files[report->file_count++];
    memcpy(file->name, frame->name, sizeof(file->name));
    file->begin = here(scanner);
    file->expected_bytes = frame->number;
    if (!take_file(scanner, scanner->at + frame->length, file))
        return false;
    report->end = here(scanner);
    return true;
}

/* Text that only mentions the mark, between reports and inside a line, is none of ours. */
static bool is_mention(const struct scanner *scanner)
{
    char before = scanner->at ? scanner->log[scanner->at - 1] : '\n';

    return scanner->is_new_report && before != '\n' && before != '\r';
}

static bool take_frame(struct scanner *scanner)
{
    char line[LINE_BYTES];
    struct frame_line frame = read_frame(scanner, scanner->at, line);
    struct extract_report *report;

    if (frame.kind == FRAME_BEGIN)
        return take_begin(scanner, &frame);
    if (frame.kind == FRAME_DONE) {
        report = current_report(scanner);
        if (!report)
            return false;
        report->is_done = true;
        memcpy(report->status, frame.status, sizeof(report->status));
        move_to(scanner, scanner->at + frame.length);
        report->end = here(scanner);
        scanner->is_new_report = true;
        return true;
    }
    if (!is_mention(scanner) &&
        !add_problem(scanner, frame.kind == FRAME_END ? "the end of a file that did not begin"
                     : frame.has_end ? "a broken frame line" : "the log ends in a frame line",
                     line))
        return false;
    move_to(scanner, scanner->at + sizeof(mark) - 1);
    return true;
}

/* A damaged file that an earlier report of the log has whole, with the same length
 * and CRC, is taken from there. */
static bool take_from_copies(struct extract_log *log, uint32_t report, struct extract_file *file)
{
    for (uint32_t r = 0; r < log->report_count; r++) {
        for (uint32_t i = 0; r != report && i < log->reports[r].file_count; i++) {
            const struct extract_file *other = &log->reports[r].files[i];
            char *bytes;

            if (other->state != EXTRACT_WHOLE || strcmp(other->name, file->name) != 0 ||
                other->crc != file->expected_crc || other->length_bytes != file->expected_bytes)
                continue;
            bytes = malloc(other->length_bytes + 1);
            if (!bytes)
                return false;
            memcpy(bytes, other->bytes, other->length_bytes);
            free(file->bytes);
            file->bytes = bytes;
            file->length_bytes = other->length_bytes;
            file->crc = other->crc;
            file->state = EXTRACT_WHOLE;
            file->is_from_copy = true;
            return true;
        }
    }
    return true;
}

/* A packed file becomes the file that was packed, as far as its bytes are right. */
static void unpack(struct extract_file *file)
{
    static const char ending[] = ".packed";
    size_t length = strlen(file->name), stem = length - (sizeof(ending) - 1);
    struct unpacked made;

    if (length < sizeof(ending) || strcmp(file->name + stem, ending) != 0 ||
        !unpack_text(file->bytes, file->length_bytes, &made))
        return;
    file->name[stem] = '\0';
    free(file->bytes);
    file->bytes = made.bytes;
    file->length_bytes = made.length_bytes;
    file->crc = made.crc;
    file->expected_bytes = made.expected_bytes;
    file->expected_crc = made.expected_crc;
    if (file->state == EXTRACT_WHOLE &&
        (made.length_bytes != made.expected_bytes || made.crc != made.expected_crc ||
         strcmp(made.name, file->name) != 0))
        file->state = EXTRACT_DAMAGED;
}

bool extract_parse(const char *log, size_t length, struct extract_log *out)
{
    struct scanner scanner = {
        .log = log, .length = length, .line = 1, .out = out, .is_new_report = true,
    };

    *out = (struct extract_log){0};
    for (;;) {
        move_to(&scanner, find_mark(&scanner, scanner.at));
        if (scanner.at >= length)
            break;
        if (!take_frame(&scanner))
            return false;
    }
    for (uint32_t r = 0; r < out->report_count; r++) {
        for (uint32_t i = 0; i < out->reports[r].file_count; i++) {
            struct extract_file *file = &out->reports[r].files[i];

            if (file->state == EXTRACT_DAMAGED && file->has_expected_crc &&
                !take_from_copies(out, r, file))
                return false;
        }
    }
    for (uint32_t r = 0; r < out->report_count; r++)
        for (uint32_t i = 0; i < out->reports[r].file_count; i++)
            unpack(&out->reports[r].files[i]);
    return true;
}

void extract_free(struct extract_log *log)
{
    for (uint32_t r = 0; r < log->report_count; r++) {
        for (uint32_t i = 0; i < log->reports[r].file_count; i++)
            free(log->reports[r].files[i].bytes);
    }
    free(log->reports);
    free(log->problems);
}

bool extract_is_whole(const struct extract_log *log, uint32_t report)
{
    const struct extract_report *which = &log->reports[report];

    for (uint32_t i = 0; i < which->file_count; i++) {
        if (which->files[i].state != EXTRACT_WHOLE)
            return false;
    }
    for (uint32_t i = 0; i < log->problem_count; i++) {
        if (log->problems[i].report == report)
            return false;
    }
    return which->is_done;
}
