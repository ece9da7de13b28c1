/* The C side of the BIOS entry. */
#ifndef BOOT_BIOS_BIOS_H
#define BOOT_BIOS_BIOS_H

/* Called by entry.asm at the physical address with the Multiboot2 information; does not
 * return. */
void boot_bios(const void *multiboot2) __attribute__((noreturn));

#endif
