/* Lines for the person who waits: phase, percent, time gone and left. They end with CR LF,
 * because they are read on terminals, and come before the files. */
#ifndef KERNEL_REPORT_PROGRESS_H
#define KERNEL_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/report/sink.h"

struct progress {
    struct report_sink *const *sinks;
    uint32_t sink_count;
    const char *phase;
    uint32_t last_percent;  /* told last; UINT32_MAX: nothing yet in this phase */
    uint64_t last_ms;
    bool has_started;
    uint64_t start_ms;      /* of the first phase */
    /* Called for every step that is told, besides the lines; NULL: nobody watches. */
    void (*watch)(void *context, const char *phase, uint32_t percent, uint64_t left_ms);
    void *watch_context;
};

void progress_init(struct progress *progress, struct report_sink *const *sinks,
                   uint32_t sink_count);

/* From now on `watch` hears what is told. */
void progress_watch(struct progress *progress,
                    void (*watch)(void *context, const char *phase, uint32_t percent,
                                  uint64_t left_ms),
                    void *context);

/* A line of its own. */
void progress_say(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Starts a phase and says so: "[  0%] starting 7 CPUs, 0 s gone".
 * `now_ms` is of a clock that starts anywhere; the first phase's is the start of the run. */
void progress_phase(struct progress *progress, const char *phase, uint64_t now_ms);

/* Says how far the phase is, when the percent changed by 5 or more, or 5 s have passed:
 * who waits sees that the machine lives. `left_ms` is the time to the end of the phase;
 * UINT64_MAX: not known. */
void progress_update(struct progress *progress, uint64_t done, uint64_t total, uint64_t now_ms,
                     uint64_t left_ms);

#endif
