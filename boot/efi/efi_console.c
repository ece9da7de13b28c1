/* ConOut with a fall-back to COM1: many machines have their firmware console only on the
 * screen. The serial line is polled with a bound and left as it was set up. */
#include "boot/efi/efi_console.h"

enum {
    COM1 = 0x3f8,
    COM1_LINE_STATUS = COM1 + 5,
    LINE_STATUS_EMPTY = 0x20,
    LINE_STATUS_ABSENT = 0xff,
    READY_POLLS = 100000,
    LINE_CHARS = 200,
};

static uint8_t port_in(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void serial_put(char c)
{
    for (uint32_t polls = 0; polls < READY_POLLS; polls++) {
        uint8_t status = port_in(COM1_LINE_STATUS);
        if (status == LINE_STATUS_ABSENT)
            return;
        if (status & LINE_STATUS_EMPTY) {
            __asm__ volatile("outb %0, %1" : : "a"(c), "Nd"((uint16_t)COM1));
            return;
        }
    }
}

static void put(const struct efi_boot *boot, const char *text)
{
    CHAR16 line[LINE_CHARS];
    size_t length = 0;
    for (; text[length] && length < LINE_CHARS - 1; length++) {
        line[length] = (CHAR16)(unsigned char)text[length];
        serial_put(text[length]);
    }
    line[length] = 0;
    if (!boot->has_exited && boot->system->ConOut)
        boot->system->ConOut->OutputString(boot->system->ConOut, line);
}

void efi_console_say(const struct efi_boot *boot, const char *text)
{
    put(boot, "coretruth: ");
    put(boot, text);
    put(boot, "\r\n");
}

void efi_console_say_status(const struct efi_boot *boot, const char *text, EFI_STATUS status)
{
    put(boot, "coretruth: ");
    put(boot, text);
    put(boot, ": ");
    put(boot, efi_status_text(status));
    put(boot, "\r\n");
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
