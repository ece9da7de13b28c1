/* ConOut with a fall-back to COM1: many machines have their firmware console only on the
 * screen. The serial line is polled with a bound and left as it was set up. */
#include "boot/efi/efi_console.h"

#include "boot/com1.h"
#include "boot/info/loader_text.h"

enum { LINE_CHARS = 240 };

bool efi_console_poll(char *character)
{
    static const uint16_t ports[] = { COM1, 0x2f8, 0x3e8, 0x2e8 }; /* the legacy four */
    for (unsigned i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        uint8_t status = com1_read((uint16_t)(ports[i] + COM1_LINE_STATUS - COM1));
        if ((status & COM1_RECEIVED_OR_BROKEN) == COM1_RECEIVED) {
            *character = (char)com1_read(ports[i]);
            return true;
        }
    }
    return false;
}

/* The whole line to the one, then to the other: the firmware's console may be the same
 * serial line, and half lines would mix. */
static void put_line(const struct efi_boot *boot, const char *text)
{
    CHAR16 wide[LINE_CHARS];
    loader_text_widen(wide, LINE_CHARS, text);
    for (const char *c = text; *c; c++)
        com1_put(*c);
    if (!boot->has_exited && boot->system->ConOut)
        boot->system->ConOut->OutputString(boot->system->ConOut, wide);
}

void efi_console_say(const struct efi_boot *boot, const char *text)
{
    char line[LINE_CHARS] = "";
    loader_text_append(line, LINE_CHARS - 2, "coretruth: ");
    loader_text_append(line, LINE_CHARS - 2, text);
    loader_text_append(line, LINE_CHARS, "\r\n");
    put_line(boot, line);
}

void efi_console_say_status(const struct efi_boot *boot, const char *text, EFI_STATUS status)
{
    char line[LINE_CHARS] = "";
    loader_text_append(line, LINE_CHARS, text);
    loader_text_append(line, LINE_CHARS, ": ");
    loader_text_append(line, LINE_CHARS, efi_status_text(status));
    efi_console_say(boot, line);
}

const char *efi_status_text(EFI_STATUS status)
{
    /* Not a table of pointers: this code runs where it was loaded, not where it was linked. */
    if (status == EFI_SUCCESS)
        return "success";
    if (status == EFI_VOLUME_FULL)
        return "the volume is full";
    if (status == EFI_WRITE_PROTECTED)
        return "the volume is write-protected";
    if (status == EFI_NO_MEDIA || status == EFI_MEDIA_CHANGED)
        return "the medium was removed";
    if (status == EFI_VOLUME_CORRUPTED)
        return "the file system is damaged";
    if (status == EFI_DEVICE_ERROR)
        return "the device reports an error";
    if (status == EFI_ACCESS_DENIED)
        return "access is denied";
    if (status == EFI_OUT_OF_RESOURCES)
        return "the firmware has no memory left";
    if (status == EFI_NOT_FOUND)
        return "not found";
    if (status == EFI_INVALID_PARAMETER)
        return "invalid parameter";
    if (status == EFI_UNSUPPORTED)
        return "not supported";
    return "the firmware refused";
}
