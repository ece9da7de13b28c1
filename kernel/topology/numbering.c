/* Two ways of numbering: entry by entry up to 6.x (duplicates counted twice,
 * disabled entries with or without a number), and by registered APIC ids. */
#include "kernel/topology/numbering.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/topology/numbering_madt.h"

enum {
    APIC_ID_LIMIT = 32768,      /* MAX_LOCAL_APIC */
    XAPIC_LAST_ID = 254,
    APIC_BASE_BSP = 1 << 8,
    FADT_MAJOR = 8, FADT_MINOR = 131,
    APIC_ID_BROADCAST_8 = 0xFF,
};
#define APIC_ID_BROADCAST UINT32_MAX

struct numberer {
    const struct leaves *leaves;
    const struct numbering_rules *rules;
    struct topology_notes *notes;
    struct numbering *out;
    const struct madt_cpu *entries;
    uint32_t entry_count;
    bool has_online_capable;    /* the FADT says ACPI 6.3 or later */
    bool is_virtual;            /* under a hypervisor the kernel detects */
    bool has_usable_lapic;
    bool is_bsp_marked;
    uint32_t boot_id;
    bool has_seen_first;
    uint32_t next;              /* number of the next new CPU */
    uint32_t present_count, disabled_count;
    uint32_t *slots;            /* APIC id -> number + 1, open addressing */
    uint32_t slot_mask;
    uint32_t *first_offset;     /* by number: the entry that was enabled first */
};

static int compare_ids(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

uint32_t numbering_sort_unique(uint32_t *ids, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < count; i++)
        if (ids[i - 1] > ids[i]) {
            qsort(ids, count, sizeof *ids, compare_ids);
            break;
        }
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || ids[kept - 1] != ids[i])
            ids[kept++] = ids[i];
    return kept;
}

static void note(struct numberer *n, enum note_kind kind, const struct madt_cpu *entry, uint32_t a,
                 uint32_t b)
{
    notes_add(n->notes, (struct topology_note){.kind = kind, .cpu = NOTES_NO_CPU,
                                               .other_cpu = NOTES_NO_CPU,
                                               .offset = entry ? entry->offset : 0,
                                               .a = a, .b = b});
}

/* The slot of an id: holds its number + 1, or 0 when it is new. */
static uint32_t *slot_of(struct numberer *n, uint32_t apic_id)
{
    uint32_t slot = apic_id * 2654435761u >> 8 & n->slot_mask;

    while (n->slots[slot] && n->out->apic_id[n->slots[slot] - 1] != apic_id)
        slot = (slot + 1) & n->slot_mask;
    return &n->slots[slot];
}

static uint32_t give_number(struct numberer *n, uint32_t apic_id, uint32_t number)
{
    n->out->apic_id[number] = apic_id;
    *slot_of(n, apic_id) = number + 1;
    return number;
}

/* The number an id has or gets now. */
static uint32_t number_of(struct numberer *n, uint32_t apic_id)
{
    uint32_t *slot = slot_of(n, apic_id);

    return *slot ? *slot - 1 : give_number(n, apic_id, n->next++);
}

/* The flag rule for an entry that is not enabled. [rules 7.2] */
static bool disabled_counts(const struct numberer *n, const struct madt_cpu *entry)
{
    if (n->has_online_capable)
        return entry->is_online_capable || !n->rules->disabled_needs_capable;
    return n->is_virtual || !n->rules->disabled_needs_hypervisor;
}

static bool is_empty_slot(const struct numberer *n, const struct madt_cpu *entry)
{
    return entry->is_x2apic
        ? entry->apic_id == APIC_ID_BROADCAST && n->rules->skips_broadcast_x2apic
        : entry->apic_id == APIC_ID_BROADCAST_8;
}

/* True when the x2APIC driver's limit shuts the entry out. */
static bool is_above_limit(struct numberer *n, const struct madt_cpu *entry)
{
    if (!entry->is_x2apic || n->leaves->was_x2apic || entry->apic_id <= XAPIC_LAST_ID)
        return false;
    if (entry->is_enabled || !n->rules->keeps_disabled_above_limit)
        note(n, NOTE_MADT_ABOVE_LIMIT, entry, entry->apic_id, entry->is_enabled);
    return entry->is_enabled || !n->rules->keeps_disabled_above_limit;
}

