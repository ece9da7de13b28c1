/* Finds the files of reports in a log of a serial line (kernel/report/frame.h), and
 * says what is whole, what is cut and where. Works on bytes in memory. */
#ifndef HOST_EXTRACT_H
#define HOST_EXTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXTRACT_NAME_BYTES = 64, EXTRACT_MAX_FILES = 16, EXTRACT_CLEANED_BYTES = 320 };

enum extract_state {
    EXTRACT_WHOLE,   /* length and CRC are right */
    EXTRACT_CUT,     /* the log ends, or another report starts, inside the file */
    EXTRACT_DAMAGED, /* its end is there, but bytes were lost, added or changed */
};

struct extract_place {
    uint64_t offset; /* bytes from the start of the log */
    uint64_t line;   /* from 1 */
};

struct extract_file {
    char name[EXTRACT_NAME_BYTES];
    enum extract_state state;
    struct extract_place begin, end; /* of the begin line; where the content stopped */
    uint64_t expected_bytes;
    bool has_expected_crc;           /* an end line was found */
    uint32_t expected_crc, crc;
    char *bytes;                     /* without the CRs that a terminal added */
    size_t length_bytes;
    bool is_from_copy;               /* damaged here, taken from an earlier report of the log */
};

/* One run of the machine: the files up to a done line, or up to the next boot. */
struct extract_report {
    struct extract_file files[EXTRACT_MAX_FILES];
    uint32_t file_count;
    bool is_done;
    char status[16];                 /* "pass", "findings", "fail" */
    struct extract_place end;
};

/* A line that starts like a frame and is none. */
struct extract_problem {
    struct extract_place place;
    uint32_t report;                 /* index of the report it belongs to */
    char text[160];
};

struct extract_log {
    struct extract_report *reports;
    uint32_t report_count;
    struct extract_problem *problems;
    uint32_t problem_count;
    char cleaned[EXTRACT_CLEANED_BYTES]; /* what was left out of the log before it was read */
};

/* Reads the log as it is, and where that gives no whole reports, without what a concentrator
 * or terminal added to it (host/log_clean.h); places are those of the log as it is.
 * False only when memory ran out. A log without a report has report_count 0. */
bool extract_parse(const char *log, size_t length, struct extract_log *out);
void extract_free(struct extract_log *log);

/* Every file whole, the done line there, and no broken frame lines. */
bool extract_is_whole(const struct extract_log *log, uint32_t report);

#endif
