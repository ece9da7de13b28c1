/* What a concentrator puts before each line of a serial log: times, a host's name, in one
 * shape from line to line. Known by the frame lines of a report, which start with
 * "#coretruth " when nothing is before them. */
#ifndef HOST_LOG_PREFIX_H
#define HOST_LOG_PREFIX_H

#include <stdbool.h>
#include <stddef.h>

enum { LOG_PREFIX_BYTES = 80 };

struct log_prefix {
    char text[LOG_PREFIX_BYTES + 1]; /* that of the first frame line, as an example */
    size_t length_bytes;             /* 0: there is none */
    bool is_fixed;                   /* as long on every frame line */
};

/* False: the frame lines have nothing before them, or no common shape, or are fewer than two. */
bool log_prefix_find(const char *log, size_t length, struct log_prefix *prefix);

/* Bytes of this line that are its prefix; 0: it has none. In a shape digits stand for digits,
 * letters for letters, and blanks before digits pad them; all else is itself. */
size_t log_prefix_match(const struct log_prefix *prefix, const char *line, size_t length);

#endif
