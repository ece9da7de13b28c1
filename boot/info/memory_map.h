/* Turns a firmware's memory map into boot_info's ranges: sorted, without
 * overlap, the more restrictive kind winning, granted memory in whole pages. */
#ifndef BOOT_INFO_MEMORY_MAP_H
#define BOOT_INFO_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/info/boot_info.h"

enum { MEMORY_MAP_PAGE_BYTES = 4096 };

/* [uefi 7.2] */
enum memory_map_efi_type {
    EFI_TYPE_RESERVED = 0,
    EFI_TYPE_LOADER_CODE = 1,
    EFI_TYPE_LOADER_DATA = 2,
    EFI_TYPE_BOOT_SERVICES_CODE = 3,
    EFI_TYPE_BOOT_SERVICES_DATA = 4,
    EFI_TYPE_RUNTIME_SERVICES_CODE = 5,
    EFI_TYPE_RUNTIME_SERVICES_DATA = 6,
    EFI_TYPE_CONVENTIONAL = 7,
    EFI_TYPE_UNUSABLE = 8,
    EFI_TYPE_ACPI_RECLAIM = 9,
    EFI_TYPE_ACPI_NVS = 10,
    EFI_TYPE_PERSISTENT = 14,
    EFI_TYPE_UNACCEPTED = 15,
};

#define EFI_ATTRIBUTE_NON_VOLATILE     0x8000ull
#define EFI_ATTRIBUTE_SPECIFIC_PURPOSE 0x40000ull
#define EFI_ATTRIBUTE_RUNTIME          (1ull << 63)

/* Replaces info's ranges by an E820 map: entries of base, length (8 bytes each)
 * and type (4 bytes), `entry_bytes` apart. Fills info->map_repairs. False, and no
 * ranges at all: the size of an entry is below 20, or `length_bytes` is not a
 * multiple of it. */
bool memory_map_from_e820(struct boot_info *info, const void *bytes, size_t length_bytes,
                          uint32_t entry_bytes);

/* The same from an EFI memory map, whose step is the firmware's descriptor size
 * (at least 40). While boot services run, what they and the loader use stays
 * BOOT_RANGE_FIRMWARE, and so does free memory: see memory_map_grant. */
bool memory_map_from_efi(struct boot_info *info, const void *bytes, size_t length_bytes,
                         uint32_t descriptor_bytes, bool have_boot_services_ended);

/* Memory that the firmware's allocator gave us: what lies in it as
 * BOOT_RANGE_FIRMWARE is granted. */
void memory_map_grant(struct boot_info *info, uint64_t start, uint64_t end);

/* Granted memory in the pages of start … end is in use by us (the image, the
 * trampoline): it becomes `kind` and is not given out any more. */
void memory_map_take(struct boot_info *info, uint64_t start, uint64_t end,
                     enum boot_range_kind kind);

/* The range that holds the address, or NULL. */
const struct boot_range *memory_map_find(const struct boot_info *info, uint64_t address);

/* Every byte of start … end is granted or ours. */
bool memory_map_is_writable(const struct boot_info *info, uint64_t start, uint64_t end);

/* Bytes of all ranges of that kind. */
uint64_t memory_map_bytes(const struct boot_info *info, enum boot_range_kind kind);

/* "granted", "kernel", "firmware" … for reports. */
const char *memory_map_kind_name(enum boot_range_kind kind);

#endif
