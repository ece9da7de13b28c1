/* The C side of the UEFI entry from GRUB. */
#ifndef BOOT_GRUB_EFI_GRUB_H
#define BOOT_GRUB_EFI_GRUB_H

/* Called by entry.asm at the physical address with the Multiboot2 information. Comes back
 * only when there is no UEFI firmware to go on with. */
void boot_efi_grub(const void *information);

#endif
