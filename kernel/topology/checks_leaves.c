/* CPUID's topology leaves against themselves, each other and the boot CPU. */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"

static const char *domain_name(uint32_t domain)
{
    static const char *const names[] = {"SMT", "core", "module", "tile", "die", "die group",
                                        "package"};

    return domain < sizeof(names) / sizeof(names[0]) ? names[domain] : "?";
}

static const char *leaf_source(struct textbuf *text, char *storage, uint32_t size, uint32_t leaf,
                               const char *field)
{
    textbuf_init(text, storage, size);
    textbuf_printf(text, "leaf 0x%x %s", leaf, field);
    return storage;
}

/* The first domain in which a CPU's shift is not the boot CPU's, or TOPOLOGY_DOMAINS. */
static uint32_t differing_domain(const struct topology *topology, uint32_t cpu)
{
    uint32_t domain = 0;

    while (domain < TOPOLOGY_DOMAINS && topology->cpus[cpu].ident.shift[domain] ==
                                            topology->cpus[0].ident.shift[domain])
        domain++;
    return domain;
}

static void check_shifts(struct check_run *run)
{
    struct finding *finding = NULL;
    uint32_t rules = 0;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);

        if (!topology || !(run->era_reworked >> profile & 1))
            continue;
        CPUMASK_FOR_EACH(cpu, &topology->online) {
            uint32_t domain = differing_domain(topology, cpu);

            if (domain == TOPOLOGY_DOMAINS)
                continue;
            if (!rules)
                finding = checks_report(run, 0, "leaves 0x1F, 0x80000026, 0xB EAX[4:0]",
                                        "CPU %u: the APIC id shift of the %s level is %u, the boot "
                                        "CPU's is %u.", checks_number(run, topology, cpu),
                                        domain_name(domain),
                                        topology->cpus[cpu].ident.shift[domain],
                                        topology->cpus[0].ident.shift[domain]);
            rules |= 1u << profile;
            checks_mark_cpu(run, finding, topology, cpu);
        }
    }
    if (finding)
        finding->rules = rules;
}

/* Some dump tools print ones for a sub-leaf they did not read. */
static bool is_unread(const struct cpuid_regs *row)
{
    return (row->eax & row->ebx & row->ecx & row->edx) == UINT32_MAX;
}

/* Sub-leaves of a leaf, bit per sub-leaf up to 63, whose EDX is not sub-leaf 0's. */
static uint64_t differing_subleaves(const struct leaf_rows *rows)
{
    uint64_t differing = 0;

    for (uint32_t i = 1; i < rows->count && i < 64; i++)
        if (rows->rows[i].edx != rows->rows[0].edx && !is_unread(&rows->rows[i]))
            differing |= 1ull << i;
    return differing;
}

static void put_subleaves(struct textbuf *text, uint64_t subleaves)
{
    const char *between = "";

    for (uint32_t i = 0; i < 64; i++)
        if (subleaves >> i & 1) {
            textbuf_printf(text, "%s%u", between, i);
            between = ", ";
        }
}

static void report_edx(struct check_run *run, enum leaf_list list)
{
    char storage[128], source[48];
    struct textbuf text;
    struct finding *finding;
    uint64_t all = 0;
    uint32_t first = FACTS_NO_CPU;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        uint64_t own = differing_subleaves(&run->leaves.cpus[fact].list[list]);

        if (own && first == FACTS_NO_CPU)
            first = fact;
        all |= own;
    }
    if (!all)
        return;
    const struct leaf_rows *rows = &run->leaves.cpus[first].list[list];
    uint32_t sub = (uint32_t)__builtin_ctzll(differing_subleaves(rows));
    leaf_source(&text, source, sizeof(source), leaves_number(list), "EDX");
    textbuf_init(&text, storage, sizeof(storage));
    put_subleaves(&text, all);
    finding = checks_report(run, checks_noted(run, NOTE_EDX_MISMATCH), source,
                            "Leaf 0x%x: EDX of sub-leaf %s is not the APIC id that sub-leaf 0 "
                            "gives, e.g. CPU %u: 0x%x instead of 0x%x.", leaves_number(list),
                            text.text, run->number[first], rows->rows[sub].edx,
                            rows->rows[0].edx);
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++)
        if (differing_subleaves(&run->leaves.cpus[fact].list[list]))
            checks_mark(run, finding, fact);
}

