/* The MADT: which entries name a CPU, which cannot, and in what order. */
#include "kernel/topology/checks_run.h"

#include "kernel/topology/numbering.h"
#include "kernel/topology/numbering_madt.h"

enum { LAPIC_NO_ID = 0xFF, MADT_REVISION = 8, MADT_REVISION_ONLINE_CAPABLE = 5 };

struct madt_list {
    struct madt_cpu *cpus;
    uint32_t count;
    bool knows_online_capable; /* flag bit 1 means something. [acpi 5.2.12.2] */
};

static bool read_madt(struct check_run *run, struct madt_list *list)
{
    const struct acpi_table *madt = facts_table(run->facts, "APIC");
    struct topology_notes ignored; /* the rules have noted what is broken */

    if (!madt || madt->length_bytes <= MADT_REVISION || !notes_init(&ignored, 1, run->arena))
        return false;
    list->cpus = numbering_madt_read(madt, run->arena, &ignored, &list->count);
    list->knows_online_capable = madt->bytes[MADT_REVISION] >= MADT_REVISION_ONLINE_CAPABLE;
    return list->cpus != NULL;
}

static bool is_empty_slot(const struct madt_cpu *cpu)
{
    return cpu->is_x2apic ? cpu->apic_id == UINT32_MAX : cpu->apic_id == LAPIC_NO_ID;
}

static const char *madt_source(char *storage, uint32_t size, uint32_t offset)
{
    struct textbuf text;

    textbuf_init(&text, storage, size);
    textbuf_printf(&text, "MADT+0x%x", offset);
    return storage;
}

static void check_entries(struct check_run *run)
{
    uint32_t enabled = 0, capable = 0, disabled = 0, empty = 0;
    struct madt_list list;

    if (!read_madt(run, &list))
        return;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct madt_cpu *cpu = &list.cpus[i];

        if (is_empty_slot(cpu))
            empty++;
        else if (cpu->is_enabled)
            enabled++;
        else if (cpu->is_online_capable && list.knows_online_capable)
            capable++;
        else
            disabled++;
    }
    if (capable || disabled || empty)
        checks_report(run, 0, "MADT",
                      "MADT processor entries: %u enabled, %u can be enabled later, %u disabled, "
                      "%u empty.", enabled, capable, disabled, empty);
}

static void check_lapic_unusable(struct check_run *run)
{
    uint32_t lapics = 0, unusable = 0, enabled = 0, offset = 0;
    struct madt_list list;
    char source[32];

    if (!read_madt(run, &list))
        return;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct madt_cpu *cpu = &list.cpus[i];

        lapics += !cpu->is_x2apic;
        if (cpu->is_x2apic || !is_empty_slot(cpu))
            continue;
        if (cpu->is_enabled && !enabled++)
            offset = cpu->offset;
        unusable++;
    }
    if (enabled)
        checks_report(run, 0, madt_source(source, sizeof(source), offset),
                      "%u of %u local APIC entries have the broadcast id 0xFF, %u of them enabled: "
                      "they name no CPU.", unusable, lapics,
                      enabled);
}

static void check_broken(struct check_run *run)
{
    checks_report_note(run, NOTE_MADT_BROKEN, "MADT",
                       "A MADT entry has the length %u, which does not fit: the kernels refuse the "
                       "whole table.");
}

static void check_boot_not_first(struct check_run *run)
{
    checks_report_note(run, NOTE_MADT_BSP_NOT_FIRST, "MADT",
                       "The first MADT processor is APIC id 0x%x, but the boot CPU is 0x%x: ACPI "
                       "wants the boot CPU first.");
    checks_report_note(run, NOTE_MADT_FIRST_REJECTED, "MADT",
                       "The first MADT processor is APIC id 0x%x, not the running CPU, which has "
                       "no BSP bit: taken for a crash kernel, that CPU is left out.");
}

static void check_boot_unmarked(struct check_run *run)
{
    checks_report_note(run, NOTE_MADT_BSP_UNMARKED, "MADT",
                       "The boot CPU, APIC id 0x%x, has no BSP bit in IA32_APIC_BASE: the kernels "
                       "start no other CPU.");
}

