/* Headers, checksums and walks of ACPI tables. The bytes come from firmware:
 * only what the bounded reader gives is looked at. */
#include "kernel/facts/acpi_sdt.h"

#include <string.h>

bool acpi_sdt_sum_is_zero(const void *bytes, size_t length_bytes)
{
    const uint8_t *next = bytes;
    uint8_t sum = 0;

    for (size_t i = 0; i < length_bytes; i++)
        sum = (uint8_t)(sum + next[i]);
    return sum == 0;
}

uint32_t acpi_sdt_stated_length(const void *header)
{
    struct reader reader = reader_of(header, 8);
    uint32_t length = 0;

    if (!reader_skip(&reader, 4) || !reader_u32(&reader, &length) ||
        length < ACPI_HEADER_BYTES || length > ACPI_MAX_TABLE_BYTES)
        return 0;
    return length;
}

bool acpi_sdt_is_whole(const void *bytes, size_t length_bytes, const char *signature,
                       struct input_error *error)
{
    struct reader reader = reader_of(bytes, length_bytes);
    uint32_t stated = 0;

    if (length_bytes < ACPI_HEADER_BYTES || !reader_skip(&reader, 4) ||
        !reader_u32(&reader, &stated)) {
        input_error_set(error, PLACE_NONE, 0,
                        "table %s has %zu bytes, but its header alone has %d: it is cut", signature,
                        length_bytes, ACPI_HEADER_BYTES);
        return false;
    }
    if (stated < ACPI_HEADER_BYTES || stated > length_bytes) {
        input_error_set(error, PLACE_NONE, 0,
                        "table %s states a length of %u bytes, but %zu are there", signature, stated,
                        length_bytes);
        return false;
    }
    return true;
}

bool acpi_sdt_open(struct acpi_sdt *sdt, const void *bytes, size_t length_bytes,
                   const char *signature, uint32_t fixed_bytes, struct input_error *error)
{
    struct reader reader = reader_of(bytes, length_bytes);

    *sdt = (struct acpi_sdt){.bytes = bytes};
    if (!reader_copy(&reader, sdt->signature, 4) || !reader_u32(&reader, &sdt->length_bytes) ||
        !reader_u8(&reader, &sdt->revision) || !reader_skip(&reader, 1) ||
        !reader_copy(&reader, sdt->oem_id, 6) || !reader_copy(&reader, sdt->oem_table_id, 8)) {
        input_error_set(error, PLACE_OFFSET, 0, "%zu bytes are no %s table: its header has %d",
                        length_bytes, signature, ACPI_HEADER_BYTES);
        return false;
    }
    if (memcmp(sdt->signature, signature, 4) != 0) {
        input_error_set(error, PLACE_OFFSET, 0, "this is not a table %s", signature);
        return false;
    }
    if (sdt->length_bytes < fixed_bytes || sdt->length_bytes > length_bytes) {
        input_error_set(error, PLACE_OFFSET, 4,
                        "%s states a length of %u bytes; its fixed part has %u, and %zu are there",
                        signature, sdt->length_bytes, fixed_bytes, length_bytes);
        return false;
    }
    sdt->has_good_checksum = acpi_sdt_sum_is_zero(bytes, sdt->length_bytes);
    sdt->rest = reader_of(bytes, sdt->length_bytes);
    return reader_skip(&sdt->rest, fixed_bytes);
}

enum acpi_step acpi_sdt_next(struct acpi_sdt *sdt, struct acpi_entry *entry,
                             struct input_error *error)
{
    struct reader head = sdt->rest;
    uint32_t offset = (uint32_t)head.offset_bytes;
    uint8_t length = 0;

    /* No type has entries that short: what is left is padding. */
    if (reader_left_bytes(&head) <= 2)
        return ACPI_END;
    if (!reader_u8(&head, &entry->type) || !reader_u8(&head, &length) || length < 2) {
        input_error_set(error, PLACE_OFFSET, offset,
                        "%s: the entry at offset 0x%x has a length of %u: the walk would never end",
                        sdt->signature, offset, length);
        return ACPI_BROKEN;
    }
    if (!reader_sub(&sdt->rest, length, &entry->body)) {
        input_error_set(error, PLACE_OFFSET, offset,
                        "%s: the entry at offset 0x%x has %u bytes, but the table ends after %zu",
                        sdt->signature, offset, length, reader_left_bytes(&sdt->rest));
        return ACPI_BROKEN;
    }
    entry->length_bytes = length;
    entry->offset = offset;
    return ACPI_ENTRY;
}

bool acpi_root_open(struct acpi_root *root, const void *bytes, size_t length_bytes,
                    uint64_t own_address, struct input_error *error)
{
    bool is_xsdt = length_bytes >= 4 && memcmp(bytes, "XSDT", 4) == 0;

    *root = (struct acpi_root){.own_address = own_address, .entry_bytes = is_xsdt ? 8 : 4};
    return acpi_sdt_open(&root->sdt, bytes, length_bytes, is_xsdt ? "XSDT" : "RSDT",
                         ACPI_HEADER_BYTES, error);
}

static bool read_root_entry(struct reader *reader, uint32_t entry_bytes, uint64_t *address)
{
    uint32_t low;

    if (entry_bytes == 8)
        return reader_u64(reader, address);
    if (!reader_u32(reader, &low))
        return false;
    *address = low;
    return true;
}

/* Looked up in the table itself: no memory is needed for what was given already. */
static bool was_given(const struct acpi_root *root, size_t end_offset, uint64_t address)
{
    struct reader earlier = reader_of(root->sdt.bytes, end_offset);
    uint64_t other;

    if (!reader_skip(&earlier, ACPI_HEADER_BYTES))
        return false;
    while (read_root_entry(&earlier, root->entry_bytes, &other))
        if (other == address)
            return true;
    return false;
}

enum acpi_step acpi_root_next(struct acpi_root *root, uint64_t *address,
                              struct input_error *error)
{
    struct reader *rest = &root->sdt.rest;

    for (;;) {
        size_t offset = rest->offset_bytes;

        if ((offset - ACPI_HEADER_BYTES) / root->entry_bytes >= ACPI_MAX_ROOT_ENTRIES) {
            input_error_set(error, PLACE_OFFSET, offset, "%s lists more than %d tables",
                            root->sdt.signature, ACPI_MAX_ROOT_ENTRIES);
            return ACPI_BROKEN;
        }
        if (!read_root_entry(rest, root->entry_bytes, address)) {
            if (reader_left_bytes(rest) == 0)
                return ACPI_END;
            input_error_set(error, PLACE_OFFSET, offset, "%s ends within an entry of %u bytes",
                            root->sdt.signature, root->entry_bytes);
            return ACPI_BROKEN;
        }
        if (*address != 0 && *address != root->own_address && !was_given(root, offset, *address))
            return ACPI_ENTRY;
        root->skipped_count++;
    }
}

bool acpi_address_read(struct reader *reader, struct acpi_address *address)
{
    struct reader next = *reader;

    if (!reader_u8(&next, &address->space) || !reader_u8(&next, &address->bit_width) ||
        !reader_u8(&next, &address->bit_offset) || !reader_u8(&next, &address->access_size) ||
        !reader_u64(&next, &address->address))
        return false;
    *reader = next;
    return true;
}
