/* SRAT and SLIT: what makes a kernel drop them, and where they part from the MADT. */
#include "kernel/topology/checks_run.h"

#include "kernel/facts/acpi_sdt.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/reader.h"
#include "kernel/topology/nodes.h"
#include "kernel/topology/numbering_madt.h"

enum { LEAF_1_ECX_HYPERVISOR = 31 };

static const char *table_source(char *storage, uint32_t size, const char *table, uint32_t offset)
{
    struct textbuf text;

    textbuf_init(&text, storage, size);
    textbuf_put(&text, table);
    if (offset)
        textbuf_printf(&text, "+0x%x", offset);
    return storage;
}

static void check_dropped(struct check_run *run)
{
    checks_report_note(run, NOTE_SRAT_LENGTH, "SRAT",
                "An SRAT entry has the length %u: the kernels drop the whole table.");
    checks_report_note(run, NOTE_SRAT_TOO_MANY_DOMAINS, "SRAT",
                "The SRAT has more proximity domains than a kernel has nodes (domain %u comes "
                "after %u others): the kernels drop the whole table.");
    checks_report_note(run, NOTE_SRAT_NO_MEMORY, "SRAT",
                "The SRAT has no enabled memory entry: the kernels drop the whole table.");
    checks_report_note(run, NOTE_SRAT_MEMORY_CONFLICT, "SRAT",
                "Nodes %u and %u claim the same memory: the kernels drop the whole SRAT.");
}

static void check_uncovered(struct check_run *run)
{
    checks_report_note(run, NOTE_SRAT_UNCOVERED, "SRAT",
                "The SRAT leaves %u MiB of usable RAM without a node: the kernels drop it.");
}

static void check_above_limit(struct check_run *run)
{
    checks_report_note(run, NOTE_SRAT_ABOVE_LIMIT, "SRAT",
                "The SRAT names x2APIC id 0x%x, which is out of reach because firmware did not "
                "hand over in x2APIC mode: the entry is ignored.");
}

/* The distances are a square after the count, eight bytes at offset 36. [acpi 5.2.17] */
static bool slit_is_short(const struct acpi_table *slit, uint64_t *localities)
{
    struct reader reader = reader_of(slit->bytes, slit->length_bytes);

    *localities = 0;
    if (!reader_skip(&reader, ACPI_HEADER_BYTES) || !reader_u64(&reader, localities))
        return true;
    uint64_t room = reader_left_bytes(&reader);
    return *localities > room || *localities * *localities > room;
}

static void check_slit(struct check_run *run)
{
    const struct acpi_table *slit = facts_table(run->facts, "SLIT");
    uint64_t localities;

    if (slit && slit_is_short(slit, &localities))
        checks_report(run, 0, "SLIT+0x24",
                      "The SLIT has %u bytes, too few for the distances of its %llu localities: "
                      "none is used.", slit->length_bytes, (unsigned long long)localities);
    checks_report_note(run, NOTE_SLIT_INVALID, "SLIT",
                "The SLIT has the distance %u where there must be 10 on the diagonal and more "
                "elsewhere: the kernels ignore the table.");
}

/* Without a MADT no tables were recorded, and nothing is known of an SRAT. */
static bool has_tables(const struct check_run *run)
{
    return facts_table(run->facts, "APIC") && run->facts->cpu_count > 0 &&
           run->facts->cpus[0].row_count > 0;
}

static void check_no_numa(struct check_run *run)
{
    if (has_tables(run))
        checks_report_note(run, NOTE_NO_NUMA, "SRAT", "No usable SRAT: all CPUs are on one node.");
}

static void check_northbridge(struct check_run *run)
{
    struct cpuid_regs regs;

    /* A virtual machine has no northbridge of that kind. */
    if (!has_tables(run) || !checks_row(run, 0, 1, 0, &regs) ||
        bits_test(regs.ecx, LEAF_1_ECX_HYPERVISOR))
        return;
    checks_report_note(run, NOTE_NORTHBRIDGE_NOT_READ, "leaf 0x1 EAX, SRAT",
                       "No usable SRAT on AMD family 0x%x: kernels ask the northbridge's PCI "
                       "registers for the nodes, which were not read. The one node shown here may "
                       "be several there.");
}

static struct madt_cpu *read_madt(struct check_run *run, uint32_t *count)
{
    const struct acpi_table *madt = facts_table(run->facts, "APIC");
    struct topology_notes ignored;

    if (!madt || !notes_init(&ignored, 1, run->arena))
        return NULL;
    return numbering_madt_read(madt, run->arena, &ignored, count);
}

