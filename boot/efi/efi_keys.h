/* Keys of the firmware's console: a start menu, and pages after the run. Nothing waits
 * without a bound. */
#ifndef BOOT_EFI_EFI_KEYS_H
#define BOOT_EFI_EFI_KEYS_H

#include "boot/efi/efi_boot.h"

/* The next key as a character within the bound: 'b' for keys that go back or up, Escape as
 * 27, others as they are or a blank. 0: none came, or the firmware has no keyboard. */
char efi_keys_wait(struct efi_boot *boot, uint32_t bound_ms);

#endif
