/* coretruth extract: cuts the report files out of a serial log and checks them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/command.h"
#include "host/complain.h"
#include "host/extract.h"
#include "host/input.h"
#include "host/output.h"
#include "host/summary.h"

const char cmd_extract_usage[] =
    "usage: coretruth extract LOG [-o DIR] [--report N | --all]\n"
    "\n"
    "Cuts the files of a report out of the log of a serial line, checks length and\n"
    "CRC-32, and writes them to DIR (made when missing; default: this directory).\n"
    "A file that is not whole is written as NAME.part. Of several reports in one log\n"
    "the last is taken; --report N takes the Nth, --all each, to DIR/1, DIR/2, ...\n"
    "CRs that a terminal added, and everything between the files, are passed over.\n"
    "Where that gives no whole report, so are times or names that a concentrator put\n"
    "before each line, escape sequences, NULs and second copies of lines; this is said.\n"
    "\n"
    "LOG may also hold the text of the QR code that the last page on the screen shows, as\n"
    "a phone or zbarimg reads it: summary.txt and summary.json are written.\n"
    "\n"
    "exit status: 0 the report is whole, 1 it is cut, damaged or not there, 2 usage or\n"
    "a log that cannot be read\n";

struct arguments {
    const char *log_path, *directory;
    unsigned long report; /* 0: the last */
    bool takes_all;
};

static bool read_arguments(int argc, char **argv, struct arguments *arguments)
{
    char *end;

    *arguments = (struct arguments){.directory = "."};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--all")) {
            arguments->takes_all = true;
        } else if (!strcmp(argv[i], "-o") && i + 1 < argc) {
            arguments->directory = argv[++i];
        } else if (!strcmp(argv[i], "--report") && i + 1 < argc) {
            arguments->report = strtoul(argv[++i], &end, 10);
            if (*end || arguments->report == 0) {
                complain_usage("--report %s is no number from 1 on", argv[i]);
                return false;
            }
        } else if (argv[i][0] == '-' || arguments->log_path) {
            complain_argument(argv[i]);
            return false;
        } else {
            arguments->log_path = argv[i];
        }
    }
    if (!arguments->log_path)
        complain_usage("no LOG is named");
    else if (arguments->takes_all && arguments->report)
        complain_usage("--all and --report exclude each other");
    return arguments->log_path && !(arguments->takes_all && arguments->report);
}

