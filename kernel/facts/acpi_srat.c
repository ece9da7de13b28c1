/* Walks the SRAT. Up to revision 1 a proximity domain has 8 bits, and what
 * stands where the others came to be is reserved. */
#include "kernel/facts/acpi_srat.h"

enum {
    SRAT_FIXED_BYTES = 48,
    LOCAL_APIC_BYTES = 16,
    MEMORY_BYTES = 40,
    X2APIC_BYTES = 24,
    GENERIC_INITIATOR_BYTES = 32,
    WIDE_DOMAIN_REVISION = 2,
};

bool acpi_srat_open(struct acpi_srat *srat, const void *bytes, size_t length_bytes,
                    struct input_error *error)
{
    return acpi_sdt_open(&srat->sdt, bytes, length_bytes, "SRAT", SRAT_FIXED_BYTES, error);
}

static bool read_local_apic(struct reader *body, uint8_t revision, struct acpi_srat_entry *entry)
{
    uint8_t low, apic_id, sapic_eid, high[3];

    if (!reader_u8(body, &low) || !reader_u8(body, &apic_id) ||
        !reader_u32(body, &entry->flags) || !reader_u8(body, &sapic_eid) ||
        !reader_copy(body, high, sizeof(high)))
        return false;
    entry->apic_id = apic_id;
    entry->domain = low;
    if (revision >= WIDE_DOMAIN_REVISION)
        entry->domain |= (uint32_t)high[0] << 8 | (uint32_t)high[1] << 16 | (uint32_t)high[2] << 24;
    return true;
}

static bool read_memory(struct reader *body, uint8_t revision, struct acpi_srat_entry *entry)
{
    if (!reader_u32(body, &entry->domain) || !reader_skip(body, 2) ||
        !reader_u64(body, &entry->start) || !reader_u64(body, &entry->size_bytes) ||
        !reader_skip(body, 4) || !reader_u32(body, &entry->flags))
        return false;
    if (revision < WIDE_DOMAIN_REVISION)
        entry->domain &= 0xFF;
    return true;
}

static bool read_x2apic(struct reader *body, struct acpi_srat_entry *entry)
{
    return reader_skip(body, 2) && reader_u32(body, &entry->domain) &&
           reader_u32(body, &entry->apic_id) && reader_u32(body, &entry->flags);
}

static bool read_generic_initiator(struct reader *body, struct acpi_srat_entry *entry)
{
    return reader_skip(body, 2) && reader_u32(body, &entry->domain) && reader_skip(body, 16) &&
           reader_u32(body, &entry->flags);
}

static bool read_body(struct reader body, uint8_t revision, struct acpi_srat_entry *entry)
{
    entry->is_known = true;
    if (!reader_skip(&body, 2))
        return false;
    switch (entry->type) {
    case ACPI_SRAT_LOCAL_APIC:
        return entry->length_bytes == LOCAL_APIC_BYTES && read_local_apic(&body, revision, entry);
    case ACPI_SRAT_MEMORY:
        return entry->length_bytes >= MEMORY_BYTES && read_memory(&body, revision, entry);
    case ACPI_SRAT_X2APIC:
        return entry->length_bytes >= X2APIC_BYTES && read_x2apic(&body, entry);
    case ACPI_SRAT_GENERIC_INITIATOR:
        return entry->length_bytes >= GENERIC_INITIATOR_BYTES &&
               read_generic_initiator(&body, entry);
    default:
        entry->is_known = false;
        return true;
    }
}

enum acpi_step acpi_srat_next(struct acpi_srat *srat, struct acpi_srat_entry *entry,
                              struct input_error *error)
{
    struct acpi_entry raw;
    enum acpi_step step = acpi_sdt_next(&srat->sdt, &raw, error);

    if (step != ACPI_ENTRY)
        return step;
    *entry = (struct acpi_srat_entry){
        .type = raw.type, .offset = raw.offset, .length_bytes = raw.length_bytes};
    if (!read_body(raw.body, srat->sdt.revision, entry)) {
        input_error_set(error, PLACE_OFFSET, raw.offset,
                        "SRAT: the entry of type %u at offset 0x%x has %u bytes, which is wrong "
                        "for its type", raw.type, raw.offset, raw.length_bytes);
        return ACPI_BROKEN;
    }
    entry->is_enabled = entry->is_known && (entry->flags & ACPI_SRAT_ENABLED);
    return ACPI_ENTRY;
}
