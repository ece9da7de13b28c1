/* From the entries of the MADT to CPUs. [acpi 5.2.12] [rules 7.1] */
#include "kernel/capture/cpu_list.h"

#include <stddef.h>

#include "kernel/facts/acpi_madt.h"

enum { SEEN_BITS = 1 << 16 };

struct madt_walk {
    struct acpi_madt madt;
    bool is_broken;
    struct input_error error;
};

/* Ids that are in the list already: a bit for each small one, a search for the rest. */
struct builder {
    struct machine_facts *facts;
    uint64_t *seen;
};

static bool walk_start(struct madt_walk *walk, const struct machine_facts *facts)
{
    const struct acpi_table *table = facts_table(facts, "APIC");

    *walk = (struct madt_walk){0};
    walk->is_broken = table != NULL && !acpi_madt_open(&walk->madt, table->bytes,
                                                       table->length_bytes, &walk->error);
    return table != NULL && !walk->is_broken;
}

/* The next entry that names a CPU. False: the end, or is_broken. */
static bool walk_next(struct madt_walk *walk, struct acpi_madt_entry *entry)
{
    enum acpi_step step = ACPI_END;

    while (!walk->is_broken &&
           (step = acpi_madt_next(&walk->madt, entry, &walk->error)) == ACPI_ENTRY) {
        if ((entry->type == ACPI_MADT_LOCAL_APIC || entry->type == ACPI_MADT_LOCAL_X2APIC) &&
            !acpi_madt_is_empty_slot(entry))
            return true;
    }
    walk->is_broken |= step == ACPI_BROKEN;
    return false;
}

static bool is_enabled(const struct acpi_madt_entry *entry)
{
    return entry->flags & ACPI_MADT_ENABLED;
}

static bool is_listed(const struct builder *builder, uint32_t apic_id)
{
    if (apic_id < SEEN_BITS)
        return builder->seen[apic_id / 64] >> apic_id % 64 & 1;
    for (uint32_t i = 0; i < builder->facts->cpu_count; i++)
        if (builder->facts->cpus[i].madt_apic_id == apic_id)
            return true;
    return false;
}

static struct cpu_facts *append(struct builder *builder, uint32_t apic_id, enum cpu_state state)
{
    uint32_t index = builder->facts->cpu_count++;
    struct cpu_facts *cpu = &builder->facts->cpus[index];

    if (apic_id < SEEN_BITS)
        builder->seen[apic_id / 64] |= UINT64_C(1) << apic_id % 64;
    builder->facts->number[index] = index;
    cpu->state = state;
    cpu->madt_apic_id = apic_id;
    return cpu;
}

static void append_listed(struct builder *builder, bool wants_enabled, uint32_t boot_apic_id,
                          struct cpu_list *list)
{
    struct madt_walk walk;
    struct acpi_madt_entry entry;
    bool is_open = walk_start(&walk, builder->facts);

    while (is_open && walk_next(&walk, &entry)) {
        struct cpu_facts *cpu = NULL;

        if (is_enabled(&entry) == wants_enabled && !is_listed(builder, entry.apic_id))
            cpu = append(builder, entry.apic_id, wants_enabled ? CPU_SILENT : CPU_DISABLED);
        else if (is_enabled(&entry) && entry.apic_id == boot_apic_id && !list->is_boot_cpu_listed)
            cpu = &builder->facts->cpus[0];
        if (cpu == NULL)
            continue;
        cpu->has_uid = true;
        cpu->uid = entry.uid;
        list->is_boot_cpu_listed |= cpu == &builder->facts->cpus[0];
    }
    list->is_broken = walk.is_broken;
    list->error = walk.error;
}

static uint32_t count_entries(const struct machine_facts *facts)
{
    struct madt_walk walk;
    struct acpi_madt_entry entry;
    uint32_t count = 0;

    if (walk_start(&walk, facts))
        while (walk_next(&walk, &entry))
            count++;
    return count;
}

uint32_t cpu_list_max_apic_id(const struct machine_facts *facts)
{
    struct madt_walk walk;
    struct acpi_madt_entry entry;
    uint32_t highest = 0;

    if (walk_start(&walk, facts))
        while (walk_next(&walk, &entry))
            if (is_enabled(&entry) && entry.apic_id > highest)
                highest = entry.apic_id;
    return highest;
}

bool cpu_list_build(struct machine_facts *facts, uint32_t boot_apic_id, struct arena *arena,
                    struct cpu_list *list)
{
    uint32_t capacity = count_entries(facts) + 1;
    struct builder builder = {facts, ARENA_NEW(arena, uint64_t, SEEN_BITS / 64)};

    *list = (struct cpu_list){.has_madt = facts_table(facts, "APIC") != NULL};
    facts->cpu_count = 0;
    facts->cpus = ARENA_NEW(arena, struct cpu_facts, capacity);
    facts->number = ARENA_NEW(arena, uint32_t, capacity);
    if (facts->cpus == NULL || facts->number == NULL || builder.seen == NULL)
        return false;
    append(&builder, boot_apic_id, CPU_ONLINE);
    append_listed(&builder, true, boot_apic_id, list);
    list->enabled_count = facts->cpu_count;
    append_listed(&builder, false, boot_apic_id, list);
    return true;
}
