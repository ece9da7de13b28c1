/* Tests boot/info/memory_map.c and range_list.c on the maps of tests/cases and
 * against a byte-per-page model. */
#include "boot/info/memory_map.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/facts/load.h"

static struct boot_info info;

struct e820_entry {
    uint64_t start, length;
    uint32_t type, reserved;
};

static void load_e820(const char *path)
{
    struct e820_entry entries[32] = {0};
    unsigned count = 0;
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    while (fscanf(file, "%lx %lx %u", &entries[count].start, &entries[count].length,
                  &entries[count].type) == 3)
        count++;
    fclose(file);
    assert_true(memory_map_from_e820(&info, entries, count * sizeof(entries[0]),
                                     sizeof(entries[0])));
}

static void assert_sorted(void)
{
    for (uint32_t i = 0; i < info.range_count; i++) {
        assert_true(info.ranges[i].start < info.ranges[i].end);
        if (i)
            assert_true(info.ranges[i - 1].end <= info.ranges[i].start);
    }
}

/* usable.txt: the granted ranges and their total. */
static void assert_granted_is(const char *path)
{
    FILE *file = fopen(path, "r");
    uint64_t start, end, total;
    uint32_t at = 0;

    assert_non_null(file);
    assert_sorted();
    while (fscanf(file, "%lx %lx", &start, &end) == 2) {
        uint64_t granted_end;

        while (at < info.range_count && info.ranges[at].kind != BOOT_RANGE_GRANTED)
            at++;
        assert_true(at < info.range_count);
        assert_true(info.ranges[at].start == start);
        granted_end = info.ranges[at].end;
        for (at++; at < info.range_count && info.ranges[at].kind == BOOT_RANGE_GRANTED &&
                   info.ranges[at].start == granted_end; at++)
            granted_end = info.ranges[at].end;
        assert_true(granted_end == end);
        assert_true(memory_map_is_writable(&info, start, end));
        assert_false(memory_map_is_writable(&info, start, end + 1));
    }
    assert_int_equal(fscanf(file, "total %lx", &total), 1);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == total);
    fclose(file);
}

static void anything_but_ram_wins_and_pages_are_whole(void **state)
{
    (void)state;
    load_e820("tests/cases/e820-overlap-unaligned/e820.txt");
    assert_granted_is("tests/cases/e820-overlap-unaligned/usable.txt");
    assert_true(info.map_repairs.unsorted > 0);
    assert_true(info.map_repairs.overlapping > 0);
    assert_true(info.map_repairs.unaligned > 0);
    assert_int_equal(info.map_repairs.empty, 1);
    assert_int_equal(info.map_repairs.endless, 0);
}

static void a_hole_below_one_tib_stays_untouched(void **state)
{
    (void)state;
    load_e820("tests/cases/e820-hole-below-1tib/e820.txt");
    assert_granted_is("tests/cases/e820-hole-below-1tib/usable.txt");
    assert_int_equal(memory_map_find(&info, 0xFD00000000)->kind, BOOT_RANGE_RESERVED);
    assert_int_equal(info.map_repairs.overlapping + info.map_repairs.unsorted, 0);
}

static void efi_descriptors_are_as_long_as_the_firmware_says(void **state)
{
    struct loaded map = load_file("tests/cases/efi-map-48-byte-descriptors/efi-map.bin");
    (void)state;

    assert_true(memory_map_from_efi(&info, map.bytes, map.length, 48, true));
    assert_granted_is("tests/cases/efi-map-48-byte-descriptors/usable.txt");
    assert_int_equal(memory_map_find(&info, 0x840000)->kind, BOOT_RANGE_ACPI);
    assert_int_equal(memory_map_find(&info, 0x7DD0000)->kind, BOOT_RANGE_FIRMWARE);
    assert_int_equal(memory_map_find(&info, 0xE0000000)->kind, BOOT_RANGE_RESERVED);
    /* 720 is a multiple of 40 too, but not of 47; 39 is no descriptor. */
    assert_false(memory_map_from_efi(&info, map.bytes, map.length, 47, true));
    assert_int_equal(info.range_count, 0);
    assert_false(memory_map_from_efi(&info, map.bytes, map.length, 36, true));
    assert_false(memory_map_from_efi(&info, map.bytes, map.length, 0, true));
    free(map.bytes);
}

