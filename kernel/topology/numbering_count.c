/* Two ways of numbering: entry by entry up to 6.x (duplicates counted twice,
 * disabled entries with or without a number), and by registered APIC ids. */
#include "kernel/topology/numbering_count.h"

enum {
    APIC_ID_LIMIT = 32768,      /* MAX_LOCAL_APIC */
    XAPIC_LAST_ID = 254,
    APIC_ID_BROADCAST_8 = 0xFF,
};
#define APIC_ID_BROADCAST UINT32_MAX

static void note(struct numberer *n, enum note_kind kind, const struct madt_cpu *entry, uint32_t a,
                 uint32_t b)
{
    notes_add(n->notes, (struct topology_note){.kind = kind, .cpu = NOTES_NO_CPU,
                                               .other_cpu = NOTES_NO_CPU,
                                               .offset = entry ? entry->offset : 0,
                                               .a = a, .b = b});
}

uint32_t *numbering_slot(struct numberer *n, uint32_t apic_id)
{
    uint32_t slot = apic_id * 2654435761u >> 8 & n->slot_mask;

    while (n->slots[slot] && n->out->apic_id[n->slots[slot] - 1] != apic_id)
        slot = (slot + 1) & n->slot_mask;
    return &n->slots[slot];
}

static uint32_t give_number(struct numberer *n, uint32_t apic_id, uint32_t number)
{
    n->out->apic_id[number] = apic_id;
    *numbering_slot(n, apic_id) = number + 1;
    return number;
}

/* The number an id has or gets now. */
static uint32_t number_of(struct numberer *n, uint32_t apic_id)
{
    uint32_t *slot = numbering_slot(n, apic_id);

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

void numbering_count(struct numberer *n)
{
    count_entries(n);
    close_numbers(n);
}
