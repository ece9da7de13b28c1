/* Start-up fit and break-even by hand; closure with the counts published for Rome. */
#include <string.h>
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

static void count_traffic(struct bench_counters *counters, const char *variant,
                          const char *const *events, const uint64_t *per_thousand, uint32_t count)
{
    static uint8_t storage[4096];
    static struct clear_variant variants[1];
    static struct bench_setting setting = { .extent_bytes = 2ull << 20 };
    static struct bench_cell cells[1];
    static struct bench_counted counted;
    struct bench_results results = { .variants = variants, .settings = &setting, .cells = cells };
    struct arena arena;
    arena_init(&arena, storage, sizeof storage);
    variants[0] = (struct clear_variant){ .id = variant };
    counted = (struct bench_counted){ .lines = 1ull << 20 };
    *counters = (struct bench_counters){ .cells = &counted, .cell_count = 1,
                                         .event_count = count };
    for (uint32_t i = 0; i < count; i++) {
        counters->events[i] = (struct bench_counted_event){ .generic = events[i] };
        counted.counts[i] = counted.lines * per_thousand[i] / 1000;
    }
    assert_true(bench_closure_check(&results, counters, &arena));
}

static bool is_met(const struct bench_counters *counters, const char *quantity)
{
    for (uint32_t i = 0; i < counters->closure_count; i++)
        if (strcmp(counters->closures[i].quantity, quantity) == 0)
            return counters->closures[i].is_met;
    fail_msg("%s was not compared", quantity);
    return false;
}

/* Read for ownership or not, by what reaches DRAM: the table of [clear 3.8.5]. */
static void test_closure_of_dram(void **state)
{
    static const char *const umc[] = { "ct:umc-cas-rd", "ct:umc-cas-wr" };
    static const char *const imc[] = { "ct:imc-lines-rd", "ct:imc-lines-wr" };
    static const char *const fabric[] = { "ct:df-dram-ch0" };
    static const struct {
        const char *variant;
        uint64_t reads, writes;
        bool is_read, is_written, is_sum; /* which of them the table allows */
    } rows[] = {
        { "orig", 1003, 1004, true, true, true },
        { "orig", 0, 1000, false, true, false },
        { "movnti8", 2, 1001, true, true, true },
        { "movnti8", 1000, 1000, false, true, false },
        { "vmovntdq64", 0, 500, true, false, false },
        { "stosb", 0, 1000, true, true, true },
        { "stosq", 1000, 1000, true, true, true },
        { "stosb", 1500, 1000, false, true, false },
        { "clzero", 0, 0, true, true, true },
        { "clzero", 1000, 1000, false, true, false },
        { "movdir64b", 0, 1000, true, true, true },
        { "avx512_st", 1000, 1000, true, true, true },
    };
    struct bench_counters counters;
    (void)state;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t counts[] = { rows[i].reads, rows[i].writes };
        uint64_t sum = rows[i].reads + rows[i].writes;
        count_traffic(&counters, rows[i].variant, i % 2 == 0 ? umc : imc, counts, 2);
        assert_int_equal(is_met(&counters, "dram-reads"), rows[i].is_read);
        assert_int_equal(is_met(&counters, "dram-writes"), rows[i].is_written);
        count_traffic(&counters, rows[i].variant, fabric, &sum, 1);
        assert_int_equal(is_met(&counters, "dram-requests"), rows[i].is_sum);
    }
    static const char *const requests[] = { "ct:clzero-requests" };
    count_traffic(&counters, "clzero", requests, (const uint64_t[]){ 1001 }, 1);
    assert_true(is_met(&counters, "line-zeros"));
    count_traffic(&counters, "clzero", requests, (const uint64_t[]){ 500 }, 1);
    assert_false(is_met(&counters, "line-zeros"));
    static const char *const streaming[] = { "ct:ocr-streaming-wr-any" };
    count_traffic(&counters, "movdir64b", streaming, (const uint64_t[]){ 0 }, 1);
    assert_false(is_met(&counters, "streaming"));
    count_traffic(&counters, "empty", umc, (const uint64_t[]){ 0, 0 }, 2);
    assert_int_equal(counters.closure_count, 0); /* a control clears nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_of_a_line),
        cmocka_unit_test(test_fit_of_points),
        cmocka_unit_test(test_break_even),
        cmocka_unit_test(test_closure_on_rome),
        cmocka_unit_test(test_closure_of_dram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
