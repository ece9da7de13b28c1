/* ConIn, polled: its event would need a timer beside it. [uefi 12.3] */
#include "boot/efi/efi_keys.h"

#include "boot/efi/efi_console.h"

enum {
    POLL_MS = 20, US_OF_MS = 1000,
    KEY_UP = 1, KEY_LEFT = 4, KEY_PAGE_UP = 9, KEY_ESCAPE = 0x17, /* [uefi B.1] */
    CHARACTER_ESCAPE = 27, CHARACTER_BACKSPACE = 8, LAST_ASCII = 0x7e,
};

static char character_of(const EFI_INPUT_KEY *key)
{
    if (key->ScanCode == KEY_ESCAPE || key->UnicodeChar == CHARACTER_ESCAPE)
        return CHARACTER_ESCAPE;
    if (key->ScanCode == KEY_UP || key->ScanCode == KEY_LEFT || key->ScanCode == KEY_PAGE_UP ||
        key->UnicodeChar == CHARACTER_BACKSPACE)
        return 'b';
    return key->UnicodeChar > ' ' && key->UnicodeChar <= LAST_ASCII ? (char)key->UnicodeChar
                                                                    : ' ';
}

char efi_keys_wait(struct efi_boot *boot, uint32_t bound_ms)
{
    SIMPLE_INPUT_INTERFACE *input = boot->system->ConIn;
    EFI_INPUT_KEY key;
    char character;

    if (!input)
        return 0;
    for (uint32_t waited_ms = 0; waited_ms <= bound_ms; waited_ms += POLL_MS) {
        if (input->ReadKeyStroke(input, &key) == EFI_SUCCESS)
            return character_of(&key);
        if (efi_console_poll(&character))
            return character;
        boot->services->Stall(POLL_MS * US_OF_MS);
    }
    return 0;
}
