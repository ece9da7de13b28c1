/* APIC ids: what the MADT, CPUID and the APIC itself say must be one number. */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"
#include "kernel/topology/numbering.h"

enum { MAX_LOCAL_APIC = 32768 };

/* Whether a CPU's id differs, and by which two numbers. */
typedef bool (*id_mismatch)(const struct topology_cpu *cpu, uint32_t *said, uint32_t *used);

static bool differs_from_madt(const struct topology_cpu *cpu, uint32_t *said, uint32_t *used)
{
    *said = cpu->apic_id;
    *used = cpu->ident.eid;
    return *said != *used;
}

static bool differs_from_cpuid(const struct topology_cpu *cpu, uint32_t *said, uint32_t *used)
{
    *said = cpu->ident.cid;
    *used = cpu->ident.eid;
    return *said != *used;
}

/* CPUs that only a table names say nothing themselves. */
static bool has_rows(const struct check_run *run, const struct topology_cpu *cpu)
{
    return cpu->fact != FACTS_NO_CPU && run->facts->cpus[cpu->fact].row_count > 0;
}

/* One finding for all profiles of `allowed` in which some CPU differs. */
static void report_mismatch(struct check_run *run, uint32_t allowed, id_mismatch differs,
                            const char *source, const char *who)
{
    struct finding *finding = NULL;
    uint32_t rules = 0, said, used, count = 0;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);

        if (!topology || !(allowed >> profile & 1))
            continue;
        CPUMASK_FOR_EACH(cpu, &topology->online) {
            if ((cpu == 0 && ((run->era_4x | run->era_classic) >> profile & 1)) ||
                !has_rows(run, &topology->cpus[cpu]) ||
                !differs(&topology->cpus[cpu], &said, &used))
                continue;
            rules |= 1u << profile;
            if (!count++)
                finding = checks_report(run, 0, source,
                                        "CPU %u: %s says APIC id 0x%x, the id in use is 0x%x.",
                                        checks_number(run, topology, cpu), who, said, used);
            checks_mark_cpu(run, finding, topology, cpu);
        }
    }
    if (finding)
        finding->rules = rules;
}

static void check_madt_mismatch(struct check_run *run)
{
    if (run->newest && run->newest->has_madt)
        report_mismatch(run, UINT32_MAX, differs_from_madt,
                        "MADT and local APIC id", "the MADT");
}

static void check_cpuid_mismatch(struct check_run *run)
{
    report_mismatch(run, run->era_reworked, differs_from_cpuid, "CPUID and local APIC id", "CPUID");
}

static void check_too_large(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_MADT_ID_TOO_BIG, &where);
    char source[32];
    struct textbuf text;

    if (!note)
        return;
    textbuf_init(&text, source, sizeof(source));
    textbuf_printf(&text, "MADT+0x%x", note->offset);
    checks_report(run, checks_noted(run, NOTE_MADT_ID_TOO_BIG), source,
                  "%u MADT entries name APIC ids of 0x%x and above, e.g. 0x%x: no kernel starts "
                  "those CPUs.", where->notes.kind_count[NOTE_MADT_ID_TOO_BIG], MAX_LOCAL_APIC,
                  note->a);
}

static bool apic_version(const struct check_run *run, uint32_t fact, const void *context,
                         uint64_t *value)
{
    const struct msr_row *row = facts_msr(&run->facts->cpus[fact], 0x803);

    (void)context;
    if (run->facts->cpus[fact].has_apic_version) {
        *value = run->facts->cpus[fact].apic_version & 0xFF;
        return true;
    }
    if (!row || row->has_faulted)
        return false;
    *value = row->value & 0xFF;
    return true;
}

static void check_apic_version(struct check_run *run)
{
    struct check_values groups;
    char storage[CHECKS_TEXT_BYTES];
    struct textbuf text;

    if (!checks_group(run, apic_version, NULL, -1, &groups) || groups.count == 0 ||
        (groups.count == 1 && groups.value[0] != 0))
        return;
    textbuf_init(&text, storage, sizeof(storage));
    checks_put_groups(&text, &groups);
    checks_mark_groups(checks_report(run, 0, "MSR 0x803",
                                          "The local APIC's version is 0 or not the same on all "
                                          "CPUs: %s.", text.text), &groups);
}

static void check_apic_missing(struct check_run *run)
{
    struct cpuid_regs regs;

    /* A machine of one CPU needs none. */
    if (run->facts->cpu_count == 0 ||
        (run->facts->cpu_count == 1 && !facts_table(run->facts, "APIC")) ||
        !checks_row(run, 0, 1, 0, &regs) || bits_test(regs.edx, 9))
        return;
    checks_mark(run, checks_report(run, run->profiles, "leaf 0x1 EDX[9]",
                                   "The boot CPU declares no local APIC, so the kernels start no "
                                   "other CPU."), 0);
}

/* The id that one source of CPUID gives. Leaf 1 has eight bits only and keeps the
 * id of reset on parts whose firmware renumbers, so it is no witness. */
struct id_leaf {
    uint32_t leaf;
    const char *name;
};

static const struct id_leaf id_leaves[] = {
    {0xB, "leaf 0xB EDX"}, {0x1F, "leaf 0x1F EDX"}, {0x80000026, "leaf 0x80000026 EDX"},
    {0x8000001E, "leaf 0x8000001E EAX"},
};

static bool id_by_leaf(const struct check_run *run, uint32_t fact, uint32_t leaf, uint32_t *id)
{
    struct cpuid_regs regs;

    if (leaf == 0x8000001E && !run->leaves.cpus[fact].has_topoext)
        return false;
    if (!checks_row(run, fact, leaf, 0, &regs))
        return false;
    *id = leaf == 0x8000001E ? regs.eax : regs.edx;
    return leaf == 0x8000001E || (regs.ebx & 0xFFFF && leaves_level_type(&regs));
}