static void check_edx(struct check_run *run)
{
    report_edx(run, LIST_LEAF_B);
    report_edx(run, LIST_LEAF_1F);
    report_edx(run, LIST_LEAF_80000026);
}

static bool has_shift_zero(const struct leaf_rows *rows)
{
    return rows->count > 0 && leaves_level_type(&rows->rows[0]) == 1 &&
           !bits_get(rows->rows[0].eax, 4, 0) && bits_get(rows->rows[0].ebx, 15, 0) > 1;
}

static void report_shift_zero(struct check_run *run, enum leaf_list list)
{
    struct finding *finding = NULL;
    char source[48];
    struct textbuf text;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct leaf_rows *rows = &run->leaves.cpus[fact].list[list];

        if (!has_shift_zero(rows))
            continue;
        if (!finding)
            finding = checks_report(run, checks_noted(run, NOTE_SMT_SHIFT_ZERO),
                                    leaf_source(&text, source, sizeof(source),
                                                leaves_number(list), "sub-leaf 0 EAX[4:0]"),
                                    "Leaf 0x%x sub-leaf 0 has shift 0 but %u logical processors: "
                                    "kernels before 6.12 make every thread a core, later ones "
                                    "mend the shift.", leaves_number(list),
                                    bits_get(rows->rows[0].ebx, 15, 0));
        checks_mark(run, finding, fact);
    }
}

static void check_shift_zero(struct check_run *run)
{
    report_shift_zero(run, LIST_LEAF_B);
    report_shift_zero(run, LIST_LEAF_1F);
    report_shift_zero(run, LIST_LEAF_80000026);
}

static void check_unknown_level(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_LEVEL_UNKNOWN, &where);
    char source[48];
    struct textbuf text;

    if (!note)
        return;
    leaf_source(&text, source, sizeof(source), note->leaf, "ECX[15:8]");
    checks_mark_noted(run, checks_report(run, checks_noted(run, NOTE_LEVEL_UNKNOWN), source,
                                         "Leaf 0x%x sub-leaf %u has level type %u, which the "
                                         "kernels do not know.", note->leaf, note->subleaf,
                                         note->a), NOTE_LEVEL_UNKNOWN);
}

static void check_legacy(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_LEGACY_SHIFT, &where);

    if (!note)
        return;
    checks_mark_noted(run, checks_report(run, checks_noted(run, NOTE_LEGACY_SHIFT),
                                         "leaf 0x1 EBX[23:16], leaf 0x4 EAX[31:26]",
                                         "Leaf 1 has room for %u bits of APIC id in a package, "
                                         "leaf 4 needs %u for its cores alone.", note->a,
                                         note->b), NOTE_LEGACY_SHIFT);
}

static void check_topoext(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_TOPOEXT_OFF, &where);

    if (!note)
        return;
    checks_mark_noted(run, checks_report(run, checks_noted(run, NOTE_TOPOEXT_OFF),
                                         "leaf 0x80000001 ECX[22], MSR 0xC0011005[54]",
                                         "Firmware switched the topology extensions off; the "
                                         "kernels switch them on again, so their masks may not be "
                                         "those of these rows."), NOTE_TOPOEXT_OFF);
}

static uint32_t last_shift(const struct leaf_rows *rows)
{
    return bits_get(rows->rows[rows->count - 1].eax, 4, 0);
}

static void check_package_shifts(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct leaf_rows *b = &run->leaves.cpus[fact].list[LIST_LEAF_B];
        const struct leaf_rows *f = &run->leaves.cpus[fact].list[LIST_LEAF_1F];

        if (!b->count || !f->count || last_shift(b) == last_shift(f))
            continue;
        if (!finding)
            finding = checks_report(run, 0, "leaf 0xB EAX[4:0], leaf 0x1F EAX[4:0]",
                                    "Leaf 0xB ends the package at APIC id bit %u, leaf 0x1F at bit "
                                    "%u: 4.x kernels, which read leaf 0xB, count other packages.",
                                    last_shift(b), last_shift(f));
        checks_mark(run, finding, fact);
    }
}

