/* RSDP, root table, and everything the root table lists, each as it lay in memory. */
#include "kernel/capture/acpi_capture.h"

#include <string.h>

#include "kernel/capture/acpi_memory.h"
#include "kernel/lib/reader.h"

enum {
    RSDP_V1_BYTES = 20,
    RSDP_V2_BYTES = 36,
    RSDP_REVISION_AT = 15,
    RSDP_RSDT_AT = 16,
    RSDP_XSDT_AT = 24,
    TABLE_HEADER_BYTES = 36,
    TABLE_LENGTH_AT = 4,
    FADT_DSDT_AT = 40,
    FADT_X_DSDT_AT = 140,
};

struct copier {
    struct machine_facts *facts;
    struct acpi_capture *outcome;
    struct arena *arena;
};

static bool is_sum_zero(const uint8_t *bytes, uint32_t length)
{
    uint8_t sum = 0;

    for (uint32_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum == 0;
}

/* The field, or 0 where the bytes end before it. */
static uint64_t field(const uint8_t *bytes, uint32_t length, uint32_t at, uint32_t width)
{
    struct reader reader = reader_of(bytes, length);
    uint64_t wide = 0;
    uint32_t narrow = 0;

    if (!reader_skip(&reader, at))
        return 0;
    if (width == 8)
        return reader_u64(&reader, &wide) ? wide : 0;
    return reader_u32(&reader, &narrow) ? narrow : 0;
}

static const struct acpi_table *add(struct copier *copier, const char *signature,
                                    uint64_t address, const uint8_t *bytes, uint32_t length)
{
    struct machine_facts *facts = copier->facts;

    if (facts->table_count == ACPI_CAPTURE_MAX_TABLES) {
        copier->outcome->dropped_count++;
        return NULL;
    }
    uint8_t *copy = arena_alloc(copier->arena, length, 1, 8);
    if (copy == NULL) {
        copier->outcome->dropped_count++;
        return NULL;
    }
    memcpy(copy, bytes, length);
    struct acpi_table *table = &facts->tables[facts->table_count++];
    *table = (struct acpi_table){.address = address, .bytes = copy, .length_bytes = length};
    memcpy(table->signature, signature, strnlen(signature, sizeof(table->signature) - 1));
    return table;
}

static bool holds_aml(const uint8_t *signature)
{
    return memcmp(signature, "DSDT", 4) == 0 || memcmp(signature, "SSDT", 4) == 0 ||
           memcmp(signature, "PSDT", 4) == 0;
}

static bool is_printable(const uint8_t *signature)
{
    for (uint32_t i = 0; i < 4; i++)
        if (signature[i] < 0x20 || signature[i] > 0x7E)
            return false;
    return true;
}

static bool is_known(const struct machine_facts *facts, uint64_t address)
{
    for (uint32_t i = 0; i < facts->table_count; i++)
        if (facts->tables[i].address == address)
            return true;
    return false;
}

static const struct acpi_table *copy_table(struct copier *copier, uint64_t address)
{
    char signature[5] = {0};
    const uint8_t *header = acpi_memory(address, TABLE_HEADER_BYTES);
    uint64_t length = header != NULL ? field(header, TABLE_HEADER_BYTES, TABLE_LENGTH_AT, 4) : 0;

    if (length < TABLE_HEADER_BYTES || !is_printable(header)) {
        copier->outcome->unreadable_count++;
        return NULL;
    }
    memcpy(signature, header, 4);
    if (holds_aml(header))
        length = TABLE_HEADER_BYTES;
    if (length > ACPI_CAPTURE_MAX_TABLE_BYTES) {
        copier->outcome->cut_count++;
        length = ACPI_CAPTURE_MAX_TABLE_BYTES;
    }
    const uint8_t *bytes = acpi_memory(address, length);
    if (bytes == NULL) {
        copier->outcome->unreadable_count++;
        return NULL;
    }
    return add(copier, signature, address, bytes, (uint32_t)length);
}

static void copy_listed(struct copier *copier, const struct acpi_table *root, uint32_t width)
{
    for (uint32_t at = TABLE_HEADER_BYTES; at + width <= root->length_bytes; at += width) {
        uint64_t address = field(root->bytes, root->length_bytes, at, width);

        if (address == 0 || is_known(copier->facts, address))
            continue;
        copy_table(copier, address);
    }
}

/* The DSDT is found through the FADT only. */
static void copy_dsdt(struct copier *copier)
{
    const struct acpi_table *fadt = facts_table(copier->facts, "FACP");

    if (fadt == NULL)
        return;
    uint64_t address = field(fadt->bytes, fadt->length_bytes, FADT_X_DSDT_AT, 8);
    if (address == 0)
        address = field(fadt->bytes, fadt->length_bytes, FADT_DSDT_AT, 4);
    if (address != 0 && !is_known(copier->facts, address))
        copy_table(copier, address);
}

/* The second part counts only when the revision says it is there, it is whole, its sum is
 * right and it names an XSDT. [acpi 5.2.5.3] */
static void copy_from_rsdp(struct copier *copier, const struct acpi_table *rsdp)
{
    struct acpi_capture *outcome = copier->outcome;
    bool is_v2 = rsdp->bytes[RSDP_REVISION_AT] >= 2;
    uint64_t xsdt = field(rsdp->bytes, rsdp->length_bytes, RSDP_XSDT_AT, 8);

    outcome->uses_xsdt = is_v2 && rsdp->length_bytes >= RSDP_V2_BYTES && xsdt != 0 &&
                         is_sum_zero(rsdp->bytes, RSDP_V2_BYTES);
    outcome->is_extension_bad = is_v2 && !outcome->uses_xsdt;
    uint64_t address = outcome->uses_xsdt
                           ? xsdt
                           : field(rsdp->bytes, rsdp->length_bytes, RSDP_RSDT_AT, 4);
    const struct acpi_table *root = copy_table(copier, address);

    if (root == NULL)
        return;
    copy_listed(copier, root, outcome->uses_xsdt ? 8 : 4);
    copy_dsdt(copier);
}

/* Revision 0 is 20 bytes long, whatever lies behind it. */
static const struct acpi_table *add_rsdp(struct copier *copier, uint64_t address,
                                         const uint8_t *bytes, uint32_t length)
{
    if (bytes == NULL || length < RSDP_V1_BYTES || memcmp(bytes, "RSD PTR ", 8) != 0 ||
        !is_sum_zero(bytes, RSDP_V1_BYTES))
        return NULL;
    bool has_more = bytes[RSDP_REVISION_AT] >= 2 && length >= RSDP_V2_BYTES;
    return add(copier, "RSD PTR ", address, bytes, has_more ? RSDP_V2_BYTES : RSDP_V1_BYTES);
}

static const struct acpi_table *add_rsdp_at(struct copier *copier, uint64_t address)
{
    const uint8_t *bytes = address != 0 ? acpi_memory(address, RSDP_V2_BYTES) : NULL;

    return add_rsdp(copier, address, bytes, RSDP_V2_BYTES);
}

bool acpi_capture(struct machine_facts *facts, const struct boot_info *info, struct arena *arena,
                  struct acpi_capture *outcome)
{
    struct copier copier = {facts, outcome, arena};

    *outcome = (struct acpi_capture){0};
    facts->table_count = 0;
    facts->tables = ARENA_NEW(arena, struct acpi_table, ACPI_CAPTURE_MAX_TABLES);
    if (facts->tables == NULL)
        return false;
    const struct acpi_table *rsdp = add_rsdp_at(&copier, info->rsdp_address);
    if (rsdp == NULL) {
        rsdp = add_rsdp(&copier, 0, info->rsdp_copy, info->rsdp_copy_bytes);
        outcome->is_rsdp_from_copy = rsdp != NULL;
    }
    if (rsdp == NULL)
        rsdp = add_rsdp_at(&copier, acpi_memory_find_rsdp());
    outcome->has_rsdp = rsdp != NULL;
    if (rsdp != NULL)
        copy_from_rsdp(&copier, rsdp);
    return !arena->is_exhausted;
}
