/* A file whose length and CRC agree with its frame is taken as it is, whatever it
 * contains. Where they do not, the next mark that looks like a frame ends it, so that
 * one lost byte costs one file and not the rest of the log. */
#include "host/extract_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/extract_frame.h"
#include "kernel/lib/crc32.h"

struct scanner {
    const char *log;
    size_t length;
    size_t at;
    uint64_t line;
    struct extract_log *out;
    bool is_new_report; /* the next frame starts a report */
};

static size_t find_mark(const struct scanner *scanner, size_t at)
{
    return extract_find_mark(scanner->log, scanner->length, at);
}

static struct frame_line read_frame(const struct scanner *scanner, size_t at, char *line)
{
    return extract_read_frame(scanner->log, scanner->length, at, line);
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
    char line[EXTRACT_LINE_BYTES];

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
    char line[EXTRACT_LINE_BYTES];
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
    move_to(scanner, scanner->at + strlen(extract_mark));
    return true;
}

bool extract_scan(const char *log, size_t length, struct extract_log *out)
{
    struct scanner scanner = {
        .log = log, .length = length, .line = 1, .out = out, .is_new_report = true,
    };

    *out = (struct extract_log){0};
    for (;;) {
        move_to(&scanner, find_mark(&scanner, scanner.at));
        if (scanner.at >= length)
            return true;
        if (!take_frame(&scanner))
            return false;
    }
}
