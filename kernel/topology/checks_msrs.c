/* Model-specific registers that all CPUs should have set alike, and counters that
 * firmware has left running. */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"

enum { KINDS_MAX = 8, APIC_BASE_BSP = 8, EVENT_SELECT_ENABLE = 22 };

struct msr_subject {
    uint32_t address;
    const char *name;
    uint64_t mask;      /* bits that are compared */
    unsigned shift;     /* what is printed is the field below this */
    bool by_kind;       /* cores of a hybrid part may differ by kind */
};

static bool read_msr(const struct check_run *run, uint32_t fact, const void *context,
                     uint64_t *value)
{
    const struct msr_subject *subject = context;
    const struct msr_row *row = facts_msr(&run->facts->cpus[fact], subject->address);

    if (!row)
        return false;
    *value = row->has_faulted ? (uint64_t)CHECKS_UNREADABLE
                              : (row->value & subject->mask) >> subject->shift;
    return true;
}

static void report_msr(struct check_run *run, const struct msr_subject *subject, int kind)
{
    char storage[CHECKS_TEXT_BYTES - 96], source[24];
    struct check_values groups;
    struct textbuf text;

    if (!checks_group(run, read_msr, subject, kind, &groups) || groups.count < 2)
        return;
    textbuf_init(&text, source, sizeof(source));
    textbuf_printf(&text, "MSR 0x%x", subject->address);
    textbuf_init(&text, storage, sizeof(storage));
    checks_put_groups(&text, &groups);
    checks_mark_groups(checks_report(run, 0, source, "CPUs differ in %s (%s): %s.", subject->name,
                                     source, storage), &groups);
}

static void check_msr(struct check_run *run)
{
    const struct msr_subject *subject = run->check->subject;
    int kinds[KINDS_MAX] = {-1};
    uint32_t count = subject->by_kind ? checks_kinds(run, kinds, KINDS_MAX) : 1;

    for (uint32_t i = 0; i < count; i++)
        report_msr(run, subject, kinds[i]);
}

/* Intel keeps the revision in the upper half, AMD in the lower. [intel/vol3 9.11.7]
 * [amd/vol2 MSR 0x8B] Without CPUID rows the half that is used tells. */
static bool read_microcode(const struct check_run *run, uint32_t fact, const void *context,
                           uint64_t *value)
{
    const struct msr_row *row = facts_msr(&run->facts->cpus[fact], 0x8B);

    (void)context;
    if (!row || row->has_faulted)
        return false;
    *value = row->value >> 32 ? row->value >> 32 : row->value & UINT32_MAX;
    return true;
}

static void check_microcode(struct check_run *run)
{
    char storage[CHECKS_TEXT_BYTES - 64];
    struct check_values groups;
    struct textbuf text;

    if (!checks_group(run, read_microcode, NULL, -1, &groups) || groups.count < 2)
        return;
    textbuf_init(&text, storage, sizeof(storage));
    for (uint32_t i = 0; i < groups.count; i++) {
        textbuf_printf(&text, "%s0x%llx: ", i ? "; " : "", (unsigned long long)groups.value[i]);
        checks_put_cpus(&text, &groups.cpus[i]);
        textbuf_put(&text, groups.value[i] ? "" : " (not loaded)");
    }
    checks_mark_groups(checks_report(run, 0, "MSR 0x8b", "CPUs run different microcode: %s.",
                                     storage), &groups);
}

static void check_tsc_adjust(struct check_run *run)
{
    static const struct msr_subject subject = {0x3B, "", UINT64_MAX, 0, false};
    char storage[CHECKS_TEXT_BYTES - 64];
    struct check_values groups;
    struct textbuf text;

    if (!checks_group(run, read_msr, &subject, -1, &groups) || groups.count == 0 ||
        (groups.count == 1 && (groups.value[0] == 0 ||
                               groups.value[0] == (uint64_t)CHECKS_UNREADABLE)))
        return;
    textbuf_init(&text, storage, sizeof(storage));
    checks_put_groups(&text, &groups);
    checks_mark_groups(checks_report(run, 0, "MSR 0x3b", "Firmware has moved the TSC of some CPUs "
                                     "(IA32_TSC_ADJUST): %s.", storage), &groups);
}

static void check_bsp_bit(struct check_run *run)
{
    uint32_t known = 0, marked = 0, second = 0;
    struct finding *finding;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct msr_row *row = facts_msr(&run->facts->cpus[fact], 0x1B);

        if (!row || row->has_faulted)
            continue;
        known++;
        if (row->value >> APIC_BASE_BSP & 1 && marked++)
            second = fact;
    }
    /* All marked: the dump tool read the register on one CPU for all of them. */
    if (known != run->facts->cpu_count || marked == 1 || marked == known)
        return;
    finding = checks_report(run, 0, "MSR 0x1b[8]", "%u CPUs are marked as the boot CPU, there must "
                            "be one.", marked);
    if (marked)
        checks_mark(run, finding, second);
}

/* Event selects: [intel/vol3 20.2.1], [amd/vol2 13.2.1]. */
static bool runs_counter(const struct cpu_facts *cpu, uint32_t address, unsigned enable_bit)
{
    const struct msr_row *row = facts_msr(cpu, address);

    return row && !row->has_faulted && row->value >> enable_bit & 1;
}

static bool uses_fixed_counters(const struct cpu_facts *cpu)
{
    const struct msr_row *row = facts_msr(cpu, 0x38D);

    return row && !row->has_faulted && row->value & 0x3333333333333333u;
}

