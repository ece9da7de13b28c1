/* Structures are laid out as in DMTF DSP0134 3.7, by hand. */
#include "kernel/facts/smbios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit_test.h"

/* Type 0 [7.1], type 1 [7.2] with a serial number, three of type 17 [7.18], type 38
 * [7.39], type 127 [7.45]. */
static const uint8_t table[] = {
    0, 0x12, 0, 0, 1, 2, 0, 0xE0, 3, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0,
    'A', 'c', 'm', 'e', ' ', ' ', 0, 'F', '7', '.', '1', 0, '0', '1', '/', '0', '2', '/', '2', '0',
    '2', '6', 0, 0,
    1, 0x1B, 1, 0, 1, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0,
    'A', 'c', 'm', 'e', 0, 'B', 'o', 'x', 0x80, 0, 'S', 'E', 'C', 'R', 'E', 'T', 0, 0,
    17, 0x22, 2, 0, 0, 0, 0, 0, 0x40, 0, 0x40, 0, 0x00, 0x40, 9, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0,
    17, 0x22, 3, 0, 0, 0, 0, 0, 0x40, 0, 0x40, 0, 0xFF, 0x7F, 9, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0x00, 0x80, 0x00, 0, 0, 0, 0, 0,
    17, 0x22, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x00, 9, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0,
    38, 0x12, 6, 0, 1, 0x20, 0x20, 0xFF, 0xA3, 0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    127, 4, 5, 0, 0, 0,
    0, 0x12, 9, 0, 1, 1, 0, 0xE0, 1, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0, 'l', 'a', 't', 'e', 0, 0,
};

static void texts_and_memory_are_read_and_the_serial_number_is_not(void **state)
{
    const struct smbios_entry entry = {.major = 3, .minor = 4};
    struct smbios smbios;

    (void)state;
    smbios_parse(&smbios, &entry, table, sizeof table);
    assert_true(smbios.is_read);
    assert_int_equal(smbios.major, 3);
    assert_string_equal(smbios.text[SMBIOS_FIRMWARE_VENDOR], "Acme");
    assert_string_equal(smbios.text[SMBIOS_FIRMWARE_VERSION], "F7.1");
    assert_string_equal(smbios.text[SMBIOS_FIRMWARE_DATE], "01/02/2026");
    assert_string_equal(smbios.text[SMBIOS_SYSTEM_PRODUCT], "Box?");
    assert_string_equal(smbios.text[SMBIOS_BOARD_PRODUCT], "");
    assert_true(smbios.has_memory);
    assert_int_equal(smbios.memory_slots, 3);
    assert_int_equal(smbios.memory_filled, 2);
    /* 0x4000 MiB, and 0x7FFF: the extended size, 0x8000 MiB. */
    assert_true(smbios.memory_bytes == (UINT64_C(0x4000) + 0x8000) << 20);
    assert_true(smbios.has_ipmi);
    assert_int_equal(smbios.ipmi_interface, 1); /* KCS */
    assert_int_equal(smbios.ipmi_address, 0xCA3);
    assert_null(memmem(&smbios, sizeof smbios, "SECRET", 6));
}

/* Devices with these locators, the words of Intel's, AMD's and other boards; NULL: empty string
 * number. A size of 0 is an empty slot. */
struct device {
    uint16_t mib;
    const char *locator, *bank;
};

static struct smbios channels_of(const struct device *devices, uint32_t count)
{
    const struct smbios_entry entry = {.major = 3, .minor = 4};
    uint8_t bytes[4096] = {0};
    struct smbios smbios;
    size_t at = 0;

    for (uint32_t i = 0; i < count; i++) {
        const char *texts[] = {devices[i].locator, devices[i].bank};
        uint8_t *area = bytes + at, number = 0;

        area[0] = 17;
        area[1] = 0x22;
        area[0x0C] = (uint8_t)devices[i].mib;
        area[0x0D] = (uint8_t)(devices[i].mib >> 8);
        at += 0x22;
        for (uint32_t t = 0; t < 2; t++)
            if (texts[t]) {
                area[0x10 + t] = ++number;
                memcpy(bytes + at, texts[t], strlen(texts[t]));
                at += strlen(texts[t]) + 1;
            }
        at += number ? 1 : 2;
    }
    smbios_parse(&smbios, &entry, bytes, at);
    return smbios;
}

