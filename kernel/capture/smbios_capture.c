/* The entry point is named by the UEFI system table, or lies in the BIOS ROM. */
#include "kernel/capture/smbios_capture.h"

#include "kernel/capture/acpi_memory.h"

/* [DMTF DSP0134 5.2.1] */
enum { ROM_START = 0xF0000, ROM_END = 0x100000, ENTRY_ALIGN = 16 };

static bool read_entry(struct smbios_entry *entry, uint64_t address)
{
    const uint8_t *bytes = acpi_memory(address, SMBIOS_ENTRY_BYTES);

    return bytes != NULL && smbios_entry_parse(entry, bytes, SMBIOS_ENTRY_BYTES);
}

static bool search(struct smbios_entry *entry)
{
    const uint8_t *rom = acpi_memory(ROM_START, ROM_END - ROM_START);

    for (uint32_t at = 0; rom != NULL && at + SMBIOS_ENTRY_BYTES <= ROM_END - ROM_START;
         at += ENTRY_ALIGN)
        if (smbios_entry_parse(entry, rom + at, SMBIOS_ENTRY_BYTES))
            return true;
    return false;
}

void smbios_capture(struct machine_facts *facts, uint64_t entry_address)
{
    struct smbios_entry entry;
    const uint8_t *table;

    if (entry_address != 0 ? !read_entry(&entry, entry_address) : !search(&entry))
        return;
    if (entry.table_bytes > SMBIOS_MAX_TABLE_BYTES)
        entry.table_bytes = SMBIOS_MAX_TABLE_BYTES;
    table = acpi_memory(entry.table_address, entry.table_bytes);
    if (table != NULL)
        smbios_parse(&facts->smbios, &entry, table, entry.table_bytes);
}