static bool entry_counts(struct numberer *n, const struct madt_cpu *entry)
{
    if (is_empty_slot(n, entry))
        return false;
    if (!entry->is_enabled && !disabled_counts(n, entry)) {
        note(n, NOTE_MADT_DISABLED_SKIPPED, entry, entry->apic_id, entry->is_online_capable);
        return false;
    }
    if (n->rules->skips_x2apic_below_255 && n->has_usable_lapic && entry->is_x2apic &&
        entry->apic_id < APIC_ID_BROADCAST_8) {
        note(n, NOTE_MADT_X2APIC_BELOW_255, entry, entry->apic_id, 0);
        return false;
    }
    if (is_above_limit(n, entry))
        return false;
    /* A broadcast id reads as -1 where it is not an empty slot, and passes. */
    if (entry->apic_id >= APIC_ID_LIMIT && entry->apic_id != APIC_ID_BROADCAST) {
        note(n, NOTE_MADT_ID_TOO_BIG, entry, entry->apic_id, 0);
        return false;
    }
    return true;
}

static void count_present(struct numberer *n, const struct madt_cpu *entry)
{
    uint32_t number = number_of(n, entry->apic_id);

    if (n->first_offset[number]) {
        note(n, NOTE_MADT_DUPLICATE, entry, entry->apic_id, n->first_offset[number]);
        if (!n->rules->is_by_apic_id)
            n->present_count++;
        return;
    }
    n->first_offset[number] = entry->offset;
    n->out->is_present[number] = true;
    n->present_count++;
}

/* linux-6.12: is the first listed APIC the one we run on? [rules 7.4] */
static bool passes_bsp_test(struct numberer *n, const struct madt_cpu *entry)
{
    if (n->has_seen_first)
        return true;
    n->has_seen_first = true;
    if (entry->apic_id == n->boot_id) {
        if (!n->is_bsp_marked)
            note(n, NOTE_MADT_BSP_UNMARKED, entry, n->boot_id, 0);
        return true;
    }
    note(n, n->is_bsp_marked ? NOTE_MADT_BSP_NOT_FIRST : NOTE_MADT_FIRST_REJECTED, entry,
         entry->apic_id, n->boot_id);
    return n->is_bsp_marked;
}

static void count_entry(struct numberer *n, const struct madt_cpu *entry)
{
    if (!entry_counts(n, entry) || (n->rules->is_by_apic_id && !passes_bsp_test(n, entry)))
        return;
    n->out->registered[n->out->registered_count++] = entry->apic_id;
    if (entry->is_enabled) {
        count_present(n, entry);
        return;
    }
    n->disabled_count++;
    if (n->rules->disabled_takes_number)
        number_of(n, entry->apic_id);
}

static void count_entries(struct numberer *n)
{
    give_number(n, n->boot_id, 0);
    n->next = 1;
    for (uint32_t i = 0; i < n->entry_count; i++)
        if (!n->entries[i].is_x2apic && n->entries[i].apic_id != APIC_ID_BROADCAST_8 &&
            (n->entries[i].is_enabled || disabled_counts(n, &n->entries[i])))
            n->has_usable_lapic = true;
    for (uint32_t i = 0; i < n->entry_count; i++)
        count_entry(n, &n->entries[i]);
    if (!n->out->is_present[0]) {
        note(n, NOTE_MADT_BOOT_NOT_LISTED, NULL, n->boot_id, n->present_count);
        n->out->is_present[0] = true;
        if (n->present_count == 0 || n->rules->is_by_apic_id)
            n->present_count++;
        n->out->registered[n->out->registered_count++] = n->boot_id;
    }
}

/* Possible CPUs: present and disabled ones; ids registered for later follow by
 * ascending id where the profile works by ids. [rules 7.4, 7.5] */
static void close_numbers(struct numberer *n)
{
    struct numbering *out = n->out;

    out->registered_count = numbering_sort_unique(out->registered, out->registered_count);
    out->nr_cpu_ids = n->present_count + n->disabled_count;
    if (!n->rules->is_by_apic_id)
        return;
    for (uint32_t i = 0; i < out->registered_count; i++)
        number_of(n, out->registered[i]);
    if (notes_first(n->notes, NOTE_MADT_BSP_UNMARKED))
        out->nr_cpu_ids = 1;
}

/* [acpi 5.2.9]: the FADT's version decides what flag bit 1 means. */
static bool fadt_is_acpi_6_3(const struct machine_facts *facts)
{
    const struct acpi_table *fadt = facts_table(facts, "FACP");

    if (!fadt || fadt->length_bytes <= FADT_MINOR)
        return fadt && fadt->length_bytes > FADT_MAJOR && fadt->bytes[FADT_MAJOR] > 6;
    return fadt->bytes[FADT_MAJOR] > 6 ||
           (fadt->bytes[FADT_MAJOR] == 6 && (fadt->bytes[FADT_MINOR] & 0xF) >= 3);
}

