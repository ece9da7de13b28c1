/* Stands in for CPUID rows when a case is about the MADT alone. */
#include "kernel/facts/madt_cpus.h"

#include "kernel/facts/acpi_madt.h"

static bool is_cpu(const struct acpi_madt_entry *entry)
{
    return entry->is_processor && (entry->flags & ACPI_MADT_ENABLED) &&
           !acpi_madt_is_empty_slot(entry);
}

static bool is_listed(const struct machine_facts *facts, uint32_t apic_id)
{
    for (uint32_t i = 0; i < facts->cpu_count; i++)
        if (facts->cpus[i].apic_id == apic_id)
            return true;
    return false;
}

static void add_cpu(struct machine_facts *facts, uint32_t apic_id)
{
    uint32_t index = facts->cpu_count++;

    facts->number[index] = index;
    facts->cpus[index] = (struct cpu_facts){.state = CPU_ONLINE, .has_apic_id = true,
                                            .apic_id = apic_id, .madt_apic_id = apic_id,
                                            .rows_are_sorted = true};
}

/* The boot CPU's entry carries its UID. */
static void set_uid(struct machine_facts *facts, const struct acpi_madt_entry *entry)
{
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        struct cpu_facts *cpu = &facts->cpus[i];

        if (cpu->apic_id == entry->apic_id && !cpu->has_uid) {
            cpu->has_uid = true;
            cpu->uid = entry->uid;
        }
    }
}

static uint32_t count_entries(const struct acpi_table *table)
{
    struct acpi_madt madt;
    struct acpi_madt_entry entry;
    uint32_t count = 0;

    if (!acpi_madt_open(&madt, table->bytes, table->length_bytes, NULL))
        return 0;
    while (acpi_madt_next(&madt, &entry, NULL) == ACPI_ENTRY)
        count++;
    return count;
}

bool madt_cpus_add(struct machine_facts *facts, const uint32_t *boot_apic_id, struct arena *arena)
{
    const struct acpi_table *table = facts_table(facts, "APIC");
    uint32_t capacity = table ? count_entries(table) + 1 : 1;
    struct acpi_madt madt;
    struct acpi_madt_entry entry;

    facts->cpu_count = 0;
    facts->cpus = ARENA_NEW(arena, struct cpu_facts, capacity);
    facts->number = ARENA_NEW(arena, uint32_t, capacity);
    if (!facts->cpus || !facts->number)
        return false;
    if (boot_apic_id)
        add_cpu(facts, *boot_apic_id);
    if (!table || !acpi_madt_open(&madt, table->bytes, table->length_bytes, NULL))
        return true;
    while (acpi_madt_next(&madt, &entry, NULL) == ACPI_ENTRY) {
        if (!is_cpu(&entry))
            continue;
        if (!is_listed(facts, entry.apic_id))
            add_cpu(facts, entry.apic_id);
        set_uid(facts, &entry);
    }
    return true;
}