static void channels_are_told_by_the_names_in_locators(void **state)
{
    static const struct {
        struct device devices[4];
        uint32_t count, named, filled;
    } boards[] = {
        {{{8192, "ChannelA-DIMM0", "BANK 0"}, {8192, "ChannelA-DIMM1", "BANK 1"},
          {0, "ChannelB-DIMM0", "BANK 2"}, {0, "ChannelB-DIMM1", "BANK 3"}}, 4, 2, 1},
        {{{8192, "DIMM 0", "P0 CHANNEL A"}, {0, "DIMM 1", "P0 CHANNEL A"},
          {8192, "DIMM 0", "P0 CHANNEL B"}, {0, "DIMM 1", "P0 CHANNEL B"}}, 4, 2, 2},
        {{{8192, "DIMM 0", "P0 CHANNEL A"}, {8192, "DIMM 0", "P1 CHANNEL A"}}, 2, 2, 2},
        {{{8192, "CPU0_Channel_1_Dimm_0", NULL}, {0, "CPU0_Channel_2_Dimm_0", NULL}}, 2, 2, 1},
        {{{8192, "ChannelA-DIMM0", NULL}, {0, "DIMM_B1", "BANK 2"}}, 2, 0, 0},
        {{{8192, "channel", NULL}}, 1, 0, 0},
        {{{8192, "ChannelA-DIMM0", NULL}, {8192, NULL, NULL}}, 2, 0, 0},
        {{{8192, "DIMM 0", NULL}, {8192, "DIMM 1", NULL}}, 2, 0, 0},
    };
    struct device many[65];

    (void)state;
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        struct smbios smbios = channels_of(boards[i].devices, boards[i].count);

        assert_int_equal(smbios.memory_slots, boards[i].count);
        assert_int_equal(smbios.channels_named, boards[i].named);
        assert_int_equal(smbios.channels_filled, boards[i].filled);
    }
    for (uint32_t i = 0; i < 65; i++) {
        static char names[65][16];

        snprintf(names[i], sizeof names[i], "Channel%u", i);
        many[i] = (struct device){1024, names[i], NULL};
    }
    assert_int_equal(channels_of(many, 64).channels_named, 64);
    assert_int_equal(channels_of(many, 65).channels_named, 0);
}

static void a_table_cut_anywhere_keeps_what_came_before(void **state)
{
    const struct smbios_entry entry = {.major = 2, .minor = 8};

    (void)state;
    for (size_t length = 0; length <= sizeof table; length++) {
        uint8_t *copy = malloc(length + !length);
        struct smbios smbios;

        memcpy(copy, table, length);
        smbios_parse(&smbios, &entry, copy, length);
        assert_string_equal(smbios.text[SMBIOS_FIRMWARE_VERSION], length < 42 ? "" : "F7.1");
        free(copy);
    }
}

static void set_sum(uint8_t *bytes, size_t count, size_t at)
{
    uint8_t sum = 0;

    bytes[at] = 0;
    for (size_t i = 0; i < count; i++)
        sum = (uint8_t)(sum + bytes[i]);
    bytes[at] = (uint8_t)-sum;
}

static void both_entry_points_are_read_when_their_sum_is_right(void **state)
{
    uint8_t three[24] = {'_', 'S', 'M', '3', '_', 0, 24, 3, 6, 0, 1, 0, 0x34, 0x12, 0, 0,
                         0x00, 0x10, 0, 0, 4, 0, 0, 0};
    uint8_t two[31] = {'_', 'S', 'M', '_', 0, 31, 2, 8, 0, 0, 0, 0, 0, 0, 0, 0,
                       '_', 'D', 'M', 'I', '_', 0, 0x67, 0x01, 0xB0, 0x03, 0x0F, 0, 9, 0, 0x28};
    struct smbios_entry entry;

    (void)state;
    set_sum(three, sizeof three, 5);
    set_sum(two, sizeof two, 4);
    assert_true(smbios_entry_parse(&entry, three, sizeof three));
    assert_int_equal(entry.minor, 6);
    assert_int_equal(entry.table_bytes, 0x1234);
    assert_true(entry.table_address == UINT64_C(0x400001000));
    assert_true(smbios_entry_parse(&entry, two, sizeof two));
    assert_int_equal(entry.table_bytes, 0x167);
    assert_true(entry.table_address == 0xF03B0);
    assert_false(smbios_entry_parse(&entry, two, sizeof two - 1));
    two[6]++;
    assert_false(smbios_entry_parse(&entry, two, sizeof two));
    three[6] = 0; /* a length of 0 would have a sum of 0 */
    assert_false(smbios_entry_parse(&entry, three, sizeof three));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_memory_are_read_and_the_serial_number_is_not),
        cmocka_unit_test(channels_are_told_by_the_names_in_locators),
        cmocka_unit_test(a_table_cut_anywhere_keeps_what_came_before),
        cmocka_unit_test(both_entry_points_are_read_when_their_sum_is_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
