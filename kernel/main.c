/* The steps of a run, in order. */
#include "kernel/cpu/start.h"
#include "kernel/run.h"

static struct run this_run;

/* True while there is something left to do and nothing stopped the run. */
static bool read_machine(struct run *run)
{
    return run_read_options(run)
        && run->arena.size_bytes > 0
        && run_read_tables(run)
        && !run->options.is_help
        && run_start_cpus(run)
        && run_capture(run)
        && run_conclude(run);
}

static void examine_machine(struct run *run)
{
    if (!read_machine(run))
        return;
    run_measure(run);
    run_bench(run);
}

struct boot_result *kernel_main(struct boot_info *info)
{
    struct run *run = &this_run;

    run_guard_end(run);
    run_open_early_console(run);
    run_take_memory(run, info); /* without, the options still say where the reason goes */
    run_guarded(run, examine_machine);
    run_guarded(run, run_judge);
    run_guarded(run, run_park);
    run->result.status = REPORT_FAIL;
    run->result.after = run_after(run);
    if (!run_guarded(run, run_report)) {
        run_forget(run);
        run_guarded(run, run_report);
    }
    return &run->result;
}

void kernel_goodbye(const struct boot_info *info)
{
    run_goodbye(&this_run, info);
}

void kernel_key(const struct boot_info *info)
{
    run_screen_key(&this_run, info->key);
}