/* The reworked kernels say nothing of it: they register the boot CPU first. */
static void check_boot_missing(struct check_run *run)
{
    struct finding *finding =
        checks_report_note(run, NOTE_MADT_BOOT_NOT_LISTED, "MADT",
                           "The boot CPU, APIC id 0x%x, is not among the %u enabled MADT entries.");

    if (finding)
        finding->rules &= ~run->era_reworked;
}

/* Disabled entries out of reach are no loss, and the kernels say nothing. */
static void check_above_limit(struct check_run *run)
{
    const struct topology_note *first = NULL;
    uint32_t rules = 0;
    char source[32];

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct topology *topology = checks_topology(run, profile);

        for (uint32_t i = 0; topology && i < topology->notes.count; i++) {
            const struct topology_note *note = &topology->notes.list[i];

            if (note->kind != NOTE_MADT_ABOVE_LIMIT || note->b != 1)
                continue;
            rules |= 1u << profile;
            first = first ? first : note;
        }
    }
    if (first)
        checks_report(run, rules, madt_source(source, sizeof(source), first->offset),
                      "The x2APIC id 0x%x is out of reach, because firmware did not hand over in "
                      "x2APIC mode: the CPU is not started.", first->a);
}

/* How often an id is enabled in entries of one type or of both. */
struct id_uses {
    uint32_t apic_id, offset;
    bool is_x2apic;
};

static bool is_before(const struct id_uses *a, const struct id_uses *b)
{
    return a->apic_id != b->apic_id ? a->apic_id < b->apic_id : a->offset < b->offset;
}

static void sift_down(struct id_uses *uses, uint32_t at, uint32_t count)
{
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        struct id_uses moved = uses[at];

        if (child + 1 < count && is_before(&uses[child], &uses[child + 1]))
            child++;
        if (!is_before(&uses[at], &uses[child]))
            return;
        uses[at] = uses[child];
        uses[child] = moved;
        at = child;
    }
}

static void sort_uses(struct id_uses *uses, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(uses, i, count);
    for (uint32_t end = count; end-- > 1;) {
        struct id_uses last = uses[end];

        uses[end] = uses[0];
        uses[0] = last;
        sift_down(uses, 0, end);
    }
}

static struct id_uses *enabled_ids(struct check_run *run, uint32_t *count)
{
    struct madt_list list;
    struct id_uses *uses;

    *count = 0;
    if (!read_madt(run, &list) || !(uses = ARENA_NEW(run->arena, struct id_uses, list.count + 1)))
        return NULL;
    for (uint32_t i = 0; i < list.count; i++)
        if (list.cpus[i].is_enabled && !is_empty_slot(&list.cpus[i]))
            uses[(*count)++] = (struct id_uses){list.cpus[i].apic_id, list.cpus[i].offset,
                                                list.cpus[i].is_x2apic};
    sort_uses(uses, *count);
    return uses;
}

static void report_pairs(struct check_run *run, bool of_both_types, const char *format)
{
    uint32_t count, pairs = 0;
    struct id_uses *uses = enabled_ids(run, &count), first = {0};
    char source[32];

    for (uint32_t i = 1; uses && i < count; i++)
        if (uses[i].apic_id == uses[i - 1].apic_id &&
            (uses[i].is_x2apic != uses[i - 1].is_x2apic) == of_both_types && !pairs++)
            first = uses[i];
    if (pairs)
        checks_report(run, 0, madt_source(source, sizeof(source), first.offset), format, pairs,
                      first.apic_id);
}

static void check_duplicates(struct check_run *run)
{
    report_pairs(run, false, "%u enabled MADT entries repeat an APIC id, first 0x%x: kernels up to "
                 "6.1 count those CPUs twice.");
}

static void check_both_types(struct check_run *run)
{
    report_pairs(run, true, "%u APIC ids are listed as local APIC and as x2APIC entries, first "
                 "0x%x: kernels up to 6.1 count those CPUs twice.");
}

