/* Any bytes as a Multiboot2 information: strings end, copies fit, and a screen
 * that is taken can be drawn on. */
#include <stdlib.h>
#include <string.h>

#include "boot/info/multiboot2.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static struct boot_info info;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct multiboot2 tags;
    struct input_error error = {0};
    const struct boot_framebuffer *screen = &info.framebuffer;

    memset(&info, 0, sizeof(info));
    if (!multiboot2_read(bytes, length, &tags, &info, &error) && !error.text[0])
        abort();
    if (!memchr(info.cmdline, '\0', sizeof(info.cmdline)) ||
        !memchr(info.loader, '\0', sizeof(info.loader)) ||
        info.rsdp_copy_bytes > sizeof(info.rsdp_copy))
        abort();
    if (screen->kind != BOOT_PIXEL_NONE &&
        (!screen->address || !screen->width || !screen->height ||
         screen->pitch_bytes < (uint64_t)screen->width * ((screen->bits_per_pixel + 7) / 8)))
        abort();
    return 0;
}
