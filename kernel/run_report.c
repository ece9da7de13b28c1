/* The end of a run: the model, its files, the ways out, and the machine as it was. */
#include "kernel/run.h"

#include <string.h>

#include "kernel/cpu/exception.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/textbuf.h"
#include "kernel/version.h"

enum { PARK_BOUND_US = 1000000 };

static const char *boot_path_name(enum boot_path path)
{
    static const char *const names[] = {
        [BOOT_BIOS_GRUB] = "bios-grub", [BOOT_UEFI_GRUB] = "uefi-grub", [BOOT_UEFI_APP] = "uefi-app",
    };

    return names[path];
}

static const char *quiet_name(enum boot_quiet quiet)
{
    static const char *const names[] = {
        [BOOT_QUIET_NONE] = "none", [BOOT_QUIET_FIRMWARE] = "firmware", [BOOT_QUIET_EXIT] = "exit",
    };

    return names[quiet];
}

static void fill_model(const struct run *run, struct report_model *model)
{
    *model = (struct report_model){
        .version = kernel_version,
        .boot_path = boot_path_name(run->info->path),
        .quiet = quiet_name(run->info->quiet),
        .loader = run->info->loader,
        .volume = run->info->can_save_files ? run->info->volume : NULL,
        .cmdline = run->info->cmdline,
        .dropped_ranges = run->info->dropped_ranges,
        .options = &run->options,
        .words = &run->words,
        .facts = &run->facts,
        .findings = run->findings.list ? &run->findings : NULL,
        .bench = run->bench,
        .measured = run->measured,
        .checks = run->checks,
        .check_count = run->check_count,
        .phases = run->phases,
        .phase_count = run->phase_count,
        .fail_reason = run->fail_text[0] ? run->fail_text : NULL,
    };
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        model->topologies[i] = run->built >> i & 1 ? &run->topologies[i] : NULL;
}

/* The files as the loader saves them. One that found no memory cannot be saved; it
 * still leaves by the other ways. */
static void hand_over_files(struct run *run)
{
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct report_file *file = &run->files.list[i];
        struct boot_file *out;

        if (!file->bytes || run->result.file_count == BOOT_INFO_MAX_FILES)
            continue;
        out = &run->result.files[run->result.file_count++];
        strncpy(out->name, file->format->file_name, sizeof out->name - 1);
        out->bytes = file->bytes;
        out->length_bytes = file->length_bytes;
    }
}

enum boot_after run_after(const struct run *run)
{
    switch (run->options.after) {
    case AFTER_POWEROFF: return BOOT_AFTER_POWEROFF;
    case AFTER_REBOOT:   return BOOT_AFTER_REBOOT;
    case AFTER_HALT:     return BOOT_AFTER_HALT;
    case AFTER_RETURN:   break;
    }
    return BOOT_AFTER_RETURN;
}

/* A machine or an image in which this happens is not to be believed. */
static void check_faults(struct run *run)
{
    static char reason[160];
    uint32_t cpu = smp_first_faulted();
    struct smp_fault fault;
    struct textbuf text;
    bool has_faulted = smp_fault_of(cpu, &fault);

    textbuf_init(&text, reason, sizeof reason);
    if (has_faulted)
        textbuf_printf(&text, "APIC id 0x%x: exception %u (%s) at 0x%llx, see the serial log",
                       run->started[cpu].apic_id, fault.vector, exception_name(fault.vector),
                       (unsigned long long)fault.address);
    run_check(run, "no-cpu-took-an-exception", !has_faulted, true, reason);
}

/* The code page only counts who came: an id each would not fit in it. */
static void check_parked(struct run *run)
{
    static char reason[80];
    uint32_t running_count = cpumask_count(smp_running()) - 1;
    uint32_t missing_count = smp_park_all(tsc_cycles_of_us(PARK_BOUND_US));
    struct textbuf text;

    textbuf_init(&text, reason, sizeof reason);
    textbuf_printf(&text, "%u of %u started CPUs did not reach the halt loop",
                   (unsigned)missing_count, (unsigned)running_count);
    run_check(run, "cpus-parked", missing_count == 0, false, reason);
}

/* Here for the messages of measurements too. */
static void check_messages(struct run *run)
{
    uint32_t unsent_count = 0;

    for (uint32_t cpu = 0; cpu < run->list.enabled_count; cpu++) {
        run->facts.cpus[cpu].unsent_count = smp_unsent_count(cpu);
        unsent_count += smp_unsent_count(cpu);
    }
    run_check(run, "every-message-sent", unsent_count == 0, false,
              "the local APIC did not take every message: see the CPUs in report.txt");
}

void run_park(struct run *run)
{
    if (!run->started)
        return;
    check_faults(run);
    run_judge_interrupts(run);
    check_messages(run);
    check_parked(run);
}

void run_forget(struct run *run)
{
    run->bench = NULL;
    run->measured = NULL;
    run->built = 0;
    run->findings = (struct findings){0};
}

void run_report(struct run *run)
{
    if (run->info)
        run_open_console(run); /* a run that stopped early has not come to it yet */
    run_console_be_patient();
    run_phase(run, "writing the report");
    run_inject_fault(run, INJECT_IN_REPORT);
    fill_model(run, &run->model);
    if (run->info)
        run_tell_memory(run, &run->model);
    frame_make_files(&run->model, &run->arena, &run->files);
    run_screen_send(run);
    frame_send_files(&run->model, &run->files, run->sinks, run->sink_count);
    hand_over_files(run);
    run->result.status = report_status(&run->model);
}
