/* Start-up fit and break-even by hand; closure with the counts published for Rome. */
#include "tests/unit/unit_test.h"

#include "kernel/stats/bench_after.h"
#include "kernel/stats/bench_counters.h"
#include "kernel/stats/bench_results.h"

static void test_fit_of_a_line(void **state)
{
    struct bench_startup startup = { 0 };
    (void)state;
    for (uint32_t i = 0; i < BENCH_STARTUP_LENGTHS; i++) /* 40 cycles + 66 a page */
        startup.cycles_q8[i] = (40 + 66ull * (1u << i)) << 8;
    bench_startup_fit(&startup);
    assert_int_equal(startup.start_cycles_q8, 40 << 8);
    assert_int_equal(startup.page_cycles_q8, 66 << 8);
}

/* By hand: x = 1 2 4 8 16, y = 110 130 190 270 490 has b = 18760/744 and a = 81.7. */
static void test_fit_of_points(void **state)
{
    static const uint64_t cycles[BENCH_STARTUP_LENGTHS] = { 110, 130, 190, 270, 490 };
    struct bench_startup startup = { 0 };
    (void)state;
    for (uint32_t i = 0; i < BENCH_STARTUP_LENGTHS; i++)
        startup.cycles_q8[i] = cycles[i] << 8;
    bench_startup_fit(&startup);
    assert_int_equal(startup.page_cycles_q8 >> 8, 25);
    assert_int_equal(startup.start_cycles_q8 >> 8, 81);
}

static struct bench_consumer row(uint64_t clear, uint64_t read)
{
    return (struct bench_consumer){ .extent_bytes = 65536, .clear_cycles_q8 = clear << 8,
                                    .has_reader = { true }, .read_cycles_q8 = { read << 8 } };
}

static void test_break_even(void **state)
{
    struct bench_consumer pick = row(12, 2), slow = row(13, 1), cold = row(8, 18),
                          cheap = row(8, 5);
    (void)state;
    bench_consumer_compare(&slow, &pick);
    assert_int_equal(slow.break_even[0], BREAK_EVEN_NEVER_AHEAD);
    bench_consumer_compare(&cold, &pick); /* 4 gained, 16 lost a line: a quarter */
    assert_int_equal(cold.break_even[0], BREAK_EVEN_AT);
    assert_int_equal(cold.break_even_bytes[0], 16384);
    bench_consumer_compare(&cheap, &pick); /* 4 gained, 3 lost */
    assert_int_equal(cheap.break_even[0], BREAK_EVEN_BEYOND);
    assert_int_equal(cheap.break_even[1], BREAK_EVEN_NONE);
}

/* 128 GiB on Rome: 2^31 lines, L1 misses of stosq as posted [clear 2.3]. */
static void test_closure_on_rome(void **state)
{
    static uint8_t storage[4096];
    static struct clear_variant variants[] = { { .id = "stosq" }, { .id = "movnti8",
                                                                    .instructions_q4 = 11 * 16 } };
    static struct bench_setting setting = { .extent_bytes = 1ull << 30 };
    static struct bench_cell cells[] = { { .variant = 0 }, { .variant = 1 } };
    static struct bench_counted counted[] = {
        { .cell = 0, .lines = 1ull << 31, .counts = { 2152320887ull, UINT64_MAX } },
        { .cell = 1, .lines = 1ull << 31, .counts = { 0, 24803436135ull } }, /* 11.55 a line */
    };
    struct bench_results results = { .variants = variants, .settings = &setting, .cells = cells };
    struct bench_counters counters = {
        .events = { { .generic = "L1-dcache-load-misses", .event = 0x60, .umask = 0xc8 },
                    { .generic = "instructions", .event = 0xc0 } },
        .event_count = 2, .cells = counted, .cell_count = 2,
    };
    struct arena arena;
    (void)state;
    arena_init(&arena, storage, sizeof storage);
    assert_true(bench_closure_check(&results, &counters, &arena));
    assert_int_equal(counters.closure_count, 3);
    assert_string_equal(counters.closures[0].quantity, "fills");
    assert_int_equal(counters.closures[0].seen_milli, 1002);
    assert_true(counters.closures[0].is_met);
    assert_string_equal(counters.closures[1].quantity, "instructions");
    assert_int_equal(counters.closures[1].seen_milli, 11550);
    assert_false(counters.closures[1].is_met); /* their count has the page faults in it */
    assert_true(counters.closures[2].is_met);
    setting.extent_bytes = 4096; /* the calls' own instructions would count */
    assert_true(bench_closure_check(&results, &counters, &arena));
    assert_int_equal(counters.closure_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_of_a_line),
        cmocka_unit_test(test_fit_of_points),
        cmocka_unit_test(test_break_even),
        cmocka_unit_test(test_closure_on_rome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
