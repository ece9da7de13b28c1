/* ConOut with a fall-back to COM1: many machines have their firmware console only on the
 * screen. The serial line is polled with a bound and left as it was set up. */
#include "boot/efi/efi_console.h"

#include "boot/info/loader_text.h"

enum {
    COM1 = 0x3f8,
    COM1_LINE_STATUS = COM1 + 5,
    LINE_STATUS_RECEIVED = 0x01,
    LINE_STATUS_EMPTY = 0x20,
    LINE_STATUS_ABSENT = 0xff,
    READY_POLLS = 100000,
    LINE_CHARS = 240,
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

bool efi_console_poll(char *character)
{
    uint8_t status = port_in(COM1_LINE_STATUS);
    if (status == LINE_STATUS_ABSENT || !(status & LINE_STATUS_RECEIVED))
        return false;
    *character = (char)port_in(COM1);
    return true;
}

/* The whole line to the one, then to the other: the firmware's console may be the same
 * serial line, and half lines would mix. */
static void put_line(const struct efi_boot *boot, const char *text)
{
    CHAR16 wide[LINE_CHARS];
    loader_text_widen(wide, LINE_CHARS, text);
    for (const char *c = text; *c; c++)
        serial_put(*c);
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
