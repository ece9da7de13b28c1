/* An exception on the boot CPU ends the step it happened in, not the run: the report
 * still tells what was found until then, and why that is all. */
#include "kernel/run.h"

#include "kernel/cpu/cpu_local.h"
#include "kernel/cpu/exception.h"
#include "kernel/cpu/power.h"
#include "kernel/cpu/symbols.h"

static struct run *speaker;

bool run_guarded(struct run *run, void (*step)(struct run *run))
{
    struct recover_point point = {.wants_dump = true}, *previous = cpu_local()->recover;
    bool is_good = !recover_arm(&point);

    if (is_good) {
        step(run);
    } else {
        const struct fault_record *fault = &cpu_local()->fault;
        uint64_t offset = 0;
        const char *name = symbols_find(fault->rip, &offset);

        run_fail(run, "exception %llu (%s) on the boot CPU at 0x%llx (%s+0x%llx)",
                 (unsigned long long)fault->vector, exception_name(fault->vector),
                 (unsigned long long)fault->rip, name ? name : "outside the image",
                 (unsigned long long)offset);
    }
    recover_disarm(previous);
    return is_good;
}

/* Outside of any step: nothing can be told but that it ended. */
static void speak_last_words(void)
{
    frame_send_done(REPORT_FAIL, speaker->sinks, speaker->sink_count);
    run_close_console();
    power_exit_qemu(REPORT_FAIL);
}

void run_guard_end(struct run *run)
{
    speaker = run;
    exception_set_last_words(speak_last_words);
}
