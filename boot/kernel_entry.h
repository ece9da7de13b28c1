/* The one 64-bit entry of the kernel, for the loaders in boot/. */
#ifndef BOOT_KERNEL_ENTRY_H
#define BOOT_KERNEL_ENTRY_H

#include "boot/info/boot_info.h"

/* Called at the physical load address on an identity map that covers the image, `info`,
 * the granted memory below 4 GiB and the caller's stack. Returns the physical address of
 * the result, with the caller's CPU state restored. NULL: no memory for page tables.
 * With another info->call than BOOT_CALL_RUN it must have run before, and returns NULL. */
__attribute__((sysv_abi)) struct boot_result *kernel_entry(const struct boot_info *info);

extern const uint8_t image_start[], image_end[];

#endif