/* While boot services run nothing is ours but what was allocated. */
static void with_boot_services_only_what_was_allocated_is_granted(void **state)
{
    struct loaded map = load_file("tests/cases/efi-map-48-byte-descriptors/efi-map.bin");
    (void)state;

    assert_true(memory_map_from_efi(&info, map.bytes, map.length, 48, false));
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0);
    memory_map_grant(&info, 0x100000000, 0x100010000);
    memory_map_grant(&info, 0x83F800, 0x841800);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0x10000);
    memory_map_grant(&info, 0x83E800, 0x841800);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0x11000);
    assert_int_equal(memory_map_find(&info, 0x83F000)->kind, BOOT_RANGE_GRANTED);
    assert_int_equal(memory_map_find(&info, 0x840000)->kind, BOOT_RANGE_ACPI);
    assert_sorted();
    free(map.bytes);
}

struct efi_descriptor {
    uint32_t type, padding;
    uint64_t physical, virtual, pages, attribute;
};

static void memory_with_a_second_purpose_is_never_granted(void **state)
{
    static const struct efi_descriptor map[] = {
        {7, 0, 0x100000, 0, 0x10, 8},
        {7, 0, 0x200000, 0, 0x10, 8 | EFI_ATTRIBUTE_SPECIFIC_PURPOSE},
        {7, 0, 0x300000, 0, 0x10, 8 | EFI_ATTRIBUTE_NON_VOLATILE},
        {4, 0, 0x400000, 0, 0x10, 8 | EFI_ATTRIBUTE_RUNTIME},
        {14, 0, 0x500000, 0, 0x10, 8},
        {15, 0, 0x600000, 0, 0x10, 8},
        {8, 0, 0x700000, 0, 0x10, 8},
        {0x80000000, 0, 0x800000, 0, 0x10, 8},
        {7, 0, 0x900000, 0, UINT64_MAX, 8},
    };
    static const enum boot_range_kind kinds[] = {
        BOOT_RANGE_GRANTED, BOOT_RANGE_SPECIAL, BOOT_RANGE_PERSISTENT, BOOT_RANGE_FIRMWARE,
        BOOT_RANGE_PERSISTENT, BOOT_RANGE_SPECIAL, BOOT_RANGE_RESERVED, BOOT_RANGE_RESERVED};
    (void)state;

    assert_true(memory_map_from_efi(&info, map, sizeof(map), sizeof(map[0]), true));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(memory_map_find(&info, 0x100000 * (i + 1))->kind, kinds[i]);
    /* RAM up to the end of the address space is a broken entry. */
    assert_null(memory_map_find(&info, 0x900000));
    assert_int_equal(info.map_repairs.endless, 1);
    assert_string_equal(memory_map_kind_name(BOOT_RANGE_SPECIAL), "special");
}

/* Found by fuzzing: the firmware's range begins within the first granted page. */
static void a_grant_over_an_unaligned_range_is_whole_pages(void **state)
{
    static const struct efi_descriptor map[] = {{7, 0, 0x1800, 0, 0x10, 8}};
    (void)state;

    assert_true(memory_map_from_efi(&info, map, sizeof(map), sizeof(map[0]), false));
    memory_map_grant(&info, 0x1000, 0x4000);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) == 0x2000);
    assert_int_equal(memory_map_find(&info, 0x2000)->kind, BOOT_RANGE_GRANTED);
    assert_null(memory_map_find(&info, 0x1800));
}

static void what_is_taken_is_not_granted_any_more(void **state)
{
    static const struct e820_entry map[] = {{0, 0x9F000, 1, 0}, {0x100000, 0xF00000, 1, 0},
                                            {0x1000000, 0x1000, 2, 0}};
    (void)state;

    assert_true(memory_map_from_e820(&info, map, sizeof(map), sizeof(map[0])));
    memory_map_take(&info, 0x200800, 0x300001, BOOT_RANGE_KERNEL);
    assert_int_equal(memory_map_find(&info, 0x200000)->kind, BOOT_RANGE_KERNEL);
    assert_int_equal(memory_map_find(&info, 0x300FFF)->kind, BOOT_RANGE_KERNEL);
    assert_int_equal(memory_map_find(&info, 0x301000)->kind, BOOT_RANGE_GRANTED);
    assert_true(memory_map_bytes(&info, BOOT_RANGE_KERNEL) == 0x101000);
    assert_true(memory_map_is_writable(&info, 0x100000, 0x1000000));
    memory_map_take(&info, 0xFFF000, 0x1002000, BOOT_RANGE_KERNEL);
    assert_int_equal(memory_map_find(&info, 0x1000000)->kind, BOOT_RANGE_RESERVED);
    assert_null(memory_map_find(&info, 0x1001000));
    assert_sorted();
}