static uint32_t boot_id_of(const struct machine_facts *facts, const struct madt_cpu *entries,
                           uint32_t count)
{
    if (facts->cpu_count)
        return facts->cpus[0].apic_id;
    if (facts->has_boot_apic_id)
        return facts->boot_apic_id;
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].is_enabled &&
            entries[i].apic_id != (entries[i].is_x2apic ? APIC_ID_BROADCAST : APIC_ID_BROADCAST_8))
            return entries[i].apic_id;
    return 0;
}

static bool take_arrays(struct numberer *n, struct arena *arena)
{
    /* One number more than entries: the boot CPU may not be listed. Numbers that
     * only count (duplicates, disabled entries) need room as well. */
    uint32_t most = 2 * n->entry_count + 2;

    n->slot_mask = 15;
    while (n->slot_mask < 2 * most)
        n->slot_mask = 2 * n->slot_mask + 1;
    n->slots = ARENA_NEW(arena, uint32_t, n->slot_mask + 1);
    n->first_offset = ARENA_NEW(arena, uint32_t, most);
    n->out->apic_id = ARENA_NEW(arena, uint32_t, most);
    n->out->fact = ARENA_NEW(arena, uint32_t, most);
    n->out->is_present = ARENA_NEW(arena, bool, most);
    n->out->registered = ARENA_NEW(arena, uint32_t, most);
    return n->slots && n->first_offset && n->out->apic_id && n->out->fact && n->out->is_present &&
           n->out->registered;
}

/* Which recorded CPU has which number: by the id it was started by. */
static void match_facts(struct numberer *n)
{
    const struct machine_facts *facts = n->leaves->facts;

    for (uint32_t cpu = 0; cpu < 2 * n->entry_count + 2; cpu++)
        n->out->fact[cpu] = FACTS_NO_CPU;
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        uint32_t *slot = slot_of(n, facts->cpus[i].madt_apic_id);

        if (*slot && n->out->fact[*slot - 1] == FACTS_NO_CPU)
            n->out->fact[*slot - 1] = i;
    }
    /* The boot CPU runs whatever the table calls it. */
    if (facts->cpu_count)
        n->out->fact[0] = 0;
}

static bool number_by_madt(const struct leaves *leaves, const struct rule_profile *rules,
                           const struct acpi_table *madt, struct arena *arena,
                           struct topology_notes *notes, struct numbering *out)
{
    const struct machine_facts *facts = leaves->facts;
    struct numberer n = {.leaves = leaves, .rules = &rules->numbering, .notes = notes, .out = out};

    n.entries = numbering_madt_read(madt, arena, notes, &n.entry_count);
    if (!n.entries || !take_arrays(&n, arena))
        return false;
    n.boot_id = boot_id_of(facts, n.entries, n.entry_count);
    n.is_bsp_marked = !facts->has_handover_apic_base || facts->handover_apic_base & APIC_BASE_BSP;
    n.has_online_capable = fadt_is_acpi_6_3(facts);
    n.is_virtual = facts->cpu_count && leaves->cpus[0].is_known_hypervisor;
    out->has_madt = true;
    count_entries(&n);
    close_numbers(&n);
    match_facts(&n);
    return true;
}

static bool number_by_source(const struct machine_facts *facts, struct arena *arena,
                             struct numbering *out)
{
    uint32_t known = facts->cpu_count, count;

    while (known && facts->number[known - 1] >= NUMBERING_CPU_LIMIT)
        known--;
    count = known ? facts->number[known - 1] + 1 : 0;
    out->nr_cpu_ids = count;
    out->apic_id = ARENA_NEW(arena, uint32_t, count);
    out->fact = ARENA_NEW(arena, uint32_t, count);
    out->is_present = ARENA_NEW(arena, bool, count);
    out->registered = ARENA_NEW(arena, uint32_t, known);
    if (!out->apic_id || !out->fact || !out->is_present || !out->registered)
        return false;
    for (uint32_t cpu = 0; cpu < count; cpu++)
        out->fact[cpu] = FACTS_NO_CPU;
    for (uint32_t i = 0; i < known; i++) {
        uint32_t cpu = facts->number[i];

        out->fact[cpu] = i;
        out->is_present[cpu] = true;
        out->apic_id[cpu] = out->registered[i] = facts->cpus[i].madt_apic_id;
    }
    out->registered_count = numbering_sort_unique(out->registered, known);
    return true;
}

bool numbering_build(const struct leaves *leaves, const struct rule_profile *rules,
                     struct arena *arena, struct topology_notes *notes, struct numbering *out)
{
    const struct acpi_table *madt = facts_table(leaves->facts, "APIC");

    *out = (struct numbering){0};
    if (madt && !leaves->facts->has_linux_numbers)
        return number_by_madt(leaves, rules, madt, arena, notes, out);
    return number_by_source(leaves->facts, arena, out);
}
