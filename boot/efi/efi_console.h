/* Lines for a person before and after the kernel: firmware's console and COM1. */
#ifndef BOOT_EFI_EFI_CONSOLE_H
#define BOOT_EFI_EFI_CONSOLE_H

#include "boot/efi/efi_boot.h"

/* Prints "coretruth: ", the text and an end of line. */
void efi_console_say(const struct efi_boot *boot, const char *text);

/* The same with what a status means: "text: volume is full". */
void efi_console_say_status(const struct efi_boot *boot, const char *text, EFI_STATUS status);

/* A few words for the statuses that file and memory services return. */
const char *efi_status_text(EFI_STATUS status);

/* A character that came in over COM1 to COM4 and that the firmware did not take. Never waits. */
bool efi_console_poll(char *character);

#endif
