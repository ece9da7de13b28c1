/* Graphics Output Protocol to boot_framebuffer [uefi 12.9]. The mode stays as it is: the
 * firmware chose the panel's own. */
#include "boot/efi/efi_screen.h"

static void set_masks(struct boot_framebuffer *target, uint32_t red, uint32_t green,
                      uint32_t blue)
{
    target->red_shift = (uint8_t)__builtin_ctz(red);
    target->red_bits = (uint8_t)__builtin_popcount(red);
    target->green_shift = (uint8_t)__builtin_ctz(green);
    target->green_bits = (uint8_t)__builtin_popcount(green);
    target->blue_shift = (uint8_t)__builtin_ctz(blue);
    target->blue_bits = (uint8_t)__builtin_popcount(blue);
}

/* A mask of red, green, blue and reserved bits: the highest says how wide a pixel is. */
static uint8_t bits_of(const EFI_PIXEL_BITMASK *masks)
{
    uint32_t all = masks->RedMask | masks->GreenMask | masks->BlueMask | masks->ReservedMask;

    return (uint8_t)((32 - __builtin_clz(all) + 7) & ~7);
}

void efi_screen_find(struct efi_boot *boot)
{
    static const EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
    EFI_GRAPHICS_OUTPUT_PROTOCOL *output = NULL;
    struct boot_framebuffer *target = &boot->info.framebuffer;

    target->kind = BOOT_PIXEL_NONE;
    target->bits_per_pixel = 32;
    if (boot->services->LocateProtocol((EFI_GUID *)&guid, NULL, (void **)&output) != EFI_SUCCESS ||
        !output->Mode || !output->Mode->Info || !output->Mode->FrameBufferBase)
        return;
    const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *mode = output->Mode->Info;
    switch (mode->PixelFormat) {
    case PixelRedGreenBlueReserved8BitPerColor:
        set_masks(target, 0x0000ff, 0x00ff00, 0xff0000);
        break;
    case PixelBlueGreenRedReserved8BitPerColor:
        set_masks(target, 0xff0000, 0x00ff00, 0x0000ff);
        break;
    case PixelBitMask:
        if (!mode->PixelInformation.RedMask || !mode->PixelInformation.GreenMask ||
            !mode->PixelInformation.BlueMask)
            return;
        set_masks(target, mode->PixelInformation.RedMask, mode->PixelInformation.GreenMask,
                  mode->PixelInformation.BlueMask);
        target->bits_per_pixel = bits_of(&mode->PixelInformation);
        break;
    default: /* PixelBltOnly: nothing to write to */
        return;
    }
    target->kind = BOOT_PIXEL_RGB;
    target->address = output->Mode->FrameBufferBase;
    target->width = mode->HorizontalResolution;
    target->height = mode->VerticalResolution;
    target->pitch_bytes = mode->PixelsPerScanLine * target->bits_per_pixel / 8;
}
