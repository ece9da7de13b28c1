/* Binary search in the table that host/scripts/symbols writes: addresses relative to the
 * image ascending, each with the place of its name. */
#include "kernel/cpu/symbols.h"

#include <stddef.h>

#include "kernel/cpu/layout.h"
#include "kernel/cpu/symbols_table.h"

const char *symbols_find(uint64_t address, uint64_t *offset_bytes)
{
    uint64_t start = (uint64_t)(uintptr_t)image_start;
    if (address < start || address >= (uint64_t)(uintptr_t)image_rodata)
        return NULL;
    uint64_t wanted = address - start;
    uint32_t low = 0, high = symbols_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (symbols_addresses[middle].offset_bytes <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    *offset_bytes = wanted - symbols_addresses[low - 1].offset_bytes;
    return symbols_names + symbols_addresses[low - 1].name;
}
