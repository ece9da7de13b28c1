/* The volume that the options come from and the report goes to. */
#ifndef BOOT_EFI_EFI_VOLUME_H
#define BOOT_EFI_EFI_VOLUME_H

#include "boot/efi/efi_boot.h"

/* The application: the volume it was loaded from. */
void efi_volume_of_application(struct efi_boot *boot);

/* GRUB: the volume GRUB was loaded from or any other, if it has a \coretruth\ folder. */
void efi_volume_of_medium(struct efi_boot *boot);

/* Reads coretruth.cfg, or the words that came over the network, into `text`, NUL-terminated;
 * empty when there is none. False: there is one, but it is too long or unreadable, and this
 * was said. */
bool efi_volume_read_config(struct efi_boot *boot, char *text, size_t capacity);

/* Writes a file to the reports' folder and deletes it again: whether the report can be saved
 * is known before the run. boot->info.save_problem gets the reason why not. */
void efi_volume_test(struct efi_boot *boot);

/* Writes the files to a new folder \coretruth\reports\DATE-TIME-NNN\. `outcome` gets one
 * sentence for the report's last lines. */
EFI_STATUS efi_volume_save(struct efi_boot *boot, const struct boot_result *result,
                           char *outcome, size_t capacity);

#endif
