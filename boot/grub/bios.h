/* The C side of the BIOS entry. */
#ifndef BOOT_GRUB_BIOS_H
#define BOOT_GRUB_BIOS_H

/* Called by entry.asm at the physical address with the Multiboot2 information. Comes back
 * only when the kernel could not be entered. */
void boot_bios(const void *information);

#endif
