/* Reading the machine: options, ACPI tables, CPUs, CPUID and MSRs. */
#include "kernel/run.h"

#include <stdio.h>
#include <string.h>

#include "drivers/apic/apic.h"
#include "kernel/bench/clear_page.h"
#include "kernel/capture/smbios_capture.h"
#include "kernel/capture/watchdog_capture.h"
#include "kernel/cpu/cpu_local.h"
#include "kernel/cpu/tsc.h"
#include "kernel/facts/acpi_fadt.h"
#include "kernel/report/formats.h"
#include "kernel/topology/rules.h"

enum {
    START_BOUND_US = 2000000,    /* all CPUs together, from the first start message */
    CAPTURE_BOUND_US = 10000000, /* an emulator traps every CPUID and MSR */
    MAX_VARIANTS = 64,
};

static const char *rule_words[RULE_PROFILE_COUNT];
static const char *variant_words[MAX_VARIANTS];

static void collect_words(struct options_words *words)
{
    uint32_t count = clear_page_variant_count();

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        rule_words[i] = rules_name(&rule_profiles[i]);
    if (count > MAX_VARIANTS)
        count = MAX_VARIANTS;
    for (uint32_t i = 0; i < count; i++)
        variant_words[i] = clear_page_variants[i].id;
    words->rules = (struct options_word_list){rule_words, RULE_PROFILE_COUNT};
    words->variants = (struct options_word_list){variant_words, count};
    words->reports = report_words();
}

bool run_read_options(struct run *run)
{
    struct input_error error;

    collect_words(&run->words);
    options_init(&run->options, &run->words);
    if (run->info->is_cmdline_cut)
        return run_fail(run, "the command line is longer than %u bytes", BOOT_INFO_CMDLINE_BYTES - 1);
    if (!options_parse(&run->options, run->info->cmdline, &run->words, &error))
        return run_fail(run, "options, byte %llu: %s", (unsigned long long)error.place, error.text);
    return true;
}

/* The rate of the TSC by the PM timer that the FADT names. */
static void calibrate(struct run *run)
{
    const struct acpi_table *table = facts_table(&run->facts, "FACP");
    struct acpi_fadt fadt = {0};
    struct input_error error;
    uint16_t port = 0;

    if (table && acpi_fadt_parse(&fadt, table->bytes, table->length_bytes, &error)
        && fadt.has_pm_timer && fadt.pm_timer.space == ACPI_SPACE_IO)
        port = (uint16_t)fadt.pm_timer.address;
    run->facts.has_tsc_hz = tsc_calibrate(port, fadt.is_pm_timer_32_bit, run->facts.tsc_rates);
    run->facts.tsc_hz = tsc_hz();
}

bool run_read_tables(struct run *run)
{
    static const char source[] = "this boot";

    memcpy(run->facts.source, source, sizeof source);
    if (!capture_firmware(&run->facts, run->info, &run->arena)
        || !acpi_capture(&run->facts, run->info, &run->arena, &run->acpi))
        return run_fail(run, "no memory for the firmware's tables (%zu bytes)", run->arena.size_bytes);
    smbios_capture(&run->facts, run->info->smbios_address);
    if (!watchdog_capture(&run->facts, &run->arena))
        return run_fail(run, "no memory for the registers of devices");
    calibrate(run);
    run_open_console(run);
    return true;
}

static uint64_t us_of(uint64_t cycles)
{
    uint64_t per_us = tsc_hz() / 1000000;

    return per_us ? cycles / per_us : 0;
}

/* Thousands of lines would take longer than the run on a slow line. */
static void tell_silent(struct run *run)
{
    enum { NAMED = 16 };
    uint32_t count = 0;

    for (uint32_t cpu = 1; cpu < run->list.enabled_count; cpu++)
        if (run->started[cpu].outcome == SMP_SILENT && count++ < NAMED)
            progress_say(&run->progress, "APIC id 0x%x did not answer", run->started[cpu].apic_id);
    if (count > NAMED)
        progress_say(&run->progress, "%u more did not answer", count - NAMED);
}

/* The limit and the slowest CPU stand side by side, so that one sees how near it came. When
 * one stays silent, the time until all were given up is no CPU's. */
