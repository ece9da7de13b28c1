/* The ways out of the image, and which of them this run uses. */
#include "kernel/run.h"

#include "kernel/cpu/early_console.h"

static bool early_write(struct report_sink *sink, const void *bytes, size_t length)
{
    (void)sink;
    early_console_put(bytes, length);
    return true;
}

static struct report_sink early_sink = {
    .name = "early", .wants = SINK_PROGRESS | SINK_FILES, .write = early_write,
};

static void add_sink(struct run *run, struct report_sink *sink)
{
    if (run->sink_count < RUN_MAX_SINKS)
        run->sinks[run->sink_count++] = sink;
    progress_init(&run->progress, run->sinks, run->sink_count);
}

void run_open_early_console(struct run *run)
{
    add_sink(run, &early_sink);
}

void run_open_console(struct run *run)
{
    (void)run;
}