static bool make_directory(const char *path)
{
    char part[4096];
    size_t length = strlen(path);

    if (length >= sizeof(part))
        return false;
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

/* Writes NAME or NAME.part, and removes the other, which is from an earlier try. */
static bool write_file(const char *directory, const struct extract_file *file)
{
    char path[4400], other[4400];
    bool is_whole = file->state == EXTRACT_WHOLE;
    FILE *out;
    bool is_good;

    snprintf(path, sizeof(path), "%s/%s%s", directory, file->name, is_whole ? "" : ".part");
    snprintf(other, sizeof(other), "%s/%s%s", directory, file->name, is_whole ? ".part" : "");
    remove(other);
    out = fopen(path, "wb");
    if (out)
        fwrite(file->bytes, 1, file->length_bytes, out);
    is_good = out && output_close(out);
    if (!is_good)
        complain("%s: %s", path, strerror(errno));
    return is_good;
}

static void tell_file(const struct extract_file *file)
{
    unsigned long long begin = file->begin.offset, end = file->end.offset;

    if (file->state == EXTRACT_WHOLE) {
        printf("  %-14s %10zu bytes  whole%s\n", file->name, file->length_bytes,
               file->is_from_copy ? " (damaged here, taken from a copy in this log)" : "");
    } else if (file->state == EXTRACT_CUT) {
        bool lacks_end = file->length_bytes >= file->expected_bytes;

        printf("  %-14s %10zu bytes  cut: %s%llu were announced at line %llu; stops at line %llu, "
               "byte offset %llu\n", file->name, file->length_bytes,
               lacks_end ? "its end line is missing; " : "",
               (unsigned long long)file->expected_bytes, (unsigned long long)file->begin.line,
               (unsigned long long)file->end.line, end);
    } else if (file->length_bytes != file->expected_bytes) {
        printf("  %-14s %10zu bytes  damaged: %llu were announced; between byte offsets %llu and "
               "%llu (from line %llu)\n", file->name, file->length_bytes,
               (unsigned long long)file->expected_bytes, begin, end,
               (unsigned long long)file->begin.line);
    } else {
        printf("  %-14s %10zu bytes  damaged: CRC-32 is %08x, not %08x; between byte offsets "
               "%llu and %llu (from line %llu)\n", file->name, file->length_bytes, file->crc,
               file->expected_crc, begin, end, (unsigned long long)file->begin.line);
    }
}

/* Returns an exit status. */
static int take_report(const struct extract_log *log, uint32_t index, const char *directory)
{
    const struct extract_report *report = &log->reports[index];
    bool is_whole = extract_is_whole(log, index);

    printf("report %u of %u: %s%s%s\n", index + 1, log->report_count,
           is_whole ? "whole" : "NOT whole", report->is_done ? ", status=" : "",
           report->is_done ? report->status : "");
    if (!make_directory(directory)) {
        complain("%s: %s", directory, strerror(errno));
        return HOST_USAGE;
    }
    for (uint32_t i = 0; i < report->file_count; i++) {
        tell_file(&report->files[i]);
        if (!write_file(directory, &report->files[i]))
            return HOST_USAGE;
    }
    for (uint32_t i = 0; i < log->problem_count; i++) {
        if (log->problems[i].report == index)
            printf("  line %llu, byte offset %llu: %s\n",
                   (unsigned long long)log->problems[i].place.line,
                   (unsigned long long)log->problems[i].place.offset, log->problems[i].text);
    }
    if (!report->is_done)
        printf("  no done line: the report stops at line %llu, byte offset %llu\n",
               (unsigned long long)report->end.line, (unsigned long long)report->end.offset);
    return is_whole ? HOST_GOOD : HOST_NO;
}

/* Returns an exit status. */
static int take_summary(const struct summary *summary, const char *directory)
{
    char path[4400], why[300] = "";
    bool is_good = summary->is_whole && summary->crc == summary->expected_crc;
    json_t *json = is_good ? summary_json(summary, why, sizeof why) : NULL;
    FILE *out;

    if (!json) {
        if (summary->is_whole && !is_good)
            snprintf(why, sizeof why, "CRC-32 is %08x, not %08x", summary->crc,
                     summary->expected_crc);
        printf("summary of a QR code: NOT whole: %s\n", why[0] ? why : "it is cut");
        return HOST_NO;
    }
    is_good = make_directory(directory);
    snprintf(path, sizeof path, "%s/summary.json", directory);
    is_good = is_good && json_dump_file(json, path, JSON_INDENT(2)) == 0;
    snprintf(path, sizeof path, "%s/summary.txt", directory);
    out = is_good ? fopen(path, "w") : NULL;
    if (out)
        summary_write_text(json, out);
    is_good = out && output_close(out);
    if (is_good)
        printf("summary of a QR code: whole, status=%s\n",
               json_string_value(json_object_get(json, "status")));
    else
        complain("%s: %s", path, strerror(errno));
    json_decref(json);
    return is_good ? HOST_GOOD : HOST_USAGE;
}

static int take_reports(const struct extract_log *log, const struct arguments *arguments)
{
    char directory[4096];
    int worst = HOST_GOOD;

    if (log->cleaned[0])
        printf("%s: %s\n", arguments->log_path, log->cleaned);
    if (log->report_count == 0) {
        printf("no report in %s: no line starts a file; right is '#coretruth begin NAME bytes=N'\n",
               arguments->log_path);
        return HOST_NO;
    }
    if (arguments->report > log->report_count) {
        complain("%s: there are %u reports, no report %llu", arguments->log_path,
                 log->report_count, (unsigned long long)arguments->report);
        return HOST_USAGE;
    }
    if (!arguments->takes_all)
        return take_report(log, (uint32_t)(arguments->report ? arguments->report
                                                             : log->report_count) - 1,
                           arguments->directory);
    for (uint32_t i = 0; i < log->report_count; i++) {
        int status;

        snprintf(directory, sizeof(directory), "%s/%u", arguments->directory, i + 1);
        status = take_report(log, i, directory);
        if (status > worst)
            worst = status;
    }
    return worst;
}

int cmd_extract(int argc, char **argv)
{
    struct arguments arguments;
    struct extract_log log;
    struct summary summary;
    size_t length;
    char *bytes;
    int status;

    if (!read_arguments(argc, argv, &arguments))
        return HOST_USAGE;
    bytes = input_read_file(arguments.log_path, &length);
    if (!bytes)
        return HOST_USAGE;
    if (extract_parse(bytes, length, &log)) {
        status = !log.report_count && summary_find(&summary, bytes, length) ?
            take_summary(&summary, arguments.directory) : take_reports(&log, &arguments);
    } else {
        complain("out of memory");
        status = HOST_USAGE;
    }
    extract_free(&log);
    free(bytes);
    return status;
}