/* Ids in the order of id_leaves and then the APIC's own; the first two that
 * differ, by name. */
static bool find_two_ids(const struct check_run *run, uint32_t fact, const char *name[2],
                         uint32_t id[2])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i <= sizeof(id_leaves) / sizeof(id_leaves[0]); i++) {
        bool is_apic = i == sizeof(id_leaves) / sizeof(id_leaves[0]);
        const struct cpu_facts *cpu = &run->facts->cpus[fact];

        if (is_apic ? !cpu->has_apic_id : !id_by_leaf(run, fact, id_leaves[i].leaf, &id[count]))
            continue;
        if (is_apic)
            id[count] = cpu->apic_id;
        name[count] = is_apic ? "the local APIC" : id_leaves[i].name;
        if (count == 1 && id[0] != id[1])
            return true;
        count = 1;
    }
    return false;
}

static void check_id_sources(struct check_run *run)
{
    struct finding *finding = NULL;
    bool is_found = false;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const char *name[2];
        uint32_t id[2];

        if (run->facts->cpus[fact].state != CPU_ONLINE || !find_two_ids(run, fact, name, id))
            continue;
        if (!is_found)
            finding = checks_report(run, 0, name[1], "CPU %u has two APIC ids: %s says 0x%x, %s "
                                    "says 0x%x.", run->number[fact], name[0], id[0], name[1],
                                    id[1]);
        is_found = true;
        checks_mark(run, finding, fact);
    }
}

/* The ids that were read, ascending and each once; *count is how many were read. */
static uint32_t *distinct_ids(struct check_run *run, uint32_t *count, uint32_t *distinct)
{
    uint32_t *ids = ARENA_NEW(run->arena, uint32_t, run->facts->cpu_count + 1);

    *count = 0;
    for (uint32_t fact = 0; ids && fact < run->facts->cpu_count; fact++)
        if (run->facts->cpus[fact].has_apic_id)
            ids[(*count)++] = run->facts->cpus[fact].apic_id;
    *distinct = ids ? numbering_sort_unique(ids, *count) : 0;
    return ids;
}

/* Sorting tells that there is a pair; only then is it worth looking for. */
static void check_id_twice(struct check_run *run)
{
    uint32_t count, distinct;
    struct finding *finding = NULL;

    if (!distinct_ids(run, &count, &distinct) || count == distinct)
        return;
    for (uint32_t fact = 1; fact < run->facts->cpu_count; fact++) {
        const struct cpu_facts *cpu = &run->facts->cpus[fact];

        for (uint32_t other = 0; cpu->has_apic_id && other < fact; other++) {
            if (!run->facts->cpus[other].has_apic_id ||
                run->facts->cpus[other].apic_id != cpu->apic_id)
                continue;
            if (!finding)
                finding = checks_report(run, 0, "local APIC id",
                                        "%u of %u CPUs report an APIC id that another one has, "
                                        "e.g. CPUs %u and %u 0x%x.", count - distinct, count,
                                        run->number[other], run->number[fact], cpu->apic_id);
            checks_mark(run, finding, other);
            checks_mark(run, finding, fact);
            break;
        }
    }
}

static const struct check checks[] = {
    {"apic-id-madt-differs", FINDING_WARNING, "1, 3", "all (4.x-6.1: not the boot CPU)",
     "the APIC id the MADT gave to a CPU is not the one the CPU uses",
     "[Firmware Bug]: CPUn: APIC id mismatch. Firmware: / [Firmware Bug]: CPU n: APIC ID mismatch. "
     "Firmware:", "MADT and CPU disagree: the CPU's node is looked up by the MADT's id, its caches "
     "and cores by its own", check_madt_mismatch, NULL},
    {"apic-id-cpuid-differs", FINDING_WARNING, "2", "6.12, 7.2",
     "the initial APIC id by CPUID is not the one in the local APIC",
     "[Firmware Bug]: CPU n: APIC ID mismatch. CPUID:",
     "the APIC id register was rewritten, or CPUID is virtualised wrongly",
     check_cpuid_mismatch, NULL},
    {"apic-id-too-large", FINDING_WARNING, "16", "all",
     "a MADT entry has an APIC id of 32768 or more",
     "skipped apicid that is too big / APIC ID … exceeds kernel limit of: 7fff",
     "no kernel can start that CPU", check_too_large, NULL},
    {"apic-version-differs", FINDING_WARNING, "18", "none with ACPI",
     "the local APIC's version register (MSR 0x803) is 0 or differs between CPUs",
     "BIOS bug: APIC version is 0 / APIC version mismatch",
     "kernels up to 6.1 print it for tables of the MP specification only",
     check_apic_version, NULL},
    {"apic-missing", FINDING_ERROR, "30", "all",
     "leaf 1 EDX[9] is clear on the boot CPU, and there are more",
     "[Firmware Bug]: Local APIC … not detected, force emulation",
     "one CPU at most will run", check_apic_missing, NULL},
    {"apic-id-sources-differ", FINDING_WARNING, "", "all",
     "leaves 0xB, 0x1F, 0x80000026, 0x8000001E and the APIC do not give one APIC id", "",
     "profiles that ask different leaves build different masks", check_id_sources, NULL},
    {"apic-id-twice", FINDING_ERROR, "", "all", "two CPUs report the same APIC id", "",
     "one of them cannot be addressed; masks of both are wrong", check_id_twice, NULL},
};
CHECK_GROUP(checks_of_ids, checks);
