/* Marks and summaries of passes, on made-up passes and on the recorded case of a
 * machine with system management interrupts (tests/cases/samples-smi). */
#include <stdio.h>
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/samples.h"

enum { MOST = 512 };

struct pass {
    uint64_t cycles[MOST], smi_before[MOST], smi_after[MOST], core_hz[MOST];
    uint32_t flags[MOST], count;
    int64_t scratch[MOST];
};

static struct pass read_case(void)
{
    struct pass pass = { 0 };
    FILE *file = fopen("tests/cases/samples-smi/samples.txt", "r");
    assert_non_null(file);
    unsigned long long iteration, cycles, smi;
    while (pass.count < MOST && fscanf(file, "%llu %llu %llu", &iteration, &cycles, &smi) == 3) {
        pass.cycles[pass.count] = cycles;
        pass.smi_before[pass.count] = pass.count == 0 ? 0 : pass.smi_after[pass.count - 1];
        pass.smi_after[pass.count++] = smi;
    }
    fclose(file);
    assert_int_equal(pass.count, 400);
    return pass;
}

static void samples_hit_by_an_smi_are_known_by_the_counter(void **state)
{
    (void)state;
    struct pass pass = read_case();
    struct samples samples = { .cycles = pass.cycles, .count = pass.count, .calls = 1,
                               .smi_before = pass.smi_before, .smi_after = pass.smi_after };
    samples_mark(&samples, pass.flags, pass.scratch);
    for (uint32_t i = 0; i < pass.count; i++) {
        bool is_hit = i == 57 || i == 58 || i == 201 || i == 333;
        bool is_long = i == 90 || i == 260;
        assert_int_equal(pass.flags[i] >> BENCH_FLAG_SMI & 1, is_hit);
        assert_int_equal(pass.flags[i] >> BENCH_FLAG_UNEXPLAINED & 1, is_long);
    }
    struct bench_block block;
    samples_summarise(&samples, pass.flags, pass.scratch, &block);
    assert_int_equal(block.sample_count, 400);
    assert_int_equal(block.used_count, 396);
    assert_int_equal(block.flag_counts[BENCH_FLAG_SMI], 4);
    assert_in_range(block.median_cycles_q8 / 256, 512, 516);
    assert_in_range(block.max_cycles_q8 / 256, 2804, 2824);
    assert_in_range(block.min_cycles_q8 / 256, 510, 514);
    assert_in_range(block.p99_cycles_q8 / 256, 516, 524);
    assert_in_range(block.p95_cycles_q8 / 256, 516, 522);
}

static void without_a_counter_the_gaps_are_unexplained_and_stay(void **state)
{
    (void)state;
    struct pass pass = read_case();
    struct samples samples = { .cycles = pass.cycles, .count = pass.count, .calls = 1 };
    samples_mark(&samples, pass.flags, pass.scratch);
    struct bench_block block;
    samples_summarise(&samples, pass.flags, pass.scratch, &block);
    assert_int_equal(block.flag_counts[BENCH_FLAG_SMI], 0);
    assert_int_equal(block.flag_counts[BENCH_FLAG_UNEXPLAINED], 6);
    assert_int_equal(block.used_count, 400);
    assert_in_range(block.median_cycles_q8 / 256, 512, 516);
    assert_true(block.max_cycles_q8 / 256 > 400000);
}

/* An SMI between two samples hit neither. */
static void a_count_that_was_there_before_marks_nothing(void **state)
{
    (void)state;
    uint64_t cycles[3] = { 100, 100, 100 }, smi[3] = { 7, 8, 9 }, before[3] = { 7, 8, 8 };
    uint32_t flags[3];
    int64_t scratch[3];
    struct samples samples = { .cycles = cycles, .count = 3, .calls = 1, .smi_after = smi,
                               .smi_before = before };
    samples_mark(&samples, flags, scratch);
    assert_int_equal(flags[0], 0);
    assert_int_equal(flags[1], 0);
    assert_int_equal(flags[2], 1 << BENCH_FLAG_SMI);
}

