/* The start menu of the application. */
#ifndef BOOT_APP_MENU_H
#define BOOT_APP_MENU_H

#include "boot/efi/efi_boot.h"

/* Options of the entry that was chosen, or of the first when no key came in time. */
const char *menu_choose(struct efi_boot *boot);

#endif
