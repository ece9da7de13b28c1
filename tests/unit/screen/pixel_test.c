/* Tests drivers/screen/pixel.c on the modes of tests/cases/framebuffer-kinds. Expected
 * bytes follow from the masks there. */
#include "drivers/screen/pixel.c"

#include "tests/unit/unit_test.h"

static const struct pixel_format rgb = {32, 0, 8, 8, 8, 16, 8};
static const struct pixel_format bgr = {32, 16, 8, 8, 8, 0, 8};
static const struct pixel_format bgr24 = {24, 16, 8, 8, 8, 0, 8};
static const struct pixel_format rgb30 = {32, 20, 10, 10, 10, 0, 10};
static const struct pixel_format rgb565 = {16, 11, 5, 5, 6, 0, 5};
static const struct pixel_format rgb555 = {15, 10, 5, 5, 5, 0, 5};

static void each_format_puts_red_where_its_mask_is(void **state)
{
    (void)state;
    assert_int_equal(pixel_of(&rgb, 0xFF0000), 0x000000FF);
    assert_int_equal(pixel_of(&bgr, 0xFF0000), 0x00FF0000);
    assert_int_equal(pixel_of(&bgr24, 0xFF0000), 0xFF0000);
    assert_int_equal(pixel_of(&rgb30, 0xFF0000), 0x3FF00000);
    assert_int_equal(pixel_of(&rgb565, 0xFF0000), 0xF800);
    assert_int_equal(pixel_of(&rgb555, 0xFF0000), 0x7C00);
}

static void green_and_blue_fill_their_masks(void **state)
{
    (void)state;
    assert_int_equal(pixel_of(&rgb30, 0x00FF00), 0x000FFC00);
    assert_int_equal(pixel_of(&rgb30, 0x0000FF), 0x000003FF);
    assert_int_equal(pixel_of(&rgb565, 0x00FF00), 0x07E0);
    assert_int_equal(pixel_of(&rgb565, 0x0000FF), 0x001F);
    assert_int_equal(pixel_of(&bgr, 0x123456), 0x123456);
}

static void half_intensity_stays_half_in_wide_fields(void **state)
{
    (void)state;
    /* 0x80 / 0xFF of 0x3FF, rounded as repeated bits: 1000000010 */
    assert_int_equal(pixel_of(&rgb30, 0x000080), 0x202);
    assert_int_equal(pixel_of(&rgb565, 0x000080), 0x10);
}

static void bytes_follow_from_the_bits(void **state)
{
    (void)state;
    assert_int_equal(pixel_bytes(&rgb), 4);
    assert_int_equal(pixel_bytes(&bgr24), 3);
    assert_int_equal(pixel_bytes(&rgb565), 2);
    assert_int_equal(pixel_bytes(&rgb555), 2);
}

static void formats_that_make_no_sense_are_refused(void **state)
{
    static const struct pixel_format none = {0}, palette = {8, 0, 3, 3, 3, 6, 2};
    static const struct pixel_format outside = {16, 11, 8, 5, 6, 0, 5};
    static const struct pixel_format no_green = {32, 16, 8, 8, 0, 0, 8};

    (void)state;
    assert_false(pixel_is_usable(&none));
    assert_false(pixel_is_usable(&palette));
    assert_false(pixel_is_usable(&outside));
    assert_false(pixel_is_usable(&no_green));
    assert_true(pixel_is_usable(&rgb30));
    assert_true(pixel_is_usable(&rgb555));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_puts_red_where_its_mask_is),
        cmocka_unit_test(green_and_blue_fill_their_masks),
        cmocka_unit_test(half_intensity_stays_half_in_wide_fields),
        cmocka_unit_test(bytes_follow_from_the_bits),
        cmocka_unit_test(formats_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