static void another_core_clock_is_marked_and_left_out(void **state)
{
    (void)state;
    uint64_t cycles[5] = { 100, 100, 100, 150, 100 };
    uint64_t hz[5] = { 3000000000, 3000000000, 3010000000, 2000000000, 3000000000 };
    uint32_t flags[5];
    int64_t scratch[5];
    struct samples samples = { .cycles = cycles, .count = 5, .calls = 1, .core_hz = hz };
    samples_mark(&samples, flags, scratch);
    assert_int_equal(flags[2], 0);
    assert_int_equal(flags[3], 1 << BENCH_FLAG_FREQUENCY);
    struct bench_block block;
    samples_summarise(&samples, flags, scratch, &block);
    assert_int_equal(block.used_count, 4);
    assert_int_equal(block.max_cycles_q8, 100 * 256);
    assert_true(block.core_hz == 3000000000);
}

static void an_announced_warm_up_sample_of_each_turn_is_left_out(void **state)
{
    (void)state;
    uint64_t cycles[4] = { 130, 100, 130, 100 };
    uint32_t flags[4];
    int64_t scratch[4];
    struct samples samples = { .cycles = cycles, .count = 4, .calls = 1,
                               .turn_samples = 2 };
    samples_mark(&samples, flags, scratch);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(flags[i], i % 2 == 0 ? 1 << BENCH_FLAG_FIRST : 0);
}

/* A pass that is mostly marked has no better part: nothing is left out, counts tell. */
static void when_most_samples_are_marked_all_are_used(void **state)
{
    (void)state;
    uint64_t cycles[4] = { 900, 901, 902, 100 }, smi[4] = { 1, 2, 3, 3 }, before[4] = { 0, 1, 2, 3 };
    uint32_t flags[4];
    int64_t scratch[4];
    struct samples samples = { .cycles = cycles, .count = 4, .calls = 1, .smi_before = before,
                               .smi_after = smi };
    struct bench_block block;
    samples_mark(&samples, flags, scratch);
    samples_summarise(&samples, flags, scratch, &block);
    assert_int_equal(block.used_count, 4);
    assert_int_equal(block.flag_counts[BENCH_FLAG_SMI], 3);
    assert_int_equal(block.median_cycles_q8, block.all_median_cycles_q8);
}

static void several_calls_share_the_sample(void **state)
{
    (void)state;
    uint64_t cycles[1] = { 1000 };
    uint32_t flags[1];
    int64_t scratch[1];
    struct samples samples = { .cycles = cycles, .count = 1, .calls = 3 };
    struct bench_block block;
    samples_mark(&samples, flags, scratch);
    samples_summarise(&samples, flags, scratch, &block);
    assert_int_equal(block.median_cycles_q8, 1000 * 256 / 3);
}

static void an_empty_pass_is_all_zero(void **state)
{
    (void)state;
    struct samples samples = { .calls = 1 };
    struct bench_block block;
    memset(&block, 0xff, sizeof block);
    samples_summarise(&samples, NULL, NULL, &block);
    assert_int_equal(block.sample_count, 0);
    assert_int_equal(block.median_cycles_q8, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_hit_by_an_smi_are_known_by_the_counter),
        cmocka_unit_test(without_a_counter_the_gaps_are_unexplained_and_stay),
        cmocka_unit_test(a_count_that_was_there_before_marks_nothing),
        cmocka_unit_test(another_core_clock_is_marked_and_left_out),
        cmocka_unit_test(an_announced_warm_up_sample_of_each_turn_is_left_out),
        cmocka_unit_test(when_most_samples_are_marked_all_are_used),
        cmocka_unit_test(several_calls_share_the_sample),
        cmocka_unit_test(an_empty_pass_is_all_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
