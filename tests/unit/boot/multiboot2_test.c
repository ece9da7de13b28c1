/* Tests boot/info/multiboot2.c on informations put together tag by tag. */
#include "boot/info/multiboot2.h"

#include <stdlib.h>
#include <string.h>

#include "boot/info/memory_map.h"
#include "tests/unit/unit_test.h"

static uint8_t built[8192];
static uint32_t built_bytes;
static struct boot_info info;
static struct multiboot2 tags;
static struct input_error error;

static int start(void **state)
{
    (void)state;
    memset(&info, 0, sizeof(info));
    memset(built, 0, sizeof(built));
    built_bytes = 8;
    return 0;
}

static void add(uint32_t type, const void *bytes, uint32_t length)
{
    uint32_t size = length + 8;

    memcpy(built + built_bytes, &type, 4);
    memcpy(built + built_bytes + 4, &size, 4);
    if (length)
        memcpy(built + built_bytes + 8, bytes, length);
    built_bytes += (size + 7) & ~7u;
}

static void add_e820(uint32_t entry_bytes)
{
    struct { uint32_t entry_bytes, version; uint64_t base, length; uint32_t type, zero; } map = {
        entry_bytes, 0, 0x100000, 0x700000, 1, 0};

    add(6, &map, sizeof(map));
}

static bool read_built(void)
{
    uint8_t *exact = malloc(built_bytes);
    bool is_good;

    memcpy(built, &built_bytes, 4);
    memcpy(exact, built, built_bytes);
    is_good = multiboot2_read(exact, built_bytes, &tags, &info, &error);
    free(exact);
    return is_good;
}

static void strings_memory_and_end_are_enough(void **state)
{
    (void)state;
    add(1, "run=topology rules=linux-6.1", 29);
    add(2, "GRUB 2.06-13", 13);
    add(99, "whatever", 8);
    add_e820(24);
    add(0, NULL, 0);
    assert_true(read_built());
    assert_string_equal(info.cmdline, "run=topology rules=linux-6.1");
    assert_string_equal(info.loader, "GRUB 2.06-13");
    assert_false(info.is_cmdline_cut);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0x700000);
    assert_true(tags.efi_system_table == 0);
    assert_int_equal(info.framebuffer.kind, BOOT_PIXEL_NONE);
}

static void a_long_command_line_is_cut_and_says_so(void **state)
{
    static char line[3000];
    (void)state;

    memset(line, 'x', sizeof(line));
    add(1, line, sizeof(line));
    add_e820(24);
    add(0, NULL, 0);
    assert_true(read_built());
    assert_true(info.is_cmdline_cut);
    assert_int_equal(strlen(info.cmdline), BOOT_INFO_CMDLINE_BYTES - 1);
}

static void a_string_without_its_end_stops_at_the_tag(void **state)
{
    (void)state;
    add(1, "abcdefgh", 8);
    add_e820(24);
    add(0, NULL, 0);
    assert_true(read_built());
    assert_string_equal(info.cmdline, "abcdefgh");
}

/* rsdp-variants: the new tag is the one to prefer. */
static void the_new_rsdp_wins_in_any_order(void **state)
{
    static const char old_copy[20] = "RSD PTR old", new_copy[36] = "RSD PTR new";
    (void)state;

    for (int new_first = 0; new_first < 2; new_first++) {
        start(NULL);
        add(new_first ? 15 : 14, new_first ? new_copy : old_copy, new_first ? 36 : 20);
        add(new_first ? 14 : 15, new_first ? old_copy : new_copy, new_first ? 20 : 36);
        add_e820(24);
        add(0, NULL, 0);
        assert_true(read_built());
        assert_int_equal(info.rsdp_copy_bytes, 36);
        assert_memory_equal(info.rsdp_copy, new_copy, 36);
    }
}

static void an_rsdp_tag_longer_than_the_copy_is_cut(void **state)
{
    static const char copy[60] = "RSD PTR long";
    (void)state;

    add(14, copy, 60);
    add_e820(24);
    add(0, NULL, 0);
    assert_true(read_built());
    assert_int_equal(info.rsdp_copy_bytes, 36);
}

struct framebuffer_tag {
    uint64_t address;
    uint32_t pitch, width, height;
    uint8_t bits, type;
    uint16_t reserved;
    uint8_t colours[6];
} __attribute__((packed));

static enum boot_pixel framebuffer_of(struct framebuffer_tag tag, uint32_t length)
{
    start(NULL);
    add(8, &tag, length);
    add_e820(24);
    add(0, NULL, 0);
    assert_true(read_built());
    return info.framebuffer.kind;
}

static void a_framebuffer_that_can_be_drawn_on_is_taken(void **state)
{
    struct framebuffer_tag rgb = {0x80000000, 5632, 1366, 768, 32, 1, 0, {16, 8, 8, 8, 0, 8}};
    struct framebuffer_tag text = {0xB8000, 160, 80, 25, 16, 2, 0, {0}};
    (void)state;

    assert_int_equal(framebuffer_of(rgb, sizeof(rgb)), BOOT_PIXEL_RGB);
    assert_int_equal(info.framebuffer.pitch_bytes, 5632);
    assert_int_equal(info.framebuffer.red_shift, 16);
    assert_int_equal(info.framebuffer.blue_bits, 8);
    assert_int_equal(framebuffer_of(text, 24), BOOT_PIXEL_TEXT);
    rgb.address = 0x4000000000;
    assert_int_equal(framebuffer_of(rgb, sizeof(rgb)), BOOT_PIXEL_RGB);
    assert_true(info.framebuffer.address == 0x4000000000);
}

