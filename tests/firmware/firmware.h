/* What the parts of the test firmware share: an application that spoils what the machine's
 * firmware made, as a line of \EFI\BOOT\firmware.cfg says, and then starts coretruth.efi. */
#ifndef TESTS_FIRMWARE_FIRMWARE_H
#define TESTS_FIRMWARE_FIRMWARE_H

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct firmware {
    EFI_SYSTEM_TABLE *system;
    EFI_BOOT_SERVICES *services;
    EFI_FILE_HANDLE root;       /* of the volume that it was loaded from */
};

/* The folder's file NAME, below 4 GiB. False: it is not there. */
bool firmware_read(const struct firmware *firmware, const char *name, uint8_t **bytes,
                   uint32_t *length_bytes);

/* One defect by its word: docs in acpi.c. False: there is no such defect, no such table, or
 * no file of that name to take a table's place. */
bool acpi_break(const struct firmware *firmware, const char *word);

/* paging.asm: leaves long mode, loads both registers and enters it again. */
void paging_switch(uint64_t cr3, uint64_t cr4);

#endif
