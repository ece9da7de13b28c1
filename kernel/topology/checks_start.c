/* CPUs that are not there when they are called, or could not be called, and what else went
 * wrong with them. */
#include "kernel/topology/checks_run.h"

enum {
    NAMED_ALONE = 16, /* firmware that lists CPUs nobody built does so by the thousand */
    XAPIC_HIGHEST_ID = 254,
};

static bool is_silent(const struct cpu_facts *cpu)
{
    return cpu->state == CPU_SILENT && !cpu->is_untried && !cpu->unsent_count;
}

static void check_silent(struct check_run *run)
{
    const struct cpu_facts *cpus = run->facts->cpus;
    struct finding *others = NULL;
    uint32_t count = 0, silent = 0;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++)
        silent += is_silent(&cpus[fact]);
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        if (!is_silent(&cpus[fact]))
            continue;
        if (count++ < NAMED_ALONE)
            checks_mark(run, checks_report(run, 0, "MADT",
                                           "The CPU with APIC id 0x%x did not answer: it is listed "
                                           "as enabled, and was sent INIT and two start messages.",
                                           cpus[fact].madt_apic_id), fact);
        else if (count == NAMED_ALONE + 1)
            others = checks_report(run, 0, "MADT", "%u more CPUs, from APIC id 0x%x on, did not "
                                   "answer either.", silent - NAMED_ALONE, cpus[fact].madt_apic_id);
        if (count > NAMED_ALONE)
            checks_mark(run, others, fact);
    }
}

static void check_untried(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct cpu_facts *cpu = &run->facts->cpus[fact];

        if (!cpu->is_untried)
            continue;
        if (!finding)
            finding = checks_report(run, 0, "MADT", "CPUs that are listed as enabled, from APIC id "
                                    "0x%x on, were not started: this run could start none.",
                                    cpu->madt_apic_id);
        checks_mark(run, finding, fact);
    }
}

/* xAPIC messages carry 8 bits of an id, of which 255 means everybody. [intel/vol3 11.6.1] */
static bool is_beyond_xapic(const struct cpu_facts *cpu)
{
    return cpu->madt_apic_id > XAPIC_HIGHEST_ID;
}

static void report_unsent(struct check_run *run, bool are_beyond)
{
    const struct cpu_facts *cpus = run->facts->cpus;
    unsigned long long messages = 0;
    uint32_t count = 0, first = 0;
    struct finding *finding;

    for (uint32_t fact = run->facts->cpu_count; fact-- > 0;) {
        if (!cpus[fact].unsent_count || is_beyond_xapic(&cpus[fact]) != are_beyond)
            continue;
        messages += cpus[fact].unsent_count;
        count++;
        first = fact;
    }
    if (!count)
        return;
    finding = checks_report(run, 0, "ICR", "%llu messages to %u CPUs, the first with APIC id 0x%x, "
                            "were not sent: %s.", messages, count, cpus[first].madt_apic_id,
                            are_beyond ? "in xAPIC mode they reach ids up to 254"
                                       : "the local APIC's command register stayed busy");
    for (uint32_t fact = first; fact < run->facts->cpu_count; fact++)
        if (cpus[fact].unsent_count && is_beyond_xapic(&cpus[fact]) == are_beyond)
            checks_mark(run, finding, fact);
}

static void check_unsent(struct check_run *run)
{
    report_unsent(run, false);
    report_unsent(run, true);
}

static void check_faulted(struct check_run *run)
{
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++)
        if (run->facts->cpus[fact].state == CPU_FAULTED)
            checks_mark(run, checks_report(run, 0, "capture",
                                           "The CPU with APIC id 0x%x started and then took an "
                                           "exception, or did not finish, while it was read.",
                                           run->facts->cpus[fact].madt_apic_id), fact);
}

/* The counts of each CPU are in the report; here stands what came in all. */
static void check_interrupts(struct check_run *run)
{
    unsigned long long nmi = 0, spurious = 0, other = 0;
    uint32_t last_vector = 0;
    struct finding *finding;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct cpu_interrupts *counts = &run->facts->cpus[fact].interrupts;

        nmi += counts->nmi;
        spurious += counts->spurious;
        other += counts->other;
        if (counts->other)
            last_vector = counts->last_vector;
    }
    if (!nmi && !spurious && !other)
        return;
    finding = checks_report(run, 0, "interrupts", "Interrupts came that nobody asked for: %llu "
                            "NMI, %llu spurious, %llu of other vectors (the last: 0x%x).", nmi,
                            spurious, other, last_vector);
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct cpu_interrupts *counts = &run->facts->cpus[fact].interrupts;

        if (counts->nmi || counts->spurious || counts->other)
            checks_mark(run, finding, fact);
    }
}

static const struct check checks[] = {
    {"cpu-silent", FINDING_ERROR, "", "all", "an enabled CPU did not answer its start messages", "",
     "its row is missing everywhere, and every mask is without it", check_silent, NULL},
    {"cpu-untried", FINDING_ERROR, "", "all", "no CPU could be started", "",
     "the boot CPU alone is known, and every mask is of it alone", check_untried, NULL},
    {"cpu-not-called", FINDING_ERROR, "", "all",
     "a message to a CPU was not sent: the local APIC was busy, or the id needs x2APIC mode", "",
     "a CPU that was not called cannot answer, and may be in order", check_unsent, NULL},
    {"cpu-faulted", FINDING_ERROR, "", "all", "a CPU started and was lost while it was read", "",
     "what is known of it may not be all", check_faulted, NULL},
    {"unexpected-interrupt", FINDING_WARNING, "", "all",
     "an NMI, a spurious interrupt or one of another vector came to a CPU during the run", "",
     "a device or the firmware interrupts CPUs that were told to take nothing: times may be "
     "disturbed", check_interrupts, NULL},
};
CHECK_GROUP(checks_of_start, checks);
