/* Few lines, because a serial line is slow and each one disturbs what is measured. */
#include "kernel/report/progress.h"

#include <stdarg.h>

#include "kernel/lib/textbuf.h"
#include "kernel/report/fixed.h"

enum { LINE_BYTES = 256, STEP_PERCENT = 5, STEP_MS = 5000 };

static void send_progress(struct progress *progress, struct textbuf *line)
{
    textbuf_put(line, "\r\n");
    for (uint32_t i = 0; i < progress->sink_count; i++) {
        if (progress->sinks[i]->wants & SINK_PROGRESS)
            report_sink_write(progress->sinks[i], line->text, line->length);
    }
}

static void put_time(struct textbuf *line, uint64_t seconds, const char *what)
{
    textbuf_put(line, ", ");
    if (seconds >= 60)
        textbuf_printf(line, "%llu min ", (unsigned long long)(seconds / 60));
    textbuf_printf(line, "%llu s %s", (unsigned long long)(seconds % 60), what);
}

static void put_times(struct textbuf *line, uint64_t gone_ms, uint64_t left_ms)
{
    put_time(line, gone_ms / 1000, "gone");
    if (left_ms != UINT64_MAX)
        put_time(line, (left_ms + 999) / 1000, "left"); /* "0 s left" would be told for long */
}

static void tell(struct progress *progress, uint32_t percent, uint64_t now_ms, uint64_t left_ms)
{
    char text[LINE_BYTES];
    struct textbuf line;

    textbuf_init(&line, text, sizeof(text) - 2);
    textbuf_printf(&line, "[%3u%%] %s", (unsigned)percent, progress->phase);
    put_times(&line, now_ms - progress->start_ms, left_ms);
    line.capacity = sizeof(text);
    send_progress(progress, &line);
    if (progress->watch)
        progress->watch(progress->watch_context, progress->phase, percent, left_ms);
    progress->last_percent = percent;
    progress->last_ms = now_ms;
}

void progress_init(struct progress *progress, struct report_sink *const *sinks,
                   uint32_t sink_count)
{
    *progress = (struct progress){.sinks = sinks, .sink_count = sink_count, .phase = ""};
}

void progress_watch(struct progress *progress,
                    void (*watch)(void *context, const char *phase, uint32_t percent,
                                  uint64_t left_ms),
                    void *context)
{
    progress->watch = watch;
    progress->watch_context = context;
}

void progress_say(struct progress *progress, const char *format, ...)
{
    char text[LINE_BYTES];
    struct textbuf line;
    va_list args;

    textbuf_init(&line, text, sizeof(text) - 2);
    va_start(args, format);
    textbuf_vprintf(&line, format, args);
    va_end(args);
    line.capacity = sizeof(text);
    send_progress(progress, &line);
}

void progress_phase(struct progress *progress, const char *phase, uint64_t now_ms)
{
    if (!progress->has_started)
        progress->start_ms = now_ms;
    progress->has_started = true;
    progress->phase = phase;
    tell(progress, 0, now_ms, UINT64_MAX);
}

void progress_update(struct progress *progress, uint64_t done, uint64_t total, uint64_t now_ms,
                     uint64_t left_ms)
{
    uint32_t percent = 100;

    if (done < total)
        percent = (uint32_t)(fixed_muldiv(done, 1000, total) / 10);
    bool is_step = percent != progress->last_percent &&
                   (percent == 100 || percent >= progress->last_percent + STEP_PERCENT);

    if (is_step || now_ms - progress->last_ms >= STEP_MS)
        tell(progress, percent, now_ms, left_ms);
}