/* A small generator with a fixed seed: tests repeat. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

enum { MODEL_UNIT = 512, MODEL_UNITS = 4096 };

/* Each unit is RAM when some entry says so and none says anything else; a page
 * is granted when all its units are. */
static void assert_matches_the_model(const struct e820_entry *entries, unsigned count)
{
    static bool is_ram[MODEL_UNITS], is_other[MODEL_UNITS];

    memset(is_ram, 0, sizeof(is_ram));
    memset(is_other, 0, sizeof(is_other));
    for (unsigned i = 0; i < count; i++)
        for (uint64_t at = entries[i].start; at < entries[i].start + entries[i].length;
             at += MODEL_UNIT)
            (entries[i].type == 1 ? is_ram : is_other)[at / MODEL_UNIT] = true;
    for (unsigned page = 0; page < MODEL_UNITS / 8; page++) {
        const struct boot_range *range = memory_map_find(&info, page * 4096ull);
        bool is_granted = range && range->kind == BOOT_RANGE_GRANTED, wanted = true;

        for (unsigned unit = page * 8; unit < page * 8 + 8; unit++)
            wanted = wanted && is_ram[unit] && !is_other[unit];
        assert_int_equal(is_granted, wanted);
    }
}

static void random_maps_agree_with_a_model_of_units(void **state)
{
    uint32_t seed = 1;
    (void)state;

    for (unsigned round = 0; round < 300; round++) {
        struct e820_entry entries[24] = {0};
        unsigned count = 1 + next_random(&seed) % 24;

        for (unsigned i = 0; i < count; i++) {
            uint32_t start = next_random(&seed) % MODEL_UNITS;

            entries[i].start = (uint64_t)start * MODEL_UNIT;
            entries[i].length = (uint64_t)(next_random(&seed) % (MODEL_UNITS - start) / 3) *
                                MODEL_UNIT;
            entries[i].type = next_random(&seed) % 2 ? 1 : 1 + next_random(&seed) % 8;
        }
        assert_true(memory_map_from_e820(&info, entries, count * sizeof(entries[0]),
                                         sizeof(entries[0])));
        assert_sorted();
        assert_matches_the_model(entries, count);
    }
}

/* More holes in the RAM than the list has room for. */
static void a_full_list_takes_memory_away_and_never_adds_any(void **state)
{
    static struct e820_entry entries[3001];
    (void)state;

    entries[0] = (struct e820_entry){0, 4000ull * 8192, 1, 0};
    for (unsigned i = 1; i < 3001; i++)
        entries[i] = (struct e820_entry){(i * 37 % 3001) * 8192ull + 4096, 4096, 2, 0};
    assert_true(memory_map_from_e820(&info, entries, sizeof(entries), sizeof(entries[0])));
    assert_true(info.dropped_ranges > 0);
    assert_true(info.range_count <= BOOT_INFO_MAX_RANGES);
    assert_sorted();
    for (unsigned i = 1; i < 3001; i++) {
        const struct boot_range *range = memory_map_find(&info, entries[i].start);

        assert_true(!range || range->kind == BOOT_RANGE_RESERVED);
    }
    assert_true(memory_map_bytes(&info, BOOT_RANGE_GRANTED) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anything_but_ram_wins_and_pages_are_whole),
        cmocka_unit_test(a_hole_below_one_tib_stays_untouched),
        cmocka_unit_test(efi_descriptors_are_as_long_as_the_firmware_says),
        cmocka_unit_test(with_boot_services_only_what_was_allocated_is_granted),
        cmocka_unit_test(memory_with_a_second_purpose_is_never_granted),
        cmocka_unit_test(a_grant_over_an_unaligned_range_is_whole_pages),
        cmocka_unit_test(what_is_taken_is_not_granted_any_more),
        cmocka_unit_test(random_maps_agree_with_a_model_of_units),
        cmocka_unit_test(a_full_list_takes_memory_away_and_never_adds_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
