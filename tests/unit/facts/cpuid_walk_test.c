/* Tests kernel/facts/cpuid_walk.c with CPUs made of a few rows. */
#include "kernel/facts/cpuid_walk.h"

#include <string.h>

#include "tests/unit/unit_test.h"

enum { MAX_ROWS = 512 };

struct fake {
    const struct cpuid_row *rows;
    size_t count;
    uint32_t highest_basic, highest_subleaf_of_1f;
    bool is_out_of_range; /* a read that a real machine or QEMU would take badly */
};

/* A row that is not listed reads as zeros, as on a CPU. */
static struct cpuid_regs fake_read(void *context, uint32_t leaf, uint32_t subleaf)
{
    struct fake *fake = context;

    if (leaf == 0x1F && subleaf > fake->highest_subleaf_of_1f)
        fake->is_out_of_range = true;
    if (leaf < 0x40000000 && leaf > fake->highest_basic)
        fake->is_out_of_range = true;
    for (size_t i = 0; i < fake->count; i++) {
        const struct cpuid_row *row = &fake->rows[i];

        if (row->leaf == leaf && row->subleaf == subleaf)
            return (struct cpuid_regs){row->eax, row->ebx, row->ecx, row->edx};
    }
    return (struct cpuid_regs){0};
}

static struct cpuid_row kept[MAX_ROWS];

static struct cpuid_walk walk_of(struct fake *fake, const struct cpuid_row *rows, size_t count)
{
    struct cpuid_walk walk = {.read = fake_read, .context = fake, .rows = kept,
                              .capacity = MAX_ROWS};

    *fake = (struct fake){.rows = rows, .count = count, .highest_basic = rows[0].eax,
                          .highest_subleaf_of_1f = UINT32_MAX};
    memset(kept, 0xEE, sizeof(kept));
    cpuid_walk_all(&walk);
    return walk;
}

static uint32_t count_of(const struct cpuid_walk *walk, uint32_t leaf)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < walk->count; i++)
        count += walk->rows[i].leaf == leaf;
    return count;
}

static bool has(const struct cpuid_walk *walk, uint32_t leaf, uint32_t subleaf)
{
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->rows[i].leaf == leaf && walk->rows[i].subleaf == subleaf)
            return true;
    return false;
}

#define WALK(fake, rows) walk_of((fake), (rows), sizeof(rows) / sizeof((rows)[0]))

static void a_cpu_without_anything_gives_its_two_first_leaves(void **state)
{
    const struct cpuid_row rows[] = {{0, 0, 0, 0, 0, 0}};
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_int_equal(walk.count, 2);
    assert_true(has(&walk, 0, 0));
    assert_true(has(&walk, 0x80000000, 0));
    assert_false(fake.is_out_of_range);
}

static void lists_end_with_their_type_of_zero(void **state)
{
    const struct cpuid_row rows[] = {
        {0, 0, 0xB, 0, 0, 0},
        {4, 0, 0x121, 0, 0, 0}, {4, 1, 0x122, 0, 0, 0}, {4, 2, 0x143, 0, 0, 0},
        {4, 4, 0x163, 0, 0, 0}, /* behind the end: must not be read */
        {0xB, 0, 1, 2, 0x100, 5}, {0xB, 1, 4, 8, 0x201, 5}, {0xB, 2, 0, 0, 2, 5},
        {0x80000000, 0, 0x80000026, 0, 0, 0},
        {0x8000001D, 0, 0x121, 0, 0, 0},
        {0x80000026, 0, 1, 2, 0x100, 5},
    };
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_int_equal(count_of(&walk, 4), 4);
    assert_int_equal(count_of(&walk, 0xB), 3);
    assert_int_equal(count_of(&walk, 0x8000001D), 2);
    assert_int_equal(count_of(&walk, 0x80000026), 2);
}

/* QEMU 9.1 to 11.1 aborts when sub-leaf 6 of its highest leaf 0x1F is read. */
static void leaf_1f_is_read_no_further_than_its_end(void **state)
{
    const struct cpuid_row rows[] = {
        {0, 0, 0x1F, 0, 0, 0},
        {0x1F, 0, 1, 2, 0x100, 0}, {0x1F, 1, 4, 8, 0x201, 0}, {0x1F, 2, 5, 16, 0x502, 0},
    };
    struct fake fake = {0};
    struct cpuid_walk walk = {.read = fake_read, .context = &fake, .rows = kept,
                              .capacity = MAX_ROWS};

    (void)state;
    fake = (struct fake){rows, 4, 0x1F, 3, false};
    cpuid_walk_all(&walk);
    assert_int_equal(count_of(&walk, 0x1F), 4);
    assert_false(fake.is_out_of_range);
}

static void a_list_without_end_is_cut_at_its_cap(void **state)
{
    static struct cpuid_row rows[80] = {{0, 0, 0xB, 0, 0, 0}};
    struct fake fake;

    (void)state;
    for (uint32_t i = 1; i < 80; i++)
        rows[i] = (struct cpuid_row){0xB, i - 1, 1, 1, 0x100, 0};
    struct cpuid_walk walk = WALK(&fake, rows);
    assert_int_equal(count_of(&walk, 0xB), 64);
}

