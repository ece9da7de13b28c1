/* The tags a Multiboot2 loader hands over, and what of them becomes boot_info. */
#ifndef BOOT_INFO_MULTIBOOT2_H
#define BOOT_INFO_MULTIBOOT2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/info/boot_info.h"
#include "kernel/lib/input_error.h"

enum { MULTIBOOT2_MOST_BYTES = 16 << 20 }; /* a longer information is not believed */

/* What boot/ needs beyond boot_info; the bytes lie in the information itself. */
struct multiboot2 {
    const uint8_t *e820;           /* entries of tag 6, NULL: no such tag */
    uint32_t e820_bytes, e820_entry_bytes;
    const uint8_t *efi_map;        /* descriptors of tag 17, NULL: no such tag */
    uint32_t efi_map_bytes, efi_descriptor_bytes, efi_descriptor_version;
    uint64_t efi_system_table;     /* tag 12, physical; 0: not booted by 64-bit UEFI */
    uint64_t efi_image_handle;     /* tag 20 */
    bool are_boot_services_running;/* tag 18 */
    bool has_load_base;
    uint32_t load_base;            /* tag 21 */
};

/* Bytes of the whole information, from its first eight; 0: not believable. */
uint32_t multiboot2_stated_length(const void *information);

/* Fills *tags and, in *info, the command line, loader name, framebuffer, RSDP copy
 * and (from whichever map is there, EFI first) the ranges. The rest of *info is
 * left alone. False with *error: a tag that does not fit, no end tag, or no memory
 * map; what stood before it is filled in. */
bool multiboot2_read(const void *information, size_t length_bytes, struct multiboot2 *tags,
                     struct boot_info *info, struct input_error *error);

#endif
