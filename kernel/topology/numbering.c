/* Where the numbers come from: the MADT, or the source's own. */
#include "kernel/topology/numbering.h"

#include <stdlib.h>

#include "kernel/topology/numbering_count.h"

enum { APIC_BASE_BSP = 1 << 8, FADT_MAJOR = 8, FADT_MINOR = 131 };

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
            entries[i].apic_id != (entries[i].is_x2apic ? UINT32_MAX : 0xFFu))
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
        uint32_t *slot = numbering_slot(n, facts->cpus[i].madt_apic_id);

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
    numbering_count(&n);
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
