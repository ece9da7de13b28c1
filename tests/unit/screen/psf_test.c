/* Tests drivers/screen/psf.c with fonts built by hand after the format's description. */
#include "drivers/screen/psf.c"

#include <string.h>

#include "tests/unit/unit_test.h"

enum { V1_HEIGHT = 16, V1_BYTES = 4 + 256 * V1_HEIGHT };
enum { V2_HEADER_BYTES = 32, V2_GLYPHS = 128, V2_WIDTH = 12, V2_HEIGHT = 3, V2_ROW_BYTES = 2,
       V2_BYTES = V2_HEADER_BYTES + V2_GLYPHS * V2_ROW_BYTES * V2_HEIGHT };

static void build_v1(uint8_t *bytes)
{
    memset(bytes, 0, V1_BYTES);
    memcpy(bytes, (uint8_t[]){0x36, 0x04, 0x02, V1_HEIGHT}, 4);
    bytes[4 + 'A' * V1_HEIGHT + 5] = 0x81;
}

static void build_v2(uint8_t *bytes)
{
    const uint32_t header[] = {0x864AB572, 0, V2_HEADER_BYTES, 0, V2_GLYPHS,
                               V2_ROW_BYTES * V2_HEIGHT, V2_HEIGHT, V2_WIDTH};

    memset(bytes, 0, V2_BYTES);
    memcpy(bytes, header, sizeof(header));
    bytes[V2_HEADER_BYTES + 'A' * 6 + 2] = 0x80; /* row 1: first and last pixel */
    bytes[V2_HEADER_BYTES + 'A' * 6 + 3] = 0x10;
    bytes[V2_HEADER_BYTES + '?' * 6] = 0xFF;
}

static void version_1_has_eight_pixels_a_row(void **state)
{
    uint8_t bytes[V1_BYTES];
    struct psf font;

    (void)state;
    build_v1(bytes);
    assert_true(psf_open(&font, bytes, sizeof(bytes)));
    assert_int_equal(font.width, 8);
    assert_int_equal(font.height, V1_HEIGHT);
    const uint8_t *glyph = psf_glyph(&font, 'A');
    assert_true(psf_bit(&font, glyph, 5, 0));
    assert_true(psf_bit(&font, glyph, 5, 7));
    assert_false(psf_bit(&font, glyph, 5, 1));
    assert_false(psf_bit(&font, glyph, 4, 0));
}

static void version_2_has_rows_of_whole_bytes(void **state)
{
    uint8_t bytes[V2_BYTES];
    struct psf font;

    (void)state;
    build_v2(bytes);
    assert_true(psf_open(&font, bytes, sizeof(bytes)));
    const uint8_t *glyph = psf_glyph(&font, 'A');
    assert_true(psf_bit(&font, glyph, 1, 0));
    assert_true(psf_bit(&font, glyph, 1, 11));
    assert_false(psf_bit(&font, glyph, 1, 10));
    assert_false(psf_bit(&font, glyph, 0, 0));
}

static void a_code_that_the_font_lacks_is_a_question_mark(void **state)
{
    uint8_t bytes[V2_BYTES];
    struct psf font;

    (void)state;
    build_v2(bytes);
    assert_true(psf_open(&font, bytes, sizeof(bytes)));
    assert_ptr_equal(psf_glyph(&font, 200), psf_glyph(&font, '?'));
}

static void a_cut_font_is_refused(void **state)
{
    uint8_t v1[V1_BYTES], v2[V2_BYTES];
    struct psf font;

    (void)state;
    build_v1(v1);
    build_v2(v2);
    for (size_t length = 0; length < V2_BYTES; length++)
        assert_false(psf_open(&font, v2, length));
    assert_false(psf_open(&font, v1, V1_BYTES - 1));
    assert_false(psf_open(&font, v1, 3));
}

static void sizes_that_do_not_fit_together_are_refused(void **state)
{
    uint8_t bytes[V2_BYTES];
    struct psf font;

    (void)state;
    build_v2(bytes);
    bytes[20] = 5; /* bytes a glyph */
    assert_false(psf_open(&font, bytes, sizeof(bytes)));
    build_v2(bytes);
    bytes[28] = 200; /* width */
    assert_false(psf_open(&font, bytes, sizeof(bytes)));
    build_v2(bytes);
    memset(bytes + 16, 0xFF, 4); /* glyphs */
    assert_false(psf_open(&font, bytes, sizeof(bytes)));
    build_v2(bytes);
    memset(bytes + 8, 0xFF, 4); /* header length */
    assert_false(psf_open(&font, bytes, sizeof(bytes)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1_has_eight_pixels_a_row),
        cmocka_unit_test(version_2_has_rows_of_whole_bytes),
        cmocka_unit_test(a_code_that_the_font_lacks_is_a_question_mark),
        cmocka_unit_test(a_cut_font_is_refused),
        cmocka_unit_test(sizes_that_do_not_fit_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
