/* What a run keeps about itself while it goes on: phases, claims, why it stopped. */
#include "kernel/run.h"

#include "kernel/cpu/tsc.h"
#include "kernel/lib/textbuf.h"

bool run_fail(struct run *run, const char *format, ...)
{
    struct textbuf text;
    va_list args;

    if (run->fail_text[0])
        return false;
    textbuf_init(&text, run->fail_text, sizeof run->fail_text);
    va_start(args, format);
    textbuf_vprintf(&text, format, args);
    va_end(args);
    return false;
}

void run_check(struct run *run, const char *name, bool is_ok, bool voids_run, const char *reason)
{
    if (run->check_count == RUN_MAX_CHECKS)
        return;
    run->checks[run->check_count++] = (struct report_check){
        .name = name,
        .outcome = is_ok ? CHECK_OK : CHECK_NOT_OK,
        .reason = is_ok ? NULL : reason,
        .voids_run = voids_run,
    };
}

uint64_t run_now_ms(void)
{
    uint64_t per_ms = tsc_hz() / 1000;

    return per_ms ? tsc_read() / per_ms : 0;
}

void run_phase(struct run *run, const char *name)
{
    uint64_t now = tsc_read();

    if (run->phase_count) {
        run->phases[run->phase_count - 1].end_cycles = now;
        run->phases[run->phase_count - 1].memory_bytes = run->arena.used_bytes;
    }
    if (run->phase_count < RUN_MAX_PHASES)
        run->phases[run->phase_count++] = (struct report_phase){.name = name, .start_cycles = now,
                                                                .end_cycles = now};
    progress_phase(&run->progress, name, run_now_ms());
}