static bool read_srat(struct check_run *run, struct nodes *nodes)
{
    struct topology_notes ignored;

    return facts_table(run->facts, "SRAT") && run->newest && notes_init(&ignored, 1, run->arena) &&
           nodes_build(&run->leaves, run->newest->rules, run->arena, &ignored, nodes) &&
           nodes->has_srat && nodes->apic_count > 0;
}

static void check_madt_only(struct check_run *run)
{
    uint32_t count, missing = 0, first = 0;
    struct nodes nodes;
    const struct madt_cpu *cpus = read_madt(run, &count);
    char source[32];

    if (!cpus || !read_srat(run, &nodes))
        return;
    for (uint32_t i = 0; i < count; i++)
        if (cpus[i].is_enabled && cpus[i].apic_id != (cpus[i].is_x2apic ? UINT32_MAX : 0xFF) &&
            nodes_of_apic(&nodes, cpus[i].apic_id) == NODES_NONE && !missing++)
            first = i;
    if (missing)
        checks_report(run, 0, table_source(source, sizeof(source), "MADT", cpus[first].offset),
                      "%u enabled MADT entries have no SRAT entry, first APIC id 0x%x: those CPUs "
                      "get a node by their number.", missing, cpus[first].apic_id);
}

static void check_srat_only(struct check_run *run)
{
    uint32_t count, extra = 0, first = 0, listed;
    struct nodes nodes;
    const struct madt_cpu *cpus = read_madt(run, &count);
    uint32_t *ids = ARENA_NEW(run->arena, uint32_t, cpus ? count + 1 : 1);
    char source[32];

    if (!cpus || !ids || !read_srat(run, &nodes))
        return;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = cpus[i].apic_id;
    listed = numbering_sort_unique(ids, count);
    for (uint32_t i = 0, at = 0; i < nodes.apic_count; i++) {
        while (at < listed && ids[at] < nodes.apics[i].apic_id)
            at++;
        if ((at == listed || ids[at] != nodes.apics[i].apic_id) && !extra++)
            first = i;
    }
    if (extra)
        checks_report(run, 0, table_source(source, sizeof(source), "SRAT",
                                           nodes.apics[first].offset),
                      "%u SRAT processor entries name APIC ids that the MADT does not list, first "
                      "0x%x.", extra, nodes.apics[first].apic_id);
}

static const struct check checks[] = {
    {"srat-dropped", FINDING_WARNING, "23", "all", "the SRAT's structure is wrong, it has too many "
     "domains, no memory, or two nodes claim the same memory",
     "SRAT: SRAT not used. / Too many proximity domains / Unexpected header length",
     "the whole SRAT is dropped", check_dropped, NULL},
    {"srat-uncovered-memory", FINDING_WARNING, "24", "all",
     "the SRAT leaves 1 MiB or more of the usable RAM without a node",
     "NUMA: nodes only cover aMB of your bMB e820 RAM. Not used.", "the whole SRAT is dropped",
     check_uncovered, NULL},
    {"srat-x2apic-above-limit", FINDING_WARNING, "25", "all",
     "an SRAT x2APIC entry has an id of 255 or more, and x2APIC mode was off at hand-over",
     "SRAT: PXM p -> X2APIC 0x… ignored", "the CPU's node is lost", check_above_limit, NULL},
    {"slit-invalid", FINDING_WARNING, "26", "all",
     "a SLIT diagonal entry is not 10, or another one is not above 10, or the table is too "
     "short for its localities",
     "SLIT table looks invalid. Not used.", "distances are 10 and 20 then", check_slit, NULL},
    {"numa-none", FINDING_INFO, "27", "all", "there is no usable SRAT",
     "No NUMA configuration found / Faking a node", "one node with all CPUs", check_no_numa, NULL},
    {"northbridge-not-read", FINDING_INFO, "", "all",
     "AMD family 0xf to 0x11 without a usable SRAT, not in a virtual machine", "",
     "such kernels read the nodes from PCI, which the facts do not hold: nodes may differ",
     check_northbridge, NULL},
    {"madt-cpu-not-in-srat", FINDING_WARNING, "", "all",
     "an enabled MADT entry has no SRAT entry although the SRAT lists processors", "",
     "the node of that CPU is an accident of its number", check_madt_only, NULL},
    {"srat-cpu-not-in-madt", FINDING_WARNING, "", "all",
     "an SRAT processor entry names an APIC id that the MADT does not list", "",
     "such entries still create nodes", check_srat_only, NULL},
};
CHECK_GROUP(checks_of_srat, checks);