static void sub_leaf_zero_tells_the_highest_one(void **state)
{
    const struct cpuid_row rows[] = {
        {0, 0, 0x18, 0, 0, 0}, {7, 0, 2, 0, 0, 0}, {0x14, 0, 1, 0, 0, 0}, {0x18, 0, 8, 0, 0, 0},
    };
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_int_equal(count_of(&walk, 7), 3);
    assert_int_equal(count_of(&walk, 0x14), 2);
    assert_int_equal(count_of(&walk, 0x18), 9);
    assert_int_equal(count_of(&walk, 0x17), 1);
}

static void a_bit_stands_for_each_sub_leaf(void **state)
{
    const struct cpuid_row rows[] = {
        {0, 0, 0x23, 0, 0, 0},
        {0xD, 0, 0x207, 0, 0, 0}, {0xD, 1, 0xF, 0, 0x1800, 0},
        {0xF, 0, 0, 0, 0, 2}, {0x10, 0, 0, 0xE, 0, 0}, {0x23, 0, 0x2B, 0, 0, 0},
    };
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    /* x87 and SSE have no sub-leaf of their own; AVX, PKRU, CET user and supervisor. */
    assert_int_equal(count_of(&walk, 0xD), 2 + 4);
    assert_true(has(&walk, 0xD, 2) && has(&walk, 0xD, 9) && has(&walk, 0xD, 11) &&
                has(&walk, 0xD, 12));
    assert_int_equal(count_of(&walk, 0xF), 2);
    assert_int_equal(count_of(&walk, 0x10), 4);
    assert_int_equal(count_of(&walk, 0x23), 4);
    assert_true(has(&walk, 0x23, 1) && has(&walk, 0x23, 3) && has(&walk, 0x23, 5));
}

static void sgx_sub_leaves_need_sgx(void **state)
{
    const struct cpuid_row without[] = {{0, 0, 0x12, 0, 0, 0}, {0x12, 0, 3, 0, 0, 0}};
    const struct cpuid_row with[] = {{0, 0, 0x12, 0, 0, 0}, {7, 0, 0, 4, 0, 0},
                                     {0x12, 0, 3, 0, 0, 0}, {0x12, 2, 1, 0, 0, 0}};
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, without);

    (void)state;
    assert_int_equal(count_of(&walk, 0x12), 1);
    walk = WALK(&fake, with);
    assert_int_equal(count_of(&walk, 0x12), 4);
}

static void hypervisor_leaves_are_read_under_a_hypervisor_only(void **state)
{
    struct cpuid_row rows[] = {{0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 0, 0},
                               {0x40000000, 0, 0x40000001, 0, 0, 0}};
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_false(has(&walk, 0x40000000, 0));
    rows[1].ecx = 1u << 31;
    walk = WALK(&fake, rows);
    assert_true(has(&walk, 0x40000000, 0) && has(&walk, 0x40000001, 0));
}

/* An Intel CPU answers an unknown range with its highest basic leaf. */
static void a_range_that_is_not_there_is_not_walked(void **state)
{
    const struct cpuid_row rows[] = {{0, 0, 1, 0, 0, 0}, {0x80000000, 0, 0x12345678, 0, 0, 0},
                                     {0xC0000000, 0, 0x00000001, 7, 7, 7}};
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_int_equal(count_of(&walk, 0x80000000), 1);
    assert_false(has(&walk, 0x80000001, 0));
    assert_false(has(&walk, 0xC0000000, 0));
}

static void centaur_leaves_are_read_where_they_are(void **state)
{
    const struct cpuid_row rows[] = {{0, 0, 1, 0, 0, 0}, {0xC0000000, 0, 0xC0000004, 0, 0, 0}};
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_true(has(&walk, 0xC0000000, 0) && has(&walk, 0xC0000004, 0));
}

static void a_nonsense_maximum_is_not_followed(void **state)
{
    const struct cpuid_row rows[] = {{0, 0, 0xFFFFFFFF, 0, 0, 0}};
    struct fake fake;
    struct cpuid_walk walk = WALK(&fake, rows);

    (void)state;
    assert_in_range(walk.count, 2, 600);
}

static void rows_beyond_the_room_are_counted_as_cut(void **state)
{
    const struct cpuid_row rows[] = {{0, 0, 9, 0, 0, 0}};
    struct fake fake = {rows, 1, 9, 0, false};
    struct cpuid_walk walk = {.read = fake_read, .context = &fake, .rows = kept, .capacity = 4};

    (void)state;
    memset(kept, 0xEE, sizeof(kept));
    cpuid_walk_all(&walk);
    assert_int_equal(walk.count, 4);
    assert_true(walk.is_cut);
    assert_int_equal(kept[4].leaf, 0xEEEEEEEE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cpu_without_anything_gives_its_two_first_leaves),
        cmocka_unit_test(lists_end_with_their_type_of_zero),
        cmocka_unit_test(leaf_1f_is_read_no_further_than_its_end),
        cmocka_unit_test(a_list_without_end_is_cut_at_its_cap),
        cmocka_unit_test(sub_leaf_zero_tells_the_highest_one),
        cmocka_unit_test(a_bit_stands_for_each_sub_leaf),
        cmocka_unit_test(sgx_sub_leaves_need_sgx),
        cmocka_unit_test(hypervisor_leaves_are_read_under_a_hypervisor_only),
        cmocka_unit_test(a_range_that_is_not_there_is_not_walked),
        cmocka_unit_test(centaur_leaves_are_read_where_they_are),
        cmocka_unit_test(a_nonsense_maximum_is_not_followed),
        cmocka_unit_test(rows_beyond_the_room_are_counted_as_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
