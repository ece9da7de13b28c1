/* Options of an application that came over the network, by the firmware's PXE. */
#ifndef BOOT_EFI_EFI_NETWORK_H
#define BOOT_EFI_EFI_NETWORK_H

#include "boot/efi/efi_boot.h"

/* Reads options-MAC.cfg, else options.cfg, from beside the boot file on the server that it came
 * from, and keeps their words in boot->network_words. Without PXE over IPv4 on `device` nothing
 * happens; that no file could be had is said, and the run goes on. The firmware's own bounds
 * of TFTP hold: after a server that does not answer nothing else is asked of it. */
void efi_network_read_words(struct efi_boot *boot, EFI_HANDLE device);

#endif
