/* The steps of a run, in order. */
#include "kernel/cpu/start.h"
#include "kernel/run.h"

static struct run run;

/* True while there is something left to do and nothing stopped the run. */
static bool read_machine(void)
{
    return run_read_options(&run)
        && run_read_tables(&run)
        && !run.options.is_help
        && run_start_cpus(&run)
        && run_capture(&run)
        && run_conclude(&run);
}

struct boot_result *kernel_main(struct boot_info *info)
{
    run_open_early_console(&run);
    if (run_take_memory(&run, info) && read_machine()) {
        run_measure(&run);
        run_bench(&run);
    }
    run_judge(&run);
    return run_report(&run);
}

void kernel_goodbye(const struct boot_info *info)
{
    run_goodbye(&run, info);
}

void kernel_key(const struct boot_info *info)
{
    run_screen_key(&run, info->key);
}
