/* CPUs that the firmware lists and that are not there when they are called. */
#include "kernel/topology/checks_run.h"

static void check_silent(struct check_run *run)
{
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++)
        if (run->facts->cpus[fact].state == CPU_SILENT)
            checks_mark(run, checks_report(run, 0, "MADT",
                                           "The CPU with APIC id 0x%x did not answer: it is listed "
                                           "as enabled, and was sent INIT and two start messages.",
                                           run->facts->cpus[fact].madt_apic_id), fact);
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

static const struct check checks[] = {
    {"cpu-silent", FINDING_ERROR, "", "all", "an enabled CPU did not answer its start messages", "",
     "its row is missing everywhere, and every mask is without it", check_silent, NULL},
    {"cpu-faulted", FINDING_ERROR, "", "all", "a CPU started and was lost while it was read", "",
     "what is known of it may not be all", check_faulted, NULL},
};
CHECK_GROUP(checks_of_start, checks);
