/* Which memory may be written. A program that overwrites all the RAM it is
 * given must take the narrowest reading of a bad map: anything but RAM wins, and
 * memory with a second purpose (runtime, persistent, specific-purpose, not
 * accepted yet) is never granted. */
#include "boot/info/memory_map.h"

#include <string.h>

#include "boot/info/range_list.h"
#include "kernel/lib/reader.h"

enum {
    E820_ENTRY_BYTES = 20,
    EFI_DESCRIPTOR_BYTES = 40,
    /* ACPI address range types. [acpi 15] */
    E820_RAM = 1, E820_ACPI = 3, E820_NVS = 4, E820_PERSISTENT = 7, E820_PERSISTENT_OLD = 12,
};
#define E820_SOFT_RESERVED 0xEFFFFFFFu /* what Linux calls specific-purpose memory */

/* Who wins where two kinds overlap: the higher one. */
static const uint8_t restriction[] = {
    [BOOT_RANGE_GRANTED] = 0,
    [BOOT_RANGE_KERNEL] = 1,
    [BOOT_RANGE_FIRMWARE] = 2,
    [BOOT_RANGE_ACPI] = 3,
    [BOOT_RANGE_SPECIAL] = 4,
    [BOOT_RANGE_PERSISTENT] = 5,
    [BOOT_RANGE_RESERVED] = 6,
};
enum { KIND_COUNT = sizeof(restriction) };

/* Reads the next entry of a map; false at the end. */
typedef bool (*entry_reader)(struct reader *map, uint32_t entry_bytes, bool flag,
                             struct boot_range *range);

static uint64_t end_of(uint64_t start, uint64_t length)
{
    uint64_t end;

    return __builtin_add_overflow(start, length, &end) ? UINT64_MAX : end;
}

static enum boot_range_kind e820_kind(uint32_t type)
{
    switch (type) {
    case E820_RAM:
        return BOOT_RANGE_GRANTED;
    case E820_ACPI:
    case E820_NVS:
        return BOOT_RANGE_ACPI;
    case E820_PERSISTENT:
    case E820_PERSISTENT_OLD:
        return BOOT_RANGE_PERSISTENT;
    case E820_SOFT_RESERVED:
        return BOOT_RANGE_SPECIAL;
    default:
        return BOOT_RANGE_RESERVED;
    }
}

static bool read_e820_entry(struct reader *map, uint32_t entry_bytes, bool flag,
                            struct boot_range *range)
{
    struct reader entry;
    uint64_t length;

    (void)flag;
    *range = (struct boot_range){0};
    if (!reader_sub(map, entry_bytes, &entry) || !reader_u64(&entry, &range->start) ||
        !reader_u64(&entry, &length) || !reader_u32(&entry, &range->source_type))
        return false;
    range->end = end_of(range->start, length);
    range->kind = e820_kind(range->source_type);
    return true;
}

/* `have_ended`: ExitBootServices was called. */
static enum boot_range_kind efi_kind(uint32_t type, uint64_t attribute, bool have_ended)
{
    switch (type) {
    case EFI_TYPE_LOADER_CODE:
    case EFI_TYPE_LOADER_DATA:
    case EFI_TYPE_BOOT_SERVICES_CODE:
    case EFI_TYPE_BOOT_SERVICES_DATA:
    case EFI_TYPE_CONVENTIONAL:
        if (attribute & EFI_ATTRIBUTE_NON_VOLATILE)
            return BOOT_RANGE_PERSISTENT;
        if (attribute & EFI_ATTRIBUTE_SPECIFIC_PURPOSE)
            return BOOT_RANGE_SPECIAL;
        if ((attribute & EFI_ATTRIBUTE_RUNTIME) || !have_ended)
            return BOOT_RANGE_FIRMWARE;
        return BOOT_RANGE_GRANTED;
    case EFI_TYPE_RUNTIME_SERVICES_CODE:
    case EFI_TYPE_RUNTIME_SERVICES_DATA:
        return BOOT_RANGE_FIRMWARE;
    case EFI_TYPE_ACPI_RECLAIM:
    case EFI_TYPE_ACPI_NVS:
        return BOOT_RANGE_ACPI;
    case EFI_TYPE_PERSISTENT:
        return BOOT_RANGE_PERSISTENT;
    case EFI_TYPE_UNACCEPTED:
        return BOOT_RANGE_SPECIAL;
    default:
        return BOOT_RANGE_RESERVED;
    }
}

static bool read_efi_entry(struct reader *map, uint32_t entry_bytes, bool have_ended,
                           struct boot_range *range)
{
    struct reader entry;
    uint64_t pages, length;

    *range = (struct boot_range){0};
    if (!reader_sub(map, entry_bytes, &entry) || !reader_u32(&entry, &range->source_type) ||
        !reader_skip(&entry, 4) || !reader_u64(&entry, &range->start) || !reader_skip(&entry, 8) ||
        !reader_u64(&entry, &pages) || !reader_u64(&entry, &range->efi_attribute))
        return false;
    if (__builtin_mul_overflow(pages, (uint64_t)MEMORY_MAP_PAGE_BYTES, &length))
        length = UINT64_MAX;
    range->end = end_of(range->start, length);
    range->kind = efi_kind(range->source_type, range->efi_attribute, have_ended);
    return true;
}

/* Kinds that `kind` may replace. */
static uint32_t weaker_kinds(enum boot_range_kind kind)
{
    uint32_t kinds = 0;

    for (unsigned i = 0; i < KIND_COUNT; i++)
        if (restriction[i] < restriction[kind])
            kinds |= 1u << i;
    return kinds;
}

