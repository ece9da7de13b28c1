/* Walks the MADT. What an entry means for a kernel is decided in topology. */
#include "kernel/facts/acpi_madt.h"

enum { MADT_FIXED_BYTES = 44, LOCAL_APIC_BROADCAST_ID = 0xFF };

/* The sizes of the structures the table may hold; 0: not known, any size. */
static const uint8_t structure_bytes[] = {
    [0] = 8, [1] = 12, [2] = 10, [3] = 8, [4] = 6, [5] = 12,
    [6] = 16, [7] = 16, [8] = 16, [9] = 16, [10] = 12,
};

bool acpi_madt_open(struct acpi_madt *madt, const void *bytes, size_t length_bytes,
                    struct input_error *error)
{
    struct reader fixed;

    if (!acpi_sdt_open(&madt->sdt, bytes, length_bytes, "APIC", MADT_FIXED_BYTES, error))
        return false;
    fixed = reader_of(bytes, MADT_FIXED_BYTES);
    return reader_skip(&fixed, ACPI_HEADER_BYTES) && reader_u32(&fixed, &madt->lapic_address) &&
           reader_u32(&fixed, &madt->flags);
}

static bool read_local_apic(struct reader *body, struct acpi_madt_entry *entry)
{
    uint8_t uid, apic_id;

    if (!reader_u8(body, &uid) || !reader_u8(body, &apic_id) || !reader_u32(body, &entry->flags))
        return false;
    entry->uid = uid;
    entry->apic_id = apic_id;
    return true;
}

static bool read_local_sapic(struct reader *body, struct acpi_madt_entry *entry)
{
    uint8_t processor, id, eid;

    if (!reader_u8(body, &processor) || !reader_u8(body, &id) || !reader_u8(body, &eid) ||
        !reader_skip(body, 3) || !reader_u32(body, &entry->flags) || !reader_u32(body, &entry->uid))
        return false;
    entry->apic_id = (uint32_t)id << 8 | eid;
    return true;
}

static bool read_x2apic(struct reader *body, struct acpi_madt_entry *entry)
{
    return reader_skip(body, 2) && reader_u32(body, &entry->apic_id) &&
           reader_u32(body, &entry->flags) && reader_u32(body, &entry->uid);
}

static bool read_processor(struct reader body, struct acpi_madt_entry *entry)
{
    entry->is_processor = true;
    if (!reader_skip(&body, 2))
        return false;
    switch (entry->type) {
    case ACPI_MADT_LOCAL_APIC:
        return read_local_apic(&body, entry);
    case ACPI_MADT_LOCAL_SAPIC:
        return read_local_sapic(&body, entry);
    case ACPI_MADT_LOCAL_X2APIC:
        return read_x2apic(&body, entry);
    default:
        entry->is_processor = false;
        return true;
    }
}

enum acpi_step acpi_madt_next(struct acpi_madt *madt, struct acpi_madt_entry *entry,
                              struct input_error *error)
{
    struct acpi_entry raw;
    enum acpi_step step = acpi_sdt_next(&madt->sdt, &raw, error);
    uint8_t needed;

    if (step != ACPI_ENTRY)
        return step;
    needed = raw.type < sizeof(structure_bytes) ? structure_bytes[raw.type] : 0;
    *entry = (struct acpi_madt_entry){
        .type = raw.type, .offset = raw.offset, .length_bytes = raw.length_bytes};
    if (raw.length_bytes >= needed && read_processor(raw.body, entry))
        return ACPI_ENTRY;
    input_error_set(error, PLACE_OFFSET, raw.offset,
                    "APIC: the entry of type %u at offset 0x%x has %u bytes, its structure has %u",
                    raw.type, raw.offset, raw.length_bytes, needed);
    return ACPI_BROKEN;
}

bool acpi_madt_is_empty_slot(const struct acpi_madt_entry *entry)
{
    return (entry->type == ACPI_MADT_LOCAL_APIC && entry->apic_id == LOCAL_APIC_BROADCAST_ID) ||
           (entry->type == ACPI_MADT_LOCAL_X2APIC && entry->apic_id == UINT32_MAX);
}
