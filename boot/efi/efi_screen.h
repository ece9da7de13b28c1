/* The framebuffer behind the firmware's graphics output. */
#ifndef BOOT_EFI_EFI_SCREEN_H
#define BOOT_EFI_EFI_SCREEN_H

#include "boot/efi/efi_boot.h"

/* Fills boot->info.framebuffer; leaves BOOT_PIXEL_NONE where there is none to write to. */
void efi_screen_find(struct efi_boot *boot);

#endif
