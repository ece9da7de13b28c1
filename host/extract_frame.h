/* One frame line of a serial log, taken apart (kernel/report/frame.h). */
#ifndef HOST_EXTRACT_FRAME_H
#define HOST_EXTRACT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/extract.h"

enum { EXTRACT_LINE_BYTES = 256 };

enum frame_kind { FRAME_NONE, FRAME_BEGIN, FRAME_END, FRAME_DONE };
struct frame_line {
    enum frame_kind kind;
    char name[EXTRACT_NAME_BYTES];
    uint64_t number; /* bytes, or CRC */
    char status[16];
    size_t length;   /* of the line in the log, its line feed included */
    bool has_end;    /* the line feed is there */
};

/* What every frame line starts with: "#coretruth ". */
extern const char extract_mark[];

/* The next mark at or after `at`; `length` when there is none. */
size_t extract_find_mark(const char *log, size_t length, size_t at);

/* Reads the frame line at `at`, and copies it to `line` as far as it fits; FRAME_NONE when it
 * is not exactly one. CRs count for nothing. */
struct frame_line extract_read_frame(const char *log, size_t length, size_t at,
                                     char line[EXTRACT_LINE_BYTES]);

#endif