static void a_mode_that_makes_no_sense_is_no_screen(void **state)
{
    const struct framebuffer_tag good = {0x80000000, 5632, 1366, 768, 32, 1, 0,
                                         {16, 8, 8, 8, 0, 8}};
    struct framebuffer_tag bad;
    (void)state;

    bad = good, bad.type = 0;
    assert_int_equal(framebuffer_of(bad, sizeof(bad)), BOOT_PIXEL_NONE);
    bad = good, bad.address = 0;
    assert_int_equal(framebuffer_of(bad, sizeof(bad)), BOOT_PIXEL_NONE);
    bad = good, bad.pitch = 1366 * 4 - 1;
    assert_int_equal(framebuffer_of(bad, sizeof(bad)), BOOT_PIXEL_NONE);
    bad = good, bad.bits = 64;
    assert_int_equal(framebuffer_of(bad, sizeof(bad)), BOOT_PIXEL_NONE);
    bad = good, bad.colours[0] = 30;
    assert_int_equal(framebuffer_of(bad, sizeof(bad)), BOOT_PIXEL_NONE);
    bad = good, bad.address = UINT64_MAX - 100;
    assert_int_equal(framebuffer_of(bad, sizeof(bad)), BOOT_PIXEL_NONE);
    assert_int_equal(framebuffer_of(good, 24), BOOT_PIXEL_NONE);
}

static void efi_tags_are_handed_on(void **state)
{
    uint64_t table = 0x7F9EE018, handle = 0x7E4A0998;
    uint32_t base = 0x400000;
    struct { uint32_t size, version, type, zero; uint64_t at, virtual, pages, attribute, more; }
        map = {48, 1, 7, 0, 0x100000, 0, 0x100, 8, 0xA5A5A5A5A5A5A5A5};
    (void)state;

    add(12, &table, 8);
    add(20, &handle, 8);
    add(21, &base, 4);
    add(17, &map, sizeof(map));
    add_e820(24);
    add(0, NULL, 0);
    assert_true(read_built());
    assert_true(tags.efi_system_table == table);
    assert_true(tags.efi_image_handle == handle);
    assert_true(tags.has_load_base && tags.load_base == base);
    assert_false(tags.are_boot_services_running);
    assert_int_equal(tags.efi_descriptor_bytes, 48);
    assert_int_equal(tags.efi_map_bytes, 48);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0x100000);
}

static void with_boot_services_running_nothing_is_granted(void **state)
{
    uint64_t table = 0x7F9EE018;
    struct { uint32_t size, version, type, zero; uint64_t at, virtual, pages, attribute; } map = {
        40, 1, 7, 0, 0x100000, 0, 0x100, 8};
    (void)state;

    add(12, &table, 8);
    add(18, NULL, 0);
    add(0, NULL, 0);
    assert_true(read_built());
    assert_true(tags.are_boot_services_running);
    assert_int_equal(info.range_count, 0);
    start(NULL);
    add(18, NULL, 0);
    add(17, &map, sizeof(map));
    add(0, NULL, 0);
    assert_true(read_built());
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_FIRMWARE) == 0x100000);
}

static void a_broken_information_is_refused(void **state)
{
    uint32_t size;
    (void)state;

    add(0, NULL, 0); /* no memory map */
    assert_false(read_built());
    start(NULL);
    add_e820(24); /* no end tag */
    assert_false(read_built());
    start(NULL);
    add_e820(19); /* entries too small */
    add(0, NULL, 0);
    assert_false(read_built());
    start(NULL);
    add(6, "1234", 4); /* shorter than its fields */
    add(0, NULL, 0);
    assert_false(read_built());
    assert_int_equal(error.place, 8);
    for (size = 0; size < 8; size++) {
        start(NULL);
        add_e820(24);
        add(77, NULL, 0);
        memcpy(built + built_bytes - 4, &size, 4); /* a size that leads nowhere */
        add(0, NULL, 0);
        assert_false(read_built());
    }
    start(NULL);
    add_e820(24);
    size = 4096;
    memcpy(built + 12, &size, 4); /* past the end */
    add(0, NULL, 0);
    assert_false(read_built());
}

static void a_stated_size_that_cannot_be_is_refused(void **state)
{
    uint32_t lengths[] = {0, 8, 15, (16u << 20) + 1, UINT32_MAX};
    (void)state;

    for (unsigned i = 0; i < 5; i++) {
        memcpy(built, &lengths[i], 4);
        assert_int_equal(multiboot2_stated_length(built), 0);
        assert_false(multiboot2_read(built, sizeof(built), &tags, &info, &error));
    }
    assert_false(multiboot2_read(built, 7, &tags, &info, &error));
    lengths[0] = 16;
    memcpy(built, &lengths[0], 4);
    assert_int_equal(multiboot2_stated_length(built), 16);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start)
    const struct CMUnitTest tests[] = {
        TEST(strings_memory_and_end_are_enough),
        TEST(a_long_command_line_is_cut_and_says_so),
        TEST(a_string_without_its_end_stops_at_the_tag),
        TEST(the_new_rsdp_wins_in_any_order),
        TEST(an_rsdp_tag_longer_than_the_copy_is_cut),
        TEST(a_framebuffer_that_can_be_drawn_on_is_taken),
        TEST(a_mode_that_makes_no_sense_is_no_screen),
        TEST(efi_tags_are_handed_on),
        TEST(with_boot_services_running_nothing_is_granted),
        TEST(a_broken_information_is_refused),
        TEST(a_stated_size_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
