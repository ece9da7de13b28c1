/* Files of one volume. */
#ifndef BOOT_EFI_EFI_FILE_H
#define BOOT_EFI_EFI_FILE_H

#include "boot/efi/efi_boot.h"

/* Opens or, with EFI_FILE_MODE_CREATE, makes a file or folder. NULL: *status (may be NULL)
 * says why. */
EFI_FILE *efi_file_open(struct efi_boot *boot, EFI_HANDLE volume, const CHAR16 *path,
                        uint64_t mode, uint64_t attributes, EFI_STATUS *status);

/* Label in ASCII, whether the volume can be written and what is free on it. False: it is no file system. */
bool efi_file_describe_volume(struct efi_boot *boot, EFI_HANDLE volume, char *label,
                              size_t capacity, bool *is_read_only,
                              uint64_t *free_bytes);

/* Writes a new file, checked to the last byte and flushed. */
EFI_STATUS efi_file_write(struct efi_boot *boot, EFI_HANDLE volume, const CHAR16 *path,
                          const void *bytes, uint64_t length_bytes);

EFI_STATUS efi_file_delete(struct efi_boot *boot, EFI_HANDLE volume, const CHAR16 *path);

#endif
