/* The sorted list of ranges in boot_info, and the one operation on it. */
#ifndef BOOT_INFO_RANGE_LIST_H
#define BOOT_INFO_RANGE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/info/boot_info.h"

/* Lays `range` over the list. What is there is replaced where its kind is in
 * `over_kinds` (bit i: enum boot_range_kind i) and kept elsewhere; holes are
 * filled when `fills_holes`. When the list is full, memory is taken away from
 * what is granted, never added to it, and info->dropped_ranges counts. */
void range_list_lay(struct boot_info *info, const struct boot_range *range, uint32_t over_kinds,
                    bool fills_holes);

/* Joins neighbours of one kind and attribute. */
void range_list_join(struct boot_info *info);

/* Shrinks granted ranges to whole pages and drops empty ones; returns how many
 * were not page-aligned. */
uint32_t range_list_trim_granted(struct boot_info *info);

#endif
