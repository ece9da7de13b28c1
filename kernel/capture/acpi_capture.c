/* RSDP, root table, and everything the root table lists, each as it lay in memory. */
#include "kernel/capture/acpi_capture.h"

#include <string.h>

#include "kernel/capture/acpi_memory.h"
#include "kernel/facts/acpi_sdt.h"

/* Behind the header of the FADT. [acpi 5.2.9] */
enum { FADT_DSDT_AT = 40, FADT_X_DSDT_AT = 140 };

struct copier {
    struct machine_facts *facts;
    struct acpi_capture *outcome;
    struct arena *arena;
};

static const struct acpi_table *add(struct copier *copier, const char *signature,
                                    uint64_t address, const uint8_t *bytes, uint32_t length)
{
    struct machine_facts *facts = copier->facts;
    bool has_room = facts->table_count < ACPI_CAPTURE_MAX_TABLES;
    uint8_t *copy = has_room ? arena_alloc(copier->arena, length, 1, 8) : NULL;

    if (copy == NULL) {
        copier->outcome->dropped_count++;
        return NULL;
    }
    memcpy(copy, bytes, length);
    struct acpi_table *table = &facts->tables[facts->table_count++];
    *table = (struct acpi_table){.address = address, .bytes = copy, .length_bytes = length};
    strncpy(table->signature, signature, sizeof(table->signature) - 1);
    return table;
}

static bool holds_aml(const char *signature)
{
    return strcmp(signature, "DSDT") == 0 || strcmp(signature, "SSDT") == 0 ||
           strcmp(signature, "PSDT") == 0;
}

static bool is_printable(const char *signature)
{
    for (uint32_t i = 0; i < 4; i++)
        if (signature[i] < 0x20 || signature[i] > 0x7E)
            return false;
    return true;
}

static uint32_t length_to_copy(struct copier *copier, const char *signature, uint32_t stated)
{
    if (holds_aml(signature))
        return ACPI_HEADER_BYTES;
    if (stated <= ACPI_CAPTURE_MAX_TABLE_BYTES)
        return stated;
    copier->outcome->cut_count++;
    return ACPI_CAPTURE_MAX_TABLE_BYTES;
}

static const struct acpi_table *copy_table(struct copier *copier, uint64_t address)
{
    char signature[5] = {0};
    const uint8_t *header = acpi_memory(address, ACPI_HEADER_BYTES), *bytes = NULL;
    uint32_t length = header != NULL ? acpi_sdt_stated_length(header) : 0;

    if (length != 0) {
        memcpy(signature, header, 4);
        length = length_to_copy(copier, signature, length);
        bytes = is_printable(signature) ? acpi_memory(address, length) : NULL;
    }
    if (bytes == NULL) {
        copier->outcome->unreadable_count++;
        return NULL;
    }
    return add(copier, signature, address, bytes, length);
}

static void copy_listed(struct copier *copier, const struct acpi_table *table)
{
    struct acpi_capture *outcome = copier->outcome;
    struct acpi_root root;
    uint64_t address;
    enum acpi_step step = ACPI_BROKEN;

    if (acpi_root_open(&root, table->bytes, table->length_bytes, table->address,
                       &outcome->root_error))
        while ((step = acpi_root_next(&root, &address, &outcome->root_error)) == ACPI_ENTRY)
            copy_table(copier, address);
    outcome->is_root_broken = step == ACPI_BROKEN;
}

/* The DSDT is found through the FADT only. */
static void copy_dsdt(struct copier *copier)
{
    const struct acpi_table *fadt = facts_table(copier->facts, "FACP");
    struct reader near, far;
    uint32_t low = 0;
    uint64_t address = 0;

    if (fadt == NULL)
        return;
    near = far = reader_of(fadt->bytes, fadt->length_bytes);
    if (reader_skip(&far, FADT_X_DSDT_AT))
        reader_u64(&far, &address);
    if (address == 0 && reader_skip(&near, FADT_DSDT_AT) && reader_u32(&near, &low))
        address = low;
    if (address != 0)
        copy_table(copier, address);
}

static bool has_rsdp(struct copier *copier, uint64_t address, const uint8_t *bytes,
                     uint32_t length)
{
    struct acpi_rsdp *rsdp = &copier->outcome->rsdp;

    if (bytes == NULL || length == 0)
        return false;
    acpi_rsdp_parse(rsdp, bytes, length);
    if (rsdp->state == ACPI_RSDP_NONE)
        return false;
    /* Revision 0 is 20 bytes long, whatever lies behind it. */
    bool has_second_part = rsdp->revision >= 2 && length >= ACPI_RSDP_V2_BYTES;
    add(copier, "RSD PTR ", address, bytes,
        has_second_part ? ACPI_RSDP_V2_BYTES : ACPI_RSDP_V1_BYTES);
    return true;
}

static bool has_rsdp_at(struct copier *copier, uint64_t address)
{
    return has_rsdp(copier, address, acpi_memory(address, ACPI_RSDP_V2_BYTES),
                    ACPI_RSDP_V2_BYTES);
}

/* Where the loader says, the copy it handed over, or where a BIOS puts it. */
static bool find_rsdp(struct copier *copier, const struct boot_info *info)
{
    copier->outcome->rsdp.state = ACPI_RSDP_NONE;
    if (has_rsdp_at(copier, info->rsdp_address))
        return true;
    copier->outcome->is_rsdp_from_copy =
        has_rsdp(copier, 0, info->rsdp_copy, info->rsdp_copy_bytes);
    return copier->outcome->is_rsdp_from_copy ||
           has_rsdp_at(copier, acpi_memory_find_rsdp());
}

bool acpi_capture(struct machine_facts *facts, const struct boot_info *info, struct arena *arena,
                  struct acpi_capture *outcome)
{
    struct copier copier = {facts, outcome, arena};
    const struct acpi_table *root = NULL;

    *outcome = (struct acpi_capture){0};
    facts->table_count = 0;
    facts->tables = ARENA_NEW(arena, struct acpi_table, ACPI_CAPTURE_MAX_TABLES);
    if (facts->tables == NULL)
        return false;
    if (find_rsdp(&copier, info) && outcome->rsdp.state != ACPI_RSDP_NO_ROOT)
        root = copy_table(&copier, outcome->rsdp.root_address);
    if (root != NULL) {
        copy_listed(&copier, root);
        copy_dsdt(&copier);
    }
    return !arena->is_exhausted;
}
