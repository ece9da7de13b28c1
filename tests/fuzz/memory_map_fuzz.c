/* Any bytes as a memory map: what is granted is sorted, in whole pages, and no
 * entry that is not RAM shares a byte with it. */
#include <stdlib.h>
#include <string.h>

#include "boot/info/memory_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static struct boot_info info;

static void check_sorted(void)
{
    if (info.range_count > BOOT_INFO_MAX_RANGES)
        abort();
    for (uint32_t i = 0; i < info.range_count; i++) {
        const struct boot_range *range = &info.ranges[i];

        if (range->start >= range->end || (i && range[-1].end > range->start))
            abort();
        if (range->kind == BOOT_RANGE_GRANTED &&
            (range->start % MEMORY_MAP_PAGE_BYTES || range->end % MEMORY_MAP_PAGE_BYTES))
            abort();
    }
}

static void check_nothing_but_ram_is_granted(const uint8_t *map, size_t length, uint32_t step)
{
    for (size_t at = 0; at + step <= length; at += step) {
        uint64_t start, size, end;
        uint32_t type;

        memcpy(&start, map + at, 8);
        memcpy(&size, map + at + 8, 8);
        memcpy(&type, map + at + 16, 4);
        if (__builtin_add_overflow(start, size, &end))
            end = UINT64_MAX;
        for (uint32_t i = 0; type != 1 && size && i < info.range_count; i++)
            if (info.ranges[i].kind == BOOT_RANGE_GRANTED && info.ranges[i].start < end &&
                start < info.ranges[i].end)
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint32_t step;
    uint64_t start, end;

    if (length < 17)
        return 0;
    step = bytes[0];
    memcpy(&start, bytes + 1, 8);
    memcpy(&end, bytes + 9, 8);
    if (memory_map_from_e820(&info, bytes + 17, length - 17, step)) {
        check_sorted();
        check_nothing_but_ram_is_granted(bytes + 17, length - 17, step);
        memory_map_take(&info, start, end, BOOT_RANGE_KERNEL);
        check_sorted();
        check_nothing_but_ram_is_granted(bytes + 17, length - 17, step);
    }
    if (memory_map_from_efi(&info, bytes + 17, length - 17, step, false)) {
        check_sorted();
        if (memory_map_bytes(&info, BOOT_RANGE_GRANTED))
            abort();
        memory_map_grant(&info, start, end);
        check_sorted();
    }
    if (memory_map_from_efi(&info, bytes + 17, length - 17, step, true))
        check_sorted();
    return 0;
}
