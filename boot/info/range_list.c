/* Ranges are kept sorted and without overlap at every step, so that a map that
 * is unsorted, overlapping or longer than the list needs no second buffer. */
#include "boot/info/range_list.h"

#include <string.h>

enum { PAGE_BYTES = 4096 };

static bool has_room(const struct boot_info *info)
{
    return info->range_count < BOOT_INFO_MAX_RANGES;
}

static void insert_at(struct boot_info *info, uint32_t index, const struct boot_range *range)
{
    memmove(&info->ranges[index + 1], &info->ranges[index],
            (info->range_count - index) * sizeof(info->ranges[0]));
    info->ranges[index] = *range;
    info->range_count++;
}

static void remove_at(struct boot_info *info, uint32_t index)
{
    info->range_count--;
    memmove(&info->ranges[index], &info->ranges[index + 1],
            (info->range_count - index) * sizeof(info->ranges[0]));
}

/* The first range that ends above `address`. */
static uint32_t first_ending_above(const struct boot_info *info, uint64_t address)
{
    uint32_t low = 0, high = info->range_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (info->ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Fills the hole [start, end) before ranges[index]; returns the index of what
 * comes after the hole. */
static uint32_t fill_hole(struct boot_info *info, uint32_t index, const struct boot_range *range,
                          uint64_t start, uint64_t end)
{
    struct boot_range piece = *range;

    if (!has_room(info)) {
        info->dropped_ranges++;
        return index;
    }
    piece.start = start;
    piece.end = end;
    insert_at(info, index, &piece);
    return index + 1;
}

/* No room for the pieces: a range that would be granted is left out, and one
 * that restricts still cuts what it covers, but is not listed. */
static uint32_t cut_without_room(struct boot_info *info, uint32_t index,
                                 const struct boot_range *range)
{
    struct boot_range *old = &info->ranges[index];

    info->dropped_ranges++;
    if (range->kind == BOOT_RANGE_GRANTED)
        return index + 1;
    if (old->start < range->start)
        old->end = range->start;
    else
        old->start = range->end;
    return index + 1;
}

/* Replaces the part of ranges[index] that `range` covers; returns the index of
 * the range after it. */
static uint32_t replace_part(struct boot_info *info, uint32_t index,
                             const struct boot_range *range)
{
    struct boot_range old = info->ranges[index], piece = *range;
    uint32_t pieces = 1 + (old.start < range->start) + (old.end > range->end);

    if (info->range_count + pieces - 1 > BOOT_INFO_MAX_RANGES)
        return cut_without_room(info, index, range);
    if (old.start < range->start) {
        info->ranges[index].end = range->start;
        piece.end = old.end < range->end ? old.end : range->end;
        insert_at(info, ++index, &piece);
    } else {
        piece.start = old.start;
        piece.end = old.end < range->end ? old.end : range->end;
        info->ranges[index] = piece;
    }
    if (old.end > range->end) {
        old.start = range->end;
        insert_at(info, ++index, &old);
    }
    return index + 1;
}

void range_list_lay(struct boot_info *info, const struct boot_range *range, uint32_t over_kinds,
                    bool fills_holes)
{
    uint64_t cursor = range->start;
    uint32_t index = first_ending_above(info, cursor);

    while (cursor < range->end) {
        bool is_hole = index >= info->range_count || info->ranges[index].start > cursor;
        uint64_t next = is_hole && index >= info->range_count ? range->end
                        : is_hole                             ? info->ranges[index].start
                                                              : info->ranges[index].end;

        if (next > range->end)
            next = range->end;
        if (is_hole && fills_holes)
            index = fill_hole(info, index, range, cursor, next);
        else if (!is_hole && (over_kinds >> info->ranges[index].kind & 1))
            index = replace_part(info, index, range);
        else if (!is_hole)
            index++;
        cursor = next;
    }
}

void range_list_join(struct boot_info *info)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < info->range_count; i++) {
        struct boot_range *last = &info->ranges[kept], *next = &info->ranges[i];

        if (last->end == next->start && last->kind == next->kind &&
            last->efi_attribute == next->efi_attribute)
            last->end = next->end;
        else
            info->ranges[++kept] = *next;
    }
    if (info->range_count)
        info->range_count = kept + 1;
}

uint32_t range_list_trim_granted(struct boot_info *info)
{
    uint32_t trimmed = 0;

    for (uint32_t i = info->range_count; i-- > 0;) {
        struct boot_range *range = &info->ranges[i];
        uint64_t start = range->start, end = range->end & ~(uint64_t)(PAGE_BYTES - 1);

        if (range->kind != BOOT_RANGE_GRANTED)
            continue;
        if (start % PAGE_BYTES)
            start = start > UINT64_MAX - PAGE_BYTES ? end
                                                    : (start | (PAGE_BYTES - 1)) + 1;
        trimmed += start != range->start || end != range->end;
        range->start = start;
        range->end = end;
        if (start >= end)
            remove_at(info, i);
    }
    return trimmed;
}
