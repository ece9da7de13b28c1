/* What the UEFI loader's parts share: the same code serves the application and GRUB. */
#ifndef BOOT_EFI_EFI_BOOT_H
#define BOOT_EFI_EFI_BOOT_H

#include <efi.h>

#include "boot/info/boot_info.h"

enum {
    EFI_BOOT_MAX_TAKEN = 256,
    EFI_BOOT_PATH_CHARS = 260,
    EFI_BOOT_CONFIG_BYTES = 16384,
};

/* The kernel image in memory, and the way in. */
struct efi_kernel {
    uint64_t physical, bytes;
    __attribute__((sysv_abi)) struct boot_result *(*enter)(const struct boot_info *info);
};

struct efi_taken {
    uint64_t start, pages;
};

/* One value for a whole boot; large, so it lives in allocated pages. */
struct efi_boot {
    EFI_HANDLE image;
    EFI_SYSTEM_TABLE *system;
    EFI_BOOT_SERVICES *services;
    struct efi_kernel kernel;
    bool has_exited;               /* ExitBootServices was called */

    EFI_HANDLE volume;             /* NULL: no volume for the report */
    CHAR16 config_path[EFI_BOOT_PATH_CHARS];
    char network_words[BOOT_INFO_CMDLINE_BYTES]; /* without a volume: in place of coretruth.cfg */

    struct efi_taken taken[EFI_BOOT_MAX_TAKEN];
    uint32_t taken_count;
    uint8_t *map;                  /* EFI memory map */
    UINTN map_capacity, map_bytes, map_key, descriptor_bytes;

    struct boot_info info;
};

/* The whole boot: memory, screen, volume, kernel, files. `cmdline` is what the loader was
 * given; the configuration file's text comes before it. Returns when the firmware goes on. */
void efi_run(struct efi_boot *boot, const char *cmdline);

/* Pages for a struct efi_boot, zeroed. NULL: no memory. */
struct efi_boot *efi_boot_new(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

#endif