static void check_leaf_1f_empty(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct cpu_leaves *cpu = &run->leaves.cpus[fact];

        if (cpu->vendor != VENDOR_INTEL || cpu->max_basic < 0x1F ||
            cpu->list[LIST_LEAF_1F].count || cpu->list[LIST_LEAF_1F].is_absent ||
            !cpu->list[LIST_LEAF_B].count)
            continue;
        if (!finding)
            finding = checks_report(run, 0, "leaf 0x1F sub-leaf 0",
                                    "Leaf 0x1F is in range but empty, so the ids come from leaf "
                                    "0xB.");
        checks_mark(run, finding, fact);
    }
}

static void check_without_x2apic(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        struct cpuid_regs regs;

        if (!run->leaves.cpus[fact].list[LIST_LEAF_B].count ||
            !checks_row(run, fact, 1, 0, &regs) || bits_test(regs.ecx, 21))
            continue;
        if (!finding)
            finding = checks_report(run, 0, "leaf 0xB, leaf 0x1 ECX[21]",
                                    "Leaf 0xB is valid although x2APIC mode is not supported; the "
                                    "kernels use it.");
        checks_mark(run, finding, fact);
    }
}

static const struct check checks[] = {
    {"cpuid-shift-differs", FINDING_WARNING, "4", "6.12, 7.2",
     "a CPU's APIC id shift for some level is not the boot CPU's",
     "[Firmware Bug]: CPUn: Topology domain d shift",
     "the kernel uses the boot CPU's shifts for all",
     check_shifts, NULL},
    {"cpuid-edx-differs", FINDING_WARNING, "5", "6.12, 7.2",
     "EDX of a sub-leaf of leaf 0xB, 0x1F or 0x80000026 is not that of sub-leaf 0",
     "[Firmware Bug]: CPUID leaf 0x… subleaf i APIC ID mismatch",
     "an inconsistent leaf, mostly a hypervisor's; ids are taken from sub-leaf 0", check_edx, NULL},
    {"cpuid-smt-shift-zero", FINDING_WARNING, "6", "6.12, 7.2",
     "the SMT level has shift 0 but more than one CPU",
     "[Firmware Bug]: CPUID leaf 0x… subleaf 0 has shift level 0 but",
     "older kernels make every thread a core; newer ones repair the shift", check_shift_zero, NULL},
    {"cpuid-level-unknown", FINDING_INFO, "7", "6.12, 7.2",
     "a level type that the kernel does not know", "Topology: leaf 0x… Unknown domain type",
     "the CPU is newer than the kernel", check_unknown_level, NULL},
    {"cpuid-leaf1-leaf4-disagree", FINDING_WARNING, "8", "6.12, 7.2",
     "leaf 1 counts fewer logical processors than leaf 4 has cores", "warning in parse_legacy",
     "the kernel then takes one thread per core", check_legacy, NULL},
    {"topoext-off", FINDING_WARNING, "21", "all, AMD family 0x15",
     "topology extensions are off on family 0x15 models 0x10 to 0x6F",
     "[Firmware Info]: CPU: Re-enabling disabled Topology Extensions Support.",
     "firmware switched leaves 0x8000001D and 0x8000001E off", check_topoext, NULL},
    {"cpuid-package-shift-differs", FINDING_WARNING, "", "all",
     "leaves 0xB and 0x1F end the package at different bits", "",
     "kernels that read one leaf count other packages than those that read the other",
     check_package_shifts, NULL},
    {"cpuid-leaf1f-empty", FINDING_INFO, "", "all",
     "leaf 0x1F is in range but has no level, leaf 0xB has some", "",
     "leaf 0xB was used; a program that looks at the largest leaf only finds no topology",
     check_leaf_1f_empty, NULL},
    {"cpuid-leaf-b-without-x2apic", FINDING_INFO, "", "all",
     "leaf 0xB is valid although leaf 1 ECX[21] is clear", "",
     "the two are independent: the leaf is used", check_without_x2apic, NULL},
};
CHECK_GROUP(checks_of_leaves, checks);
