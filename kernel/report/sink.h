/* Where text goes: one value per way out (serial line, debug port, screen, …).
 * A driver fills one in, kernel/main.c registers it, kernel/report writes to it. */
#ifndef KERNEL_REPORT_SINK_H
#define KERNEL_REPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a sink wants to have. */
enum sink_wants {
    SINK_PROGRESS = 1, /* the lines for a person while the run goes on */
    SINK_FILES = 2,    /* the framed files: exact bytes, LF stays LF */
    SINK_SUMMARY = 4,  /* report.txt unframed, for a screen */
};

struct report_sink {
    const char *name;  /* "serial", "debugcon", "screen" */
    uint32_t wants;    /* SINK_ bits */
    /* Writes all bytes or gives up after its own bound; false once something was
     * lost. Bytes go out unchanged: no CR is added to LF inside write(). */
    bool (*write)(struct report_sink *sink, const void *bytes, size_t length);
    void *context;
    uint64_t written_bytes; /* counted by report_sink_write() */
    bool has_lost;          /* sticky: a write gave up */
};

void report_sink_write(struct report_sink *sink, const void *bytes, size_t length);

#endif
