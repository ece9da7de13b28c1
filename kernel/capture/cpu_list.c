/* Walks the MADT with the bounded reader. [acpi 5.2.12] [rules 7.1] */
#include "kernel/capture/cpu_list.h"

#include "kernel/lib/reader.h"

enum {
    MADT_ENTRIES_AT = 44,
    MADT_ENTRY_HEADER_BYTES = 2,
    MADT_LOCAL_APIC = 0,
    MADT_LOCAL_X2APIC = 9,
    MADT_FLAG_ENABLED = 1,
    MADT_NO_APIC_ID = 0xFF,
    SEEN_BITS = 1 << 16,
};
#define MADT_NO_X2APIC_ID UINT32_MAX

struct madt_cpu {
    uint32_t apic_id, uid;
    bool is_enabled;
};

struct madt_walk {
    struct reader entries;
    uint32_t length_bytes;
    bool is_broken;
};

/* Ids that are in the list already: a bit for each small one, a search for the rest. */
struct builder {
    struct machine_facts *facts;
    uint64_t *seen;
};

static bool walk_start(struct madt_walk *walk, const struct machine_facts *facts)
{
    const struct acpi_table *madt = facts_table(facts, "APIC");

    *walk = (struct madt_walk){0};
    if (madt == NULL)
        return false;
    walk->length_bytes = madt->length_bytes;
    walk->entries = reader_of(madt->bytes, madt->length_bytes);
    walk->is_broken = !reader_skip(&walk->entries, MADT_ENTRIES_AT);
    return true;
}

static bool read_local_apic(struct reader *entry, struct madt_cpu *cpu)
{
    uint8_t uid, apic_id;
    uint32_t flags;

    if (!reader_u8(entry, &uid) || !reader_u8(entry, &apic_id) || !reader_u32(entry, &flags))
        return false;
    cpu->uid = uid;
    cpu->apic_id = apic_id == MADT_NO_APIC_ID ? MADT_NO_X2APIC_ID : apic_id;
    cpu->is_enabled = flags & MADT_FLAG_ENABLED;
    return true;
}

static bool read_local_x2apic(struct reader *entry, struct madt_cpu *cpu)
{
    uint32_t flags;

    if (!reader_skip(entry, 2) || !reader_u32(entry, &cpu->apic_id) ||
        !reader_u32(entry, &flags) || !reader_u32(entry, &cpu->uid))
        return false;
    cpu->is_enabled = flags & MADT_FLAG_ENABLED;
    return true;
}

/* The next entry that names a CPU. False: the end, or is_broken. */
static bool walk_next(struct madt_walk *walk, struct madt_cpu *cpu)
{
    while (!walk->is_broken && reader_left_bytes(&walk->entries) > 0) {
        uint8_t type, length;
        struct reader entry;
        struct reader before = walk->entries;
        bool is_whole = reader_u8(&walk->entries, &type) && reader_u8(&walk->entries, &length) &&
                        length >= MADT_ENTRY_HEADER_BYTES &&
                        reader_sub(&walk->entries, length - MADT_ENTRY_HEADER_BYTES, &entry);

        if (is_whole && type == MADT_LOCAL_APIC)
            is_whole = read_local_apic(&entry, cpu);
        else if (is_whole && type == MADT_LOCAL_X2APIC)
            is_whole = read_local_x2apic(&entry, cpu);
        else if (is_whole)
            continue;
        if (is_whole && cpu->apic_id != MADT_NO_X2APIC_ID)
            return true;
        if (!is_whole) {
            walk->entries = before;
            walk->is_broken = true;
        }
    }
    return false;
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
    struct madt_cpu entry;

    walk_start(&walk, builder->facts);
    while (walk_next(&walk, &entry)) {
        struct cpu_facts *cpu = NULL;

        if (entry.is_enabled == wants_enabled && !is_listed(builder, entry.apic_id))
            cpu = append(builder, entry.apic_id, wants_enabled ? CPU_SILENT : CPU_DISABLED);
        else if (entry.is_enabled && entry.apic_id == boot_apic_id && !list->is_boot_cpu_listed)
            cpu = &builder->facts->cpus[0];
        if (cpu == NULL)
            continue;
        cpu->has_uid = true;
        cpu->uid = entry.uid;
        list->is_boot_cpu_listed |= cpu == &builder->facts->cpus[0];
    }
    list->is_broken = walk.is_broken;
    list->broken_offset = walk.length_bytes - (uint32_t)reader_left_bytes(&walk.entries);
}

static uint32_t count_entries(const struct machine_facts *facts)
{
    struct madt_walk walk;
    struct madt_cpu entry;
    uint32_t count = 0;

    for (walk_start(&walk, facts); walk_next(&walk, &entry);)
        count++;
    return count;
}

uint32_t cpu_list_max_apic_id(const struct machine_facts *facts)
{
    struct madt_walk walk;
    struct madt_cpu entry;
    uint32_t highest = 0;

    for (walk_start(&walk, facts); walk_next(&walk, &entry);)
        if (entry.is_enabled && entry.apic_id > highest)
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
