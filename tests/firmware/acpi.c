/* Breaks ACPI tables where the firmware put them. */
#include <string.h>

#include "tests/firmware/firmware.h"

enum { MOST_ROOTS = 4, HEADER_BYTES = 36, RSDP_BYTES = 20, RSDP_2_BYTES = 36, MOST_TABLES = 64 };
#define NOWHERE 0xfedcb000u
#define NEARLY_4G 0xfffffff0u

/* An RSDT or an XSDT. */
struct root {
    uint8_t *bytes;
    uint32_t entry_bytes;
};

static uint8_t *rsdps[MOST_ROOTS];
static struct root roots[MOST_ROOTS];
static unsigned rsdp_count, root_count;

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

static void set_sum(uint8_t *bytes, uint32_t length, uint8_t *at)
{
    uint8_t sum = 0;
    *at = 0;
    for (uint32_t i = 0; i < length; i++)
        sum += bytes[i];
    *at = (uint8_t)-sum;
}

static void set_rsdp_sums(uint8_t *rsdp)
{
    set_sum(rsdp, RSDP_BYTES, rsdp + 8);
    if (rsdp[15] >= 2)
        set_sum(rsdp, RSDP_2_BYTES, rsdp + 32);
}

static void add_root(uint64_t address, uint32_t entry_bytes)
{
    if (address && root_count < MOST_ROOTS)
        roots[root_count++] = (struct root){(uint8_t *)address, entry_bytes};
}

/* Before anything is broken: afterwards the ways do not lead there any more. */
static void find(const struct firmware *firmware)
{
    static const EFI_GUID guids[] = {ACPI_TABLE_GUID, ACPI_20_TABLE_GUID};
    const EFI_SYSTEM_TABLE *system = firmware->system;

    if (root_count)
        return;
    for (UINTN i = 0; i < system->NumberOfTableEntries * 2; i++) {
        const EFI_CONFIGURATION_TABLE *entry = &system->ConfigurationTable[i / 2];
        if (memcmp(&entry->VendorGuid, &guids[i % 2], sizeof(EFI_GUID)) ||
            rsdp_count == MOST_ROOTS / 2)
            continue;
        rsdps[rsdp_count++] = entry->VendorTable;
    }
    for (unsigned i = 0; i < rsdp_count; i++) {
        add_root(get(rsdps[i] + 16, 4), 4);
        if (rsdps[i][15] >= 2)
            add_root(get(rsdps[i] + 24, 8), 8);
    }
}

static uint32_t entry_count(const struct root *root)
{
    uint32_t bytes = (uint32_t)get(root->bytes + 4, 4);
    return bytes < HEADER_BYTES ? 0 : (bytes - HEADER_BYTES) / root->entry_bytes;
}

static void put(const struct root *root, uint32_t index, const void *table)
{
    uint64_t address = (uint64_t)table;
    memcpy(root->bytes + HEADER_BYTES + index * root->entry_bytes, &address, root->entry_bytes);
    set_sum(root->bytes, (uint32_t)get(root->bytes + 4, 4), root->bytes + 9);
}

/* Every entry, or those that lead to `signature`, lead to `table` now; NULL: to the root itself. */
static bool redirect(const char *signature, const void *table)
{
    bool has_changed = false;

    for (unsigned i = 0; i < root_count; i++) {
        uint32_t count = entry_count(&roots[i]);
        for (uint32_t k = 0; k < count && k < MOST_TABLES; k++) {
            const uint8_t *at = roots[i].bytes + HEADER_BYTES + k * roots[i].entry_bytes;
            if (signature && memcmp((const void *)get(at, roots[i].entry_bytes), signature, 4))
                continue;
            put(&roots[i], k, table ? table : roots[i].bytes);
            has_changed = true;
        }
    }
    return has_changed;
}

static const void *table_of(const char *signature)
{
    for (uint32_t k = 0; root_count && k < entry_count(&roots[0]); k++) {
        const uint8_t *at = roots[0].bytes + HEADER_BYTES + k * roots[0].entry_bytes;
        const void *table = (const void *)get(at, roots[0].entry_bytes);
        if (!memcmp(table, signature, 4))
            return table;
    }
    return NULL;
}

static bool set_root_length(uint32_t length)
{
    for (unsigned i = 0; i < root_count; i++)
        memcpy(roots[i].bytes + 4, &length, 4);
    return root_count;
}

static bool rsdp_bad_sum(void)
{
    for (unsigned i = 0; i < rsdp_count; i++)
        rsdps[i][8] ^= 0x55;
    return rsdp_count;
}

static bool rsdp_nowhere(void)
{
    const uint64_t nowhere = NOWHERE;
    for (unsigned i = 0; i < rsdp_count; i++) {
        memcpy(rsdps[i] + 16, &nowhere, 4);
        if (rsdps[i][15] >= 2)
            memcpy(rsdps[i] + 24, &nowhere, 8);
        set_rsdp_sums(rsdps[i]);
    }
    return rsdp_count;
}

static bool root_loop(void)
{
    return redirect(NULL, NULL);
}

static bool root_length_0(void)
{
    return set_root_length(0);
}

static bool root_length_4g(void)
{
    return set_root_length(NEARLY_4G);
}

static bool madt_missing(void)
{
    const void *other = table_of("FACP");
    return other && redirect("APIC", other);
}

static bool replace(const struct firmware *firmware, const char *word)
{
    uint8_t *table;
    uint32_t bytes;
    if (!firmware_read(firmware, word, &table, &bytes) || bytes < HEADER_BYTES)
        return false;
    if (table_of((const char *)table))
        return redirect((const char *)table, table);
    return redirect("HPET", table); /* one that nobody asks for gives way */
}

bool acpi_break(const struct firmware *firmware, const char *word)
{
    static const struct { const char *word; bool (*apply)(void); } defects[] = {
        {"rsdp-bad-sum", rsdp_bad_sum},   {"rsdp-nowhere", rsdp_nowhere},
        {"root-loop", root_loop},         {"root-length-0", root_length_0},
        {"root-length-4g", root_length_4g}, {"madt-missing", madt_missing},
    };
    find(firmware);
    for (unsigned i = 0; i < sizeof defects / sizeof defects[0]; i++) {
        size_t length = 0;
        while (defects[i].word[length] && defects[i].word[length] == word[length])
            length++;
        if (!defects[i].word[length] && !word[length])
            return defects[i].apply();
    }
    return replace(firmware, word);
}
