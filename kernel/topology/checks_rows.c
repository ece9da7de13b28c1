/* Rows that are missing, that no arithmetic can be done with, or whose caches do
 * not fit the masks. */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"

/* A note about arithmetic that is undefined in the kernel, and what is done. */
struct undefined_note {
    enum note_kind kind;
    const char *source, *text; /* the text takes the note's a and b */
};

static const struct undefined_note undefined_notes[] = {
    {NOTE_NPROC_ZERO, "leaf 0x1 EBX[23:16]",
     "Leaf 1 has HTT set but counts %u logical processors; taken as one."},
    {NOTE_HT_QUOTIENT_ZERO, "leaf 0x1 EBX[23:16]",
     "Leaf 1 counts %u logical processors, fewer than the %u cores of the package; taken as one "
     "thread per core."},
    {NOTE_LEVEL_COUNT_ZERO, "leaf 0xB or 0x1F EBX[15:0]",
     "A topology leaf is valid (EBX 0x%x) but counts no processor: classic kernels divide by zero "
     "here."},
    {NOTE_NODE_QUOTIENT_ZERO, "leaf 0x80000008 ECX[7:0], node count",
     "%u cores on %u nodes: classic kernels divide by zero here."},
    {NOTE_LEAF_ENDLESS, "CPUID sub-leaves",
     "A leaf lists %u sub-leaves without an end; no more were read."},
    {NOTE_NODE_OUT_OF_RANGE, "LLC id as node number",
     "The LLC id 0x%x is taken as a node number and is out of range."},
};

static void check_undefined(struct check_run *run)
{
    for (uint32_t i = 0; i < sizeof(undefined_notes) / sizeof(undefined_notes[0]); i++)
        checks_report_note(run, undefined_notes[i].kind, undefined_notes[i].source,
                           undefined_notes[i].text);
}

static void check_absent(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_ROW_ABSENT, &where);
    char source[48];
    struct textbuf text;

    if (!note)
        return;
    textbuf_init(&text, source, sizeof(source));
    textbuf_printf(&text, note->leaf == 0xC001100C ? "MSR 0x%x" : "leaf 0x%x", note->leaf);
    checks_mark_noted(run, checks_report(run, checks_noted(run, NOTE_ROW_ABSENT), source,
                                         "%s was not recorded although a rule asks for it; "
                                         "conclusions that need it are not Linux's.", text.text),
                      NOTE_ROW_ABSENT);
}

static void check_incomplete(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_CACHES_INCOMPLETE, &where);

    if (!note)
        return;
    checks_mark_noted(run, checks_report(run, checks_noted(run, NOTE_CACHES_INCOMPLETE),
                                         "leaf 0x4 or 0x8000001D",
                                         "Some CPUs have fewer cache leaves than the boot CPU: "
                                         "these kernels show no cache directory for them."),
                      NOTE_CACHES_INCOMPLETE);
}

/* The L3 row of leaf 0x8000001D (AMD, Hygon) or leaf 4, or NULL. */
static const struct cpuid_regs *l3_row(const struct check_run *run, uint32_t fact)
{
    const struct cpu_leaves *cpu = &run->leaves.cpus[fact];
    const struct leaf_rows *rows = &cpu->list[cpu->vendor == VENDOR_AMD ||
                                                      cpu->vendor == VENDOR_HYGON
                                                  ? LIST_LEAF_8000001D
                                                  : LIST_LEAF_4];

    /* Without the topology extensions the rows may be there, but nothing goes by them. */
    if (cpu->vendor == VENDOR_AMD && !cpu->has_topoext)
        return NULL;
    for (uint32_t i = 0; i < rows->count; i++)
        if (bits_get(rows->rows[i].eax, 7, 5) == 3)
            return &rows->rows[i];
    return NULL;
}

static void check_sharing(struct check_run *run)
{
    const struct topology *topology = run->newest;
    struct finding *finding = NULL;

    if (!topology)
        return;
    CPUMASK_FOR_EACH(cpu, &topology->online) {
        const struct topology_cpu *one = &topology->cpus[cpu];
        const struct cpuid_regs *row = one->fact == FACTS_NO_CPU ? NULL : l3_row(run, one->fact);
        uint32_t count = topology->mask_table->sizes[one->mask[TOPOLOGY_LLC]];

        if (!row || run->leaves.cpus[one->fact].list[LIST_LEAF_8000001D].count == 0 ||
            count <= leaves_cache_sharing(row))
            continue;
        if (!finding)
            finding = checks_report(run, 1u << (topology->rules - rule_profiles),
                                    "leaf 0x8000001D EAX[25:14]",
                                    "%u CPUs have one LLC id, but leaf 0x8000001D lets %u share an "
                                    "L3.", count, leaves_cache_sharing(row));
        checks_mark_cpu(run, finding, topology, cpu);
    }
}

static bool l3_kib(const struct check_run *run, uint32_t fact, const void *context,
                   uint64_t *value)
{
    const struct cpuid_regs *row = l3_row(run, fact);

    (void)context;
    if (!row)
        return false;
    *value = (uint64_t)(bits_get(row->ebx, 31, 22) + 1) * (bits_get(row->ebx, 21, 12) + 1) *
             (bits_get(row->ebx, 11, 0) + 1) * ((uint64_t)row->ecx + 1) / 1024;
    return true;
}

static void check_l3_sizes(struct check_run *run)
{
    struct check_values groups;
    char storage[CHECKS_TEXT_BYTES];
    struct textbuf text;

    if (!checks_group(run, l3_kib, NULL, -1, &groups) || groups.count < 2)
        return;
    textbuf_init(&text, storage, sizeof(storage));
    for (uint32_t i = 0; i < groups.count; i++) {
        textbuf_printf(&text, "%s%llu KiB: ", i ? "; " : "", (unsigned long long)groups.value[i]);
        checks_put_cpus(&text, &groups.cpus[i]);
    }
    checks_mark_groups(checks_report(run, 0, "leaf 0x8000001D or 0x4, L3 row",
                                          "L3 caches of different size: %s.", text.text), &groups);
}

static const struct check checks[] = {
    {"cpuid-undefined-arithmetic", FINDING_WARNING, "", "as noted",
     "a count that the kernel divides by, or takes the logarithm of, is 0", "",
     "what the kernel makes of it depends on its compiler", check_undefined, NULL},
    {"cpuid-row-absent", FINDING_INFO, "", "as noted",
     "a rule asks for a row that was not recorded", "",
     "a replay is only as good as its recording", check_absent, NULL},
    {"caches-incomplete", FINDING_INFO, "", "4.x, 5.10, 6.1",
     "a CPU has fewer cache leaves than the boot CPU", "",
     "the CPU gets no cache directory in sysfs (hybrid parts)", check_incomplete, NULL},
    {"llc-wider-than-sharing", FINDING_WARNING, "", "the newest profile",
     "more CPUs have one LLC id than leaf 0x8000001D lets share the L3", "",
     "scheduler and benchmark treat separate caches as one", check_sharing, NULL},
    {"l3-sizes-differ", FINDING_INFO, "", "all", "the L3 caches of the machine differ in size", "",
     "sizes have to be chosen for each LLC; totals are sums, not products", check_l3_sizes, NULL},
};
CHECK_GROUP(checks_of_rows, checks);
