/* Memory from the firmware: what we take, and the map of all of it. */
#ifndef BOOT_EFI_EFI_MEMORY_H
#define BOOT_EFI_EFI_MEMORY_H

#include "boot/efi/efi_boot.h"

/* One page below 1 MiB that stays reserved for good: stopped CPUs halt in it. */
EFI_STATUS efi_memory_take_trampoline(struct efi_boot *boot);

/* Takes free memory with AllocatePages. Left to the firmware: everything below 1 MiB, and
 * of the largest free range below 4 GiB an eighth of all that is free there, at least
 * 32 MiB and at most 256 MiB (quiet=exit: 8 MiB), but never more than half of the range. */
EFI_STATUS efi_memory_take(struct efi_boot *boot);

/* Gives back what efi_memory_take() took. */
void efi_memory_give_back(struct efi_boot *boot);

/* Reads the memory map and turns it into boot->info.ranges: granted is what was taken. */
EFI_STATUS efi_memory_read_map(struct efi_boot *boot);
/* False: the map's descriptors have a size that cannot be. */
bool efi_memory_fill_ranges(struct efi_boot *boot);

#endif
