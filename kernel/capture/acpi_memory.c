/* Tables lie in RAM that the loader's map lists, in RAM that it does not list, and in
 * ROM. What the direct map does not have is mapped like a device. */
#include "kernel/capture/acpi_memory.h"

#include <stddef.h>
#include <string.h>

#include "kernel/cpu/physmap.h"
#include "kernel/lib/reader.h"

enum {
    RSDP_ALIGN = 16,
    RSDP_V1_BYTES = 20,
    EBDA_SEGMENT_AT = 0x40E,
    EBDA_SEARCH_BYTES = 1024,
    BIOS_ROM_START = 0xE0000,
    BIOS_ROM_END = 0x100000,
};
#define PHYSICAL_LIMIT (UINT64_C(1) << 52)

const uint8_t *acpi_memory(uint64_t physical, uint64_t bytes)
{
    if (physical == 0 || bytes == 0 || physical >= PHYSICAL_LIMIT || bytes > PHYSICAL_LIMIT)
        return NULL;
    if (physmap_is_readable(physical, bytes))
        return physmap(physical);
    return physmap_device(physical, bytes, PHYSMAP_UNCACHED);
}

static uint64_t find_in(uint64_t start, uint64_t end)
{
    const uint8_t *bytes = acpi_memory(start, end - start);

    for (uint64_t at = 0; bytes != NULL && at + RSDP_V1_BYTES <= end - start; at += RSDP_ALIGN) {
        uint8_t sum = 0;

        if (memcmp(bytes + at, "RSD PTR ", 8) != 0)
            continue;
        for (uint32_t i = 0; i < RSDP_V1_BYTES; i++)
            sum = (uint8_t)(sum + bytes[at + i]);
        if (sum == 0)
            return start + at;
    }
    return 0;
}

/* The first KiB of the extended BIOS data area, then the BIOS ROM. [acpi 5.2.5.1] */
uint64_t acpi_memory_find_rsdp(void)
{
    const uint8_t *word = acpi_memory(EBDA_SEGMENT_AT, 2);
    struct reader reader = reader_of(word, word != NULL ? 2 : 0);
    uint16_t segment = 0;
    uint64_t found = 0;

    if (reader_u16(&reader, &segment) && segment >= 0x8000)
        found = find_in((uint64_t)segment << 4, ((uint64_t)segment << 4) + EBDA_SEARCH_BYTES);
    return found != 0 ? found : find_in(BIOS_ROM_START, BIOS_ROM_END);
}