static bool overlaps_any(const struct boot_info *info, const struct boot_range *range)
{
    for (uint32_t i = 0; i < info->range_count; i++)
        if (info->ranges[i].start < range->end && range->start < info->ranges[i].end)
            return true;
    return false;
}

/* What a person is told was wrong with the map. */
static void note_repairs(struct boot_info *info, const struct boot_range *range,
                         uint64_t last_start)
{
    struct boot_map_repairs *repairs = &info->map_repairs;

    repairs->unsorted += range->start < last_start;
    repairs->empty += range->start >= range->end;
    repairs->endless += range->end == UINT64_MAX;
    repairs->overlapping += overlaps_any(info, range);
}

/* RAM first: when the list is full, what follows can then only take away. RAM
 * that reaches the end of the address space is a broken entry, not memory. */
static void lay_all(struct boot_info *info, struct reader map, uint32_t entry_bytes, bool flag,
                    entry_reader read, bool lays_ram)
{
    struct boot_range range;
    uint64_t last_start = 0;

    while (read(&map, entry_bytes, flag, &range)) {
        bool is_ram = range.kind == BOOT_RANGE_GRANTED;

        if (is_ram == lays_ram) {
            note_repairs(info, &range, last_start);
            if (range.start < range.end && !(is_ram && range.end == UINT64_MAX))
                range_list_lay(info, &range, weaker_kinds(range.kind), true);
        }
        last_start = range.start;
    }
}

static bool load_map(struct boot_info *info, const void *bytes, size_t length_bytes,
                     uint32_t entry_bytes, uint32_t smallest_bytes, bool flag, entry_reader read)
{
    struct reader map = reader_of(bytes, length_bytes);

    info->range_count = 0;
    info->dropped_ranges = 0;
    memset(&info->map_repairs, 0, sizeof(info->map_repairs));
    if (entry_bytes < smallest_bytes || length_bytes % entry_bytes != 0)
        return false;
    lay_all(info, map, entry_bytes, flag, read, true);
    range_list_join(info);
    lay_all(info, map, entry_bytes, flag, read, false);
    range_list_join(info);
    info->map_repairs.unaligned = range_list_trim_granted(info);
    return true;
}

bool memory_map_from_e820(struct boot_info *info, const void *bytes, size_t length_bytes,
                          uint32_t entry_bytes)
{
    return load_map(info, bytes, length_bytes, entry_bytes, E820_ENTRY_BYTES, false,
                    read_e820_entry);
}

bool memory_map_from_efi(struct boot_info *info, const void *bytes, size_t length_bytes,
                         uint32_t descriptor_bytes, bool have_boot_services_ended)
{
    return load_map(info, bytes, length_bytes, descriptor_bytes, EFI_DESCRIPTOR_BYTES,
                    have_boot_services_ended, read_efi_entry);
}

static uint64_t page_down(uint64_t address)
{
    return address & ~(uint64_t)(MEMORY_MAP_PAGE_BYTES - 1);
}

static uint64_t page_up(uint64_t address)
{
    uint64_t end = end_of(address, MEMORY_MAP_PAGE_BYTES - 1);

    return page_down(end);
}

/* Only whole pages are granted: a page that is ours in part is not ours. */
void memory_map_grant(struct boot_info *info, uint64_t start, uint64_t end)
{
    struct boot_range range = {.start = page_up(start), .end = page_down(end),
                               .kind = BOOT_RANGE_GRANTED,
                               .source_type = EFI_TYPE_LOADER_DATA};
    const struct boot_range *old = memory_map_find(info, range.start);

    if (old)
        range.efi_attribute = old->efi_attribute;
    range_list_lay(info, &range, 1u << BOOT_RANGE_FIRMWARE, false);
    range_list_join(info);
    range_list_trim_granted(info); /* a firmware's range may begin within a page */
}

void memory_map_take(struct boot_info *info, uint64_t start, uint64_t end,
                     enum boot_range_kind kind)
{
    struct boot_range range = {.start = page_down(start), .end = page_up(end), .kind = kind};
    const struct boot_range *old = memory_map_find(info, range.start);

    if (old) {
        range.source_type = old->source_type;
        range.efi_attribute = old->efi_attribute;
    }
    range_list_lay(info, &range, 1u << BOOT_RANGE_GRANTED, false);
    range_list_join(info);
}

const struct boot_range *memory_map_find(const struct boot_info *info, uint64_t address)
{
    for (uint32_t i = 0; i < info->range_count; i++)
        if (info->ranges[i].start <= address && address < info->ranges[i].end)
            return &info->ranges[i];
    return NULL;
}

bool memory_map_is_writable(const struct boot_info *info, uint64_t start, uint64_t end)
{
    while (start < end) {
        const struct boot_range *range = memory_map_find(info, start);

        if (!range || (range->kind != BOOT_RANGE_GRANTED && range->kind != BOOT_RANGE_KERNEL))
            return false;
        start = range->end;
    }
    return true;
}

uint64_t memory_map_bytes(const struct boot_info *info, enum boot_range_kind kind)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < info->range_count; i++)
        if (info->ranges[i].kind == kind)
            bytes += info->ranges[i].end - info->ranges[i].start;
    return bytes;
}

const char *memory_map_kind_name(enum boot_range_kind kind)
{
    static const char names[KIND_COUNT][12] = {
        [BOOT_RANGE_GRANTED] = "granted",   [BOOT_RANGE_KERNEL] = "kernel",
        [BOOT_RANGE_FIRMWARE] = "firmware", [BOOT_RANGE_ACPI] = "acpi",
        [BOOT_RANGE_RESERVED] = "reserved", [BOOT_RANGE_PERSISTENT] = "persistent",
        [BOOT_RANGE_SPECIAL] = "special",
    };
    return names[kind];
}
