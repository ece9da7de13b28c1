/* The known tables: what they ask the plan for, and the values that were posted; and
 * the settings of other nodes. */
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/bench_tables.h"
#include "tests/unit/stats/fake_cpu.h"

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static uint8_t storage[1 << 22];

static void rome(struct fake_machine *machine)
{
    fake_machine_init(machine, 1, "AuthenticAMD");
    fake_leaf(machine, 1, 0, 0x00830f10, 0, 0, 0); /* family 17h, model 31h: the EPYC 7742 */
}

static void test_published_for_rome(void **state)
{
    struct fake_machine machine;
    struct bench_published value;
    (void)state;
    rome(&machine);
    assert_true(bench_published_find(&machine.facts, machine.cpus, BENCH_TABLE_SIZES, "movnti8",
                                     1 * GIB, &value));
    assert_int_equal(value.hundredths, 1654);
    assert_string_equal(value.family, "Rome");
    assert_true(bench_published_find(&machine.facts, machine.cpus, BENCH_TABLE_WALK, "stosq",
                                     128 * GIB, &value));
    assert_int_equal(value.hundredths, 1133);
    assert_false(bench_published_find(&machine.facts, machine.cpus, BENCH_TABLE_SIZES, "movnti8",
                                      2 * GIB, &value));
    assert_false(bench_published_find(&machine.facts, machine.cpus, BENCH_TABLE_CHUNKS, "stosb",
                                      2 * MIB, &value));
}

/* The 2022 posting gives a range for clzero on Milan, whatever the chunk. */
static void test_published_range(void **state)
{
    struct fake_machine machine;
    struct bench_published value;
    (void)state;
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0x00a00f11, 0, 0, 0);
    assert_true(bench_published_find(&machine.facts, machine.cpus, BENCH_TABLE_CHUNKS, "clzero",
                                     8 * MIB, &value));
    assert_int_equal(value.hundredths, 3900000);
    assert_int_equal(value.to_hundredths, 4600000);
    assert_true(bench_published_find(&machine.facts, machine.cpus, BENCH_TABLE_CHUNKS, "stosb",
                                     32 * MIB, &value));
    assert_int_equal(value.hundredths, 2252500);
    assert_int_equal(value.to_hundredths, 0);
}

static void test_walk_takes_what_fits(void **state)
{
    struct plan_request request = { .usable_bytes = 100 * GIB };
    (void)state;
    assert_int_equal(bench_table_apply(BENCH_TABLE_WALK, 0, &request), 4);
    assert_int_equal(request.size_count, 1);
    assert_int_equal(request.sizes[0], 64 * GIB);
    assert_int_equal(request.extents[0], 1 * GIB);
}

static void test_what_is_given_stays(void **state)
{
    static const uint64_t own[] = { 32 * MIB };
    struct plan_request request = { .usable_bytes = 8 * GIB, .extents = own, .extent_count = 1 };
    (void)state;
    assert_int_equal(bench_table_apply(BENCH_TABLE_CHUNKS, 2, &request), 2);
    assert_ptr_equal(request.extents, own);
    assert_int_equal(request.sizes[0], 4 * GIB);
}

static void test_other_nodes_are_settings(void **state)
{
    static const struct clear_variant variants[] = { { .id = "stosb", .tier = VARIANT_MANDATORY } };
    static const bool runnable[] = { true };
    static const uint64_t pages[] = { 2 * MIB };
    static const struct plan_placement alone = { BENCH_PLACE_ONE, 1 };
    static const struct plan_memory other = { 3, 200 * MIB, pages, 1 };
    struct plan_request request = {
        .variants = variants, .variant_count = 1, .is_runnable = runnable, .pages = pages,
        .page_count = 1, .placements = &alone, .placement_count = 1, .others = &other,
        .other_count = 1, .has_remote_cpu = true, .node = 1, .blocks = 8, .budget_us = 60000000,
        .usable_bytes = 1 * GIB, .assumed_bytes_per_s = 1000000000,
    };
    struct bench_results results = { 0 };
    struct arena arena;
    const char *why;
    uint32_t there = 0, remote = 0;
    (void)state;
    arena_init(&arena, storage, sizeof storage);
    assert_true(plan_build(&request, &arena, &results, &why));
    for (uint32_t i = 0; i < results.setting_count; i++) {
        const struct bench_setting *setting = &results.settings[i];
        if (setting->node == 3) {
            there++;
            assert_int_equal(setting->region_bytes, 128 * MIB);
            assert_false(setting->is_primary);
        }
        if (setting->state == BENCH_STATE_DIRTY_REMOTE) {
            remote++;
            assert_int_equal(setting->node, 1);
        }
    }
    assert_int_equal(there, 1);
    assert_int_equal(remote, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_for_rome),
        cmocka_unit_test(test_published_range),
        cmocka_unit_test(test_walk_takes_what_fits),
        cmocka_unit_test(test_what_is_given_stays),
        cmocka_unit_test(test_other_nodes_are_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
