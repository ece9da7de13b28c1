/* Two walks over the MADT: one to count, one to fill. */
#include "kernel/topology/numbering_madt.h"

#include "kernel/lib/reader.h"

enum {
    MADT_HEADER_BYTES = 44,
    MADT_LOCAL_APIC = 0, MADT_LOCAL_APIC_BYTES = 8,
    MADT_LOCAL_SAPIC = 7, MADT_LOCAL_SAPIC_BYTES = 12,
    MADT_LOCAL_X2APIC = 9, MADT_LOCAL_X2APIC_BYTES = 16,
    MADT_ENABLED = 1, MADT_ONLINE_CAPABLE = 2,
};

static uint32_t bytes_u32(const uint8_t *bytes)
{
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t least_bytes(uint8_t type)
{
    return type == MADT_LOCAL_APIC ? MADT_LOCAL_APIC_BYTES
         : type == MADT_LOCAL_SAPIC ? MADT_LOCAL_SAPIC_BYTES
         : type == MADT_LOCAL_X2APIC ? MADT_LOCAL_X2APIC_BYTES : 2;
}

static struct madt_cpu madt_cpu_of(const uint8_t *entry, uint32_t offset)
{
    struct madt_cpu cpu = {.offset = offset, .is_x2apic = entry[0] == MADT_LOCAL_X2APIC};
    uint32_t flags = bytes_u32(entry + (cpu.is_x2apic || entry[0] == MADT_LOCAL_SAPIC ? 8 : 4));

    cpu.apic_id = cpu.is_x2apic ? bytes_u32(entry + 4)
                : entry[0] == MADT_LOCAL_SAPIC ? (uint32_t)entry[3] << 8 | entry[4] : entry[3];
    cpu.is_enabled = flags & MADT_ENABLED;
    cpu.is_online_capable = flags & MADT_ONLINE_CAPABLE;
    return cpu;
}

/* Calls for every entry; the offset where the walk had to end, or the table's end. */
static uint32_t walk(const struct acpi_table *madt, bool wants_sapic, struct madt_cpu *out,
                     uint32_t *count, uint32_t *bad_length)
{
    uint32_t offset = MADT_HEADER_BYTES;

    *count = 0;
    while (offset < madt->length_bytes) {
        const uint8_t *entry = madt->bytes + offset;
        uint32_t left = madt->length_bytes - offset;
        uint8_t type = entry[0];

        *bad_length = left < 2 ? 0 : entry[1];
        if (left < 2 || entry[1] > left || entry[1] < least_bytes(type))
            return offset;
        if (wants_sapic ? type == MADT_LOCAL_SAPIC
                        : type == MADT_LOCAL_APIC || type == MADT_LOCAL_X2APIC) {
            if (out)
                out[*count] = madt_cpu_of(entry, offset);
            ++*count;
        }
        offset += entry[1];
    }
    return madt->length_bytes;
}

struct madt_cpu *numbering_madt_read(const struct acpi_table *madt, struct arena *arena,
                                     struct topology_notes *notes, uint32_t *count)
{
    uint32_t sapics, bad_length, end;

    walk(madt, true, NULL, &sapics, &bad_length);
    end = walk(madt, sapics > 0, NULL, count, &bad_length);
    if (end < madt->length_bytes)
        notes_add(notes, (struct topology_note){.kind = NOTE_MADT_BROKEN, .cpu = NOTES_NO_CPU,
                                                .other_cpu = NOTES_NO_CPU, .offset = end,
                                                .a = bad_length});
    struct madt_cpu *cpus = ARENA_NEW(arena, struct madt_cpu, *count);
    if (cpus)
        walk(madt, sapics > 0, cpus, count, &bad_length);
    return cpus;
}