static void tell_start(struct run *run, uint32_t started_count)
{
    const struct smp_start_summary *summary = smp_start_summary();
    uint32_t wanted_count = run->list.enabled_count - 1, slowest = 0;
    unsigned long long limit_us = us_of(summary->limit_cycles);
    char silent[40] = "";

    for (uint32_t cpu = 1; cpu <= wanted_count; cpu++)
        if (run->started[cpu].start_cycles > run->started[slowest].start_cycles)
            slowest = cpu;
    unsigned long long slowest_us = us_of(run->started[slowest].start_cycles);
    if (started_count < wanted_count)
        snprintf(silent, sizeof silent, ", %u not at all", wanted_count - started_count);
    if (started_count > 0)
        progress_say(&run->progress,
                     "%u of %u CPUs answered within %llu us%s (limit %llu us); slowest: APIC id "
                     "0x%x after %llu us; %u got a second start message",
                     started_count, wanted_count,
                     silent[0] ? slowest_us : (unsigned long long)us_of(summary->elapsed_cycles),
                     silent, limit_us, run->started[slowest].apic_id, slowest_us,
                     summary->second_count);
    else if (wanted_count > 0)
        progress_say(&run->progress,
                     "0 of %u CPUs answered within the limit of %llu us; %u got a second start "
                     "message", wanted_count, limit_us, summary->second_count);
    tell_silent(run);
}

/* The others are listed, but nobody calls them. */
static void keep_boot_cpu_only(struct run *run)
{
    for (uint32_t cpu = 1; cpu < run->list.enabled_count; cpu++)
        run->facts.cpus[cpu].is_untried = true;
    run->list.enabled_count = 1;
}

bool run_start_cpus(struct run *run)
{
    enum apic_open_result opened = apic_open(cpu_list_max_apic_id(&run->facts));
    uint32_t boot_id = opened == APIC_OPEN_OK ? apic_ops()->read_id() : cpu_local()->apic_id;

    run->facts.has_handover_apic_base = apic_handover()->has_base;
    run->facts.handover_apic_base = apic_handover()->base;
    run->facts.is_x2apic_at_handover = apic_handover()->is_x2apic;
    if (!cpu_list_build(&run->facts, boot_id, &run->arena, &run->list))
        return run_fail(run, "no memory for the list of CPUs");
    run_fix_memory(run, run->list.enabled_count);
    bool can_start = run->info->trampoline_physical || run->list.enabled_count == 1;
    if (opened != APIC_OPEN_OK || !can_start)
        keep_boot_cpu_only(run);
    run_check(run, "page-to-start-cpus-from", can_start, true,
              "no free page below 1 MiB: the boot CPU is the only one that was read");
    run_check(run, "local-apic-answers", opened == APIC_OPEN_OK, false,
              opened == APIC_OPEN_NONE ? "this CPU has no local APIC that can be switched on"
                                       : "the APIC's registers could not be mapped");

    run->started = ARENA_NEW(&run->arena, struct smp_cpu, run->list.enabled_count);
    if (!run->started || !capture_init(&run->capture, &run->facts, run->list.enabled_count, &run->arena))
        return run_fail(run, "no memory for %u CPUs", run->list.enabled_count);
    for (uint32_t cpu = 0; cpu < run->list.enabled_count; cpu++)
        run->started[cpu].apic_id = run->facts.cpus[cpu].madt_apic_id;
    if (!smp_init(run->started, run->list.enabled_count, run->info->trampoline_physical, &run->arena))
        return run_fail(run, "no memory to start %u CPUs", run->list.enabled_count);
    run_inject_start(run);
    run_phase(run, "starting CPUs");
    tell_start(run, smp_start_all(tsc_cycles_of_us(START_BOUND_US)));
    for (uint32_t cpu = 0; cpu < run->list.enabled_count; cpu++)
        run->facts.cpus[cpu].bringup_cycles = run->started[cpu].start_cycles;
    return true;
}

bool run_capture(struct run *run)
{
    run_phase(run, "reading CPUs");
    run_inject_fault(run, INJECT_IN_CAPTURE);
    run_inject_stray_stores(run);
    run_inject_interrupts(run);
    capture_cpus(&run->capture, tsc_cycles_of_us(CAPTURE_BOUND_US));
    return true;
}
