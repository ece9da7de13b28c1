/* A serial log without what others added to it: prefixes of a concentrator, escape sequences,
 * NULs, every line twice, CRs in place of line feeds. */
#ifndef HOST_LOG_CLEAN_H
#define HOST_LOG_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/extract.h"

/* From this byte of the clean log on, where it was in the log, up to the next piece. */
struct log_piece {
    size_t clean, offset;
    uint64_t line;
};

struct log_clean {
    char *bytes;
    size_t length_bytes;
    struct log_piece *pieces;
    size_t piece_count, piece_capacity;
    bool has_prefix;
    char told[EXTRACT_CLEANED_BYTES]; /* what was left out; empty: nothing */
};

/* False only when memory ran out. */
bool log_clean_make(const char *log, size_t length, struct log_clean *clean);
void log_clean_free(struct log_clean *clean);

/* Where a place of the clean log is in the log itself. */
struct extract_place log_clean_place(const struct log_clean *clean, struct extract_place place);

#endif
