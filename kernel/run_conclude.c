/* From facts to conclusions: every profile that was asked for, then the checks. */
#include "kernel/run.h"

#include <stdio.h>
#include <string.h>

#include "boot/info/memory_map.h"
#include "kernel/facts/acpi_sdt.h"
#include "kernel/stats/agreement.h"
#include "kernel/stats/measured_summary.h"
#include "kernel/topology/checks.h"

enum { MOST_TOLD = 12 };

/* Findings from number `first` on, for the person who waits: the report has all. */
static void tell_findings(struct run *run, uint32_t first)
{
    uint32_t told = 0;

    for (uint32_t i = first; i < run->findings.count && told < MOST_TOLD; i++) {
        const struct finding *finding = &run->findings.list[i];

        if (finding->severity == FINDING_INFO)
            continue;
        progress_say(&run->progress, "%s %s: %s",
                     finding->severity == FINDING_ERROR ? "ERROR" : "WARNING", finding->id,
                     finding->text);
        told++;
    }
}

static bool open_findings(struct run *run)
{
    return findings_init(&run->findings, RUN_MAX_FINDINGS, run->facts.cpu_count + 1,
                         &run->arena) ||
           run_fail(run, "no memory for findings");
}

/* What the machine declares can be judged before anything is measured. */
static bool check_declared(struct run *run)
{
    if (!open_findings(run))
        return false;
    run_check(run, "checks-had-memory",
              checks_run(&run->facts, run->topologies, run->built, &run->arena, &run->findings),
              false, "some check may not have run");
    tell_findings(run, 0);
    return true;
}

bool run_conclude(struct run *run)
{
    run_phase(run, "building masks");
    run_inject_fault(run, INJECT_IN_MASKS);
    if (!topology_build_all(&run->facts, run->options.rules, &run->arena, run->topologies))
        return run_fail(run, "no memory for the masks of %u CPUs", run->facts.cpu_count);
    run->built = run->options.rules;
    return check_declared(run);
}

/* A table is believed with a wrong checksum, as kernels do, but it is told. */
static void check_tables(struct run *run)
{
    static char reason[80];
    const struct acpi_table *wrong = NULL;

    for (uint32_t i = 0; i < run->facts.table_count && !wrong; i++) {
        const struct acpi_table *table = &run->facts.tables[i];
        bool is_table = strcmp(table->signature, "RSD PTR ") != 0;

        /* Of AML only the header is kept. */
        if (is_table && acpi_sdt_stated_length(table->bytes) == table->length_bytes
            && !acpi_sdt_sum_is_zero(table->bytes, table->length_bytes))
            wrong = table;
    }
    if (wrong)
        snprintf(reason, sizeof reason, "the bytes of %s at 0x%llx do not add up to zero",
                 wrong->signature, (unsigned long long)wrong->address);
    run_check(run, "acpi-checksums-right", !wrong, false, reason);
    run_check(run, "acpi-lists-cpus", facts_table(&run->facts, "APIC") != NULL, false,
              "no MADT: the boot CPU is the only one that is known");
}

/* The loader put the image where it lies: the map it hands over should agree. */
static void check_place(struct run *run)
{
    static char reason[120];
    uint64_t at = run->info->kernel_physical, end = at + run->info->kernel_bytes;
    const struct boot_range *range = memory_map_find(run->info, at);

    while (at < end && range && range->kind == BOOT_RANGE_KERNEL) {
        at = range->end;
        range = memory_map_find(run->info, at);
    }
    if (at < end)
        snprintf(reason, sizeof reason, "the image lies at 0x%llx to 0x%llx, and 0x%llx is %s by "
                 "the memory map", (unsigned long long)run->info->kernel_physical,
                 (unsigned long long)end, (unsigned long long)at,
                 range ? memory_map_kind_name(range->kind) : "nothing");
    run_check(run, "image-lies-in-free-memory", at >= end, false, reason);
}

/* Claims about the run itself; what the machine declares is judged by the checks. */
static void check_run(struct run *run)
{
    uint32_t missing = 0;

    for (uint32_t cpu = 0; cpu < run->facts.cpu_count; cpu++)
        missing += run->facts.cpus[cpu].state == CPU_SILENT ||
                   run->facts.cpus[cpu].state == CPU_FAULTED;
    run_check(run, "every-enabled-cpu-answered", missing == 0, false,
              "see the finding of each CPU");
    run_check(run, "acpi-tables-found", run->acpi.rsdp.state != ACPI_RSDP_NONE, false,
              "no RSDP was found");
    run_check(run, "acpi-root-pointer-whole", run->acpi.rsdp.state == ACPI_RSDP_GOOD, false,
              acpi_rsdp_state_text(run->acpi.rsdp.state));
    run_check(run, "acpi-tables-readable", !run->acpi.is_root_broken && !run->acpi.unreadable_count
              && !run->acpi.dropped_count, false, "an entry of XSDT or RSDT leads to no table");
    check_tables(run);
    run_check(run, "tsc-rate-measured", run->facts.has_tsc_hz, false,
              "no second clock answered: times are cycles of an assumed rate");
    run_check(run, "memory-map-whole", !run->info->dropped_ranges, false,
              "more ranges than the image keeps");
    check_place(run);
    run_check(run, "every-cpuid-row-kept", !run->capture.cut_count, false,
              "a CPU has more CPUID rows than the image keeps");
}

void run_judge_measured(struct run *run)
{
    uint32_t known = run->findings.count;

    if (!run->measured || !run->findings.list)
        return;
    agreement_findings(run->measured, &run->findings);
    measured_findings(run->measured, &run->findings);
    tell_findings(run, known);
}

void run_judge_interrupts(struct run *run)
{
    uint32_t known = run->findings.count, count = 0;

    for (uint32_t cpu = 0; cpu < run->list.enabled_count; cpu++) {
        struct interrupt_counts counts = smp_interrupts(cpu);

        run->facts.cpus[cpu].interrupts = (struct cpu_interrupts){
            counts.nmi, counts.spurious, counts.other, counts.last_vector};
        count += counts.nmi + counts.spurious + counts.other;
    }
    run_check(run, "no-unexpected-interrupt", count == 0, false,
              "an NMI or an interrupt came that nobody asked for: times may be disturbed");
    if (count && run->findings.list) {
        checks_run_one(&run->facts, run->topologies, run->built, &run->arena, &run->findings,
                       "unexpected-interrupt");
        tell_findings(run, known);
    }
}

void run_judge(struct run *run)
{
    run_phase(run, "looking for contradictions");
    if (!run->findings.list && !open_findings(run))
        return;
    if (run->fail_text[0] || run->options.is_help)
        return;
    check_run(run);
}
