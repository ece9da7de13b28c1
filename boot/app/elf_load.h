/* Puts the embedded kernel.elf into memory. */
#ifndef BOOT_APP_ELF_LOAD_H
#define BOOT_APP_ELF_LOAD_H

#include "boot/efi/efi_boot.h"

/* Fills boot->kernel. */
EFI_STATUS elf_load(struct efi_boot *boot);
void elf_unload(struct efi_boot *boot);

#endif