/* Ids that are enabled, but that the profile with the note has no CPU for. */
static void check_x2apic_left_out(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_MADT_X2APIC_BELOW_255, &where);
    uint32_t count = 0, lost = 0, known, first = 0;
    struct id_uses *uses = note ? enabled_ids(run, &count) : NULL;
    uint32_t *ids = uses ? ARENA_NEW(run->arena, uint32_t, where->cpu_count + 1) : NULL;
    char source[32];

    if (!ids)
        return;
    for (uint32_t cpu = 0; cpu < where->cpu_count; cpu++)
        ids[cpu] = where->cpus[cpu].apic_id;
    known = numbering_sort_unique(ids, where->cpu_count);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        while (at < known && ids[at] < uses[i].apic_id)
            at++;
        if (uses[i].is_x2apic && uses[i].apic_id < LAPIC_NO_ID &&
            (at == known || ids[at] != uses[i].apic_id) && !lost++)
            first = i;
    }
    if (lost)
        checks_report(run, checks_noted(run, NOTE_MADT_X2APIC_BELOW_255),
                      madt_source(source, sizeof(source), uses[first].offset),
                      "%u x2APIC entries with ids below 255, first 0x%x, stand beside local APIC "
                      "entries: these kernels leave those CPUs out.", lost, uses[first].apic_id);
}

static const struct check checks[] = {
    {"madt-entries", FINDING_INFO, "", "all", "the MADT has entries that are not enabled", "",
     "tables list the largest CPU of a board; only enabled entries are started",
     check_entries, NULL},
    {"madt-broken", FINDING_ERROR, "", "all", "a MADT entry has a length that does not fit",
     "Invalid BIOS MADT", "the kernel runs without ACPI", check_broken, NULL},
    {"madt-lapic-unusable", FINDING_WARNING, "", "all",
     "enabled local APIC entries have the broadcast id 0xFF", "",
     "they name no CPU, whatever their flags say", check_lapic_unusable, NULL},
    {"madt-boot-cpu-not-first", FINDING_WARNING, "12", "6.12, 7.2",
     "the first MADT processor is not the boot CPU",
     "[Firmware Bug]: APIC enumeration order not specification compliant",
     "ACPI wants the boot CPU first", check_boot_not_first, NULL},
    {"madt-boot-cpu-unmarked", FINDING_WARNING, "13", "6.12, 7.2",
     "the boot CPU is first in the MADT but has no BSP bit",
     "Enumerated BSP APIC … is not marked in APICBASE MSR", "the kernel limits itself to one CPU",
     check_boot_unmarked, NULL},
    {"madt-boot-cpu-missing", FINDING_WARNING, "14", "4.x, 5.10, 6.1",
     "the boot CPU is not in the MADT",
     "Boot CPU (id n) not listed by BIOS / weird, boot CPU (#n) not listed by the BIOS",
     "the MADT is incomplete", check_boot_missing, NULL},
    {"madt-x2apic-above-limit", FINDING_WARNING, "15", "all",
     "an enabled x2APIC entry has an id of 255 or more, and x2APIC mode was off at hand-over",
     "x2apic entry ignored", "firmware must hand over in x2APIC mode for such ids",
     check_above_limit, NULL},
    {"madt-duplicate-id", FINDING_WARNING, "", "4.x, 5.10, 6.1",
     "two enabled entries of one type have the same APIC id", "",
     "one CPU is counted twice; the number of possible CPUs is wrong", check_duplicates, NULL},
    {"madt-lapic-and-x2apic", FINDING_WARNING, "", "all",
     "an APIC id is listed as local APIC and as x2APIC entry", "",
     "ACPI wants ids below 255 as local APIC entries only", check_both_types, NULL},
    {"madt-x2apic-left-out", FINDING_WARNING, "", "6.12, 7.2",
     "x2APIC entries with ids below 255 stand beside usable local APIC entries", "",
     "those CPUs are not started", check_x2apic_left_out, NULL},
};
CHECK_GROUP(checks_of_madt, checks);