static uint32_t first_running_select(const struct cpu_facts *cpu)
{
    for (uint32_t i = 0; i < 8; i++)
        if (runs_counter(cpu, 0x186 + i, EVENT_SELECT_ENABLE))
            return 0x186 + i;
    for (uint32_t i = 0; i < 4; i++)
        if (runs_counter(cpu, 0xC0010000 + i, EVENT_SELECT_ENABLE))
            return 0xC0010000 + i;
    for (uint32_t i = 0; i < 6; i++)
        if (runs_counter(cpu, 0xC0010200 + 2 * i, EVENT_SELECT_ENABLE))
            return 0xC0010200 + 2 * i;
    return 0;
}

static void put_msr(struct textbuf *text, const struct cpu_facts *cpu, uint32_t address)
{
    const struct msr_row *row = address ? facts_msr(cpu, address) : NULL;

    if (row && !row->has_faulted)
        textbuf_printf(text, "%sMSR 0x%x is 0x%llx", text->length ? ", " : "", address,
                       (unsigned long long)row->value);
}

static void check_pmu(struct check_run *run)
{
    struct finding *finding = NULL;
    char storage[CHECKS_TEXT_BYTES - 64];
    struct textbuf text;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct cpu_facts *cpu = &run->facts->cpus[fact];
        uint32_t select = first_running_select(cpu);

        if (!select && !uses_fixed_counters(cpu))
            continue;
        if (!finding) {
            textbuf_init(&text, storage, sizeof(storage));
            put_msr(&text, cpu, uses_fixed_counters(cpu) ? 0x38D : 0);
            put_msr(&text, cpu, select);
            put_msr(&text, cpu, 0x38F);
            finding = checks_report(run, 0, select ? "event select MSRs" : "MSR 0x38d",
                                    "Firmware already uses performance counters: on CPU %u %s.",
                                    run->number[fact], storage);
        }
        checks_mark(run, finding, fact);
    }
}

#define MSR_SUBJECT(...) &(const struct msr_subject){__VA_ARGS__}
#define MSR_CHECK(id, meaning, ...) \
    {id, FINDING_WARNING, "", "all", "CPUs have different values", "", meaning, check_msr, \
     MSR_SUBJECT(__VA_ARGS__)}

static const struct check checks[] = {
    {"msr-microcode-differs", FINDING_ERROR, "", "all", "CPUs run different microcode (MSR 0x8B)",
     "", "an operating system may stop on this; results are those of a mixed machine",
     check_microcode, NULL},
    {"msr-tsc-adjust", FINDING_WARNING, "", "all",
     "IA32_TSC_ADJUST is not 0 or differs between CPUs", "[Firmware Bug]: TSC ADJUST",
     "firmware has written to the TSC: clocks of CPUs may be apart", check_tsc_adjust, NULL},
    {"msr-bsp-bit", FINDING_WARNING, "", "all",
     "no CPU or several have the BSP bit in IA32_APIC_BASE", "",
     "who is the boot CPU is in doubt", check_bsp_bit, NULL},
    {"msr-pmu-in-use", FINDING_WARNING, "", "all",
     "a performance counter runs at start",
     "", "firmware or SMM counts; counters taken over silently spoil both sides", check_pmu, NULL},
    MSR_CHECK("msr-apic-base-differs", "APICs in different modes or places", 0x1B,
              "IA32_APIC_BASE", ~(1ull << APIC_BASE_BSP), 0, false),
    MSR_CHECK("msr-feature-control-differs", "VMX or SGX works on some CPUs only", 0x3A,
              "IA32_FEATURE_CONTROL", UINT64_MAX, 0, false),
    MSR_CHECK("msr-misc-enable-differs", "fast strings, turbo or MONITOR on some CPUs only", 0x1A0,
              "IA32_MISC_ENABLE", UINT64_MAX, 0, true),
    MSR_CHECK("msr-pat-differs", "one mapping has different memory types", 0x277, "IA32_PAT",
              UINT64_MAX, 0, false),
    MSR_CHECK("msr-prefetch-differs", "prefetchers work on some CPUs only", 0x1A4,
              "MISC_FEATURE_CONTROL", UINT64_MAX, 0, true),
    MSR_CHECK("msr-energy-bias-differs", "CPUs run at different clocks", 0x1B0,
              "IA32_ENERGY_PERF_BIAS", 0xF, 0, false),
    MSR_CHECK("msr-arch-capabilities-differ", "CPUs need different mitigations", 0x10A,
              "IA32_ARCH_CAPABILITIES", UINT64_MAX, 0, true),
    MSR_CHECK("msr-syscfg-differs", "memory encryption or MTRR extensions on some CPUs only",
              0xC0010010, "SYS_CFG", UINT64_MAX, 0, false),
    MSR_CHECK("msr-hwcr-differs", "boost, TSC rate or effective-frequency lock on some CPUs only",
              0xC0010015, "HWCR", UINT64_MAX, 0, false),
    MSR_CHECK("msr-top-of-memory-differs", "CPUs disagree where memory ends", 0xC001001A, "TOP_MEM",
              UINT64_MAX, 0, false),
    MSR_CHECK("msr-top-of-memory2-differs", "CPUs disagree where memory above 4 GiB ends",
              0xC001001D, "TOP_MEM2", UINT64_MAX, 0, false),
    MSR_CHECK("msr-decode-config-differs", "LFENCE serialises on some CPUs only", 0xC0011029,
              "DE_CFG", UINT64_MAX, 0, false),
};
CHECK_GROUP(checks_of_msrs, checks);
