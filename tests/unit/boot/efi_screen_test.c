/* Tests boot/efi/efi_screen.c on the modes of tests/cases/framebuffer-kinds: the right
 * outcomes are those of its README. */
#include "boot/efi/efi_screen.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit_test.h"

static EFI_GRAPHICS_OUTPUT_MODE_INFORMATION information;
static EFI_GRAPHICS_OUTPUT_PROTOCOL_MODE mode = {.Info = &information};
static EFI_GRAPHICS_OUTPUT_PROTOCOL output = {.Mode = &mode};

static bool is_headless;

static EFI_STATUS EFIAPI locate(EFI_GUID *protocol, void *registration, void **found)
{
    (void)protocol;
    (void)registration;
    *found = &output;
    return is_headless ? EFI_NOT_FOUND : EFI_SUCCESS;
}

static EFI_BOOT_SERVICES services;

static const struct boot_framebuffer *found_for(const char *wanted)
{
    static struct efi_boot boot;
    char name[32], masks[3][16];
    unsigned long base;
    unsigned format, is_found = 0;
    FILE *file = fopen("tests/cases/framebuffer-kinds/modes.txt", "r");

    assert_non_null(file);
    while (!is_found && fscanf(file, "%31s %lx %u %u %u %u %15s %15s %15s", name, &base,
                               &information.HorizontalResolution, &information.VerticalResolution,
                               &information.PixelsPerScanLine, &format, masks[0], masks[1],
                               masks[2]) == 9)
        is_found = !strcmp(name, wanted);
    fclose(file);
    assert_true(is_found);
    information.PixelFormat = (EFI_GRAPHICS_PIXEL_FORMAT)format;
    information.PixelInformation = (EFI_PIXEL_BITMASK){0};
    if (format == PixelBitMask) {
        information.PixelInformation.RedMask = (UINT32)strtoul(masks[0], NULL, 16);
        information.PixelInformation.GreenMask = (UINT32)strtoul(masks[1], NULL, 16);
        information.PixelInformation.BlueMask = (UINT32)strtoul(masks[2], NULL, 16);
    }
    mode.FrameBufferBase = base;
    services.LocateProtocol = locate;
    boot = (struct efi_boot){.services = &services};
    efi_screen_find(&boot);
    return &boot.info.framebuffer;
}

static void blt_only_and_none_have_nothing_to_write_to(void **state)
{
    (void)state;
    assert_int_equal(found_for("bltonly")->kind, BOOT_PIXEL_NONE);
    /* Firmware that leaves an address beside PixelBltOnly. */
    found_for("rgb");
    information.PixelFormat = PixelBltOnly;
    struct efi_boot boot = {.services = &services};
    efi_screen_find(&boot);
    assert_int_equal(boot.info.framebuffer.kind, BOOT_PIXEL_NONE);
    is_headless = true;
    assert_int_equal(found_for("rgb")->kind, BOOT_PIXEL_NONE);
    is_headless = false;
    assert_int_equal(found_for("rgb")->kind, BOOT_PIXEL_RGB);
}

static void a_padded_line_is_as_long_as_its_step(void **state)
{
    (void)state;
    const struct boot_framebuffer *found = found_for("bgr-padded");
    assert_int_equal(found->width, 1366);
    assert_int_equal(found->pitch_bytes, 1408 * 4);
    assert_int_equal(found->red_shift, 16);
    assert_int_equal(found_for("rgb")->red_shift, 0);
}

static void thirty_bits_are_ten_of_each_colour(void **state)
{
    (void)state;
    const struct boot_framebuffer *found = found_for("bitmask-30bit");
    assert_int_equal(found->bits_per_pixel, 32);
    assert_int_equal(found->red_bits, 10);
    assert_int_equal(found->green_shift, 10);
    assert_int_equal(found->pitch_bytes, 2560 * 4);
}

static void the_highest_mask_bit_says_how_wide_a_pixel_is(void **state)
{
    (void)state;
    const struct boot_framebuffer *found = found_for("bitmask-16bit");
    assert_int_equal(found->bits_per_pixel, 16);
    assert_int_equal(found->pitch_bytes, 832 * 2);
    /* Eight reserved bits above 24 of colour make it 32. */
    information.PixelInformation = (EFI_PIXEL_BITMASK){0xff0000, 0xff00, 0xff, 0xff000000};
    struct efi_boot boot = {.services = &services};
    efi_screen_find(&boot);
    assert_int_equal(boot.info.framebuffer.bits_per_pixel, 32);
}

static void a_base_above_four_gibibytes_is_kept(void **state)
{
    (void)state;
    const struct boot_framebuffer *found = found_for("portrait");
    assert_true(found->address == 0x4000000000);
    assert_int_equal(found->height, 1280);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blt_only_and_none_have_nothing_to_write_to),
        cmocka_unit_test(a_padded_line_is_as_long_as_its_step),
        cmocka_unit_test(thirty_bits_are_ten_of_each_colour),
        cmocka_unit_test(the_highest_mask_bit_says_how_wide_a_pixel_is),
        cmocka_unit_test(a_base_above_four_gibibytes_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
