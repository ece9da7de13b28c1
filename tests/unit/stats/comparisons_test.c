/* Which cells are compared, and what takes a verdict away. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/comparisons.h"
#include "kernel/stats/plausible.h"
#include "kernel/stats/summary.h"
#include "tests/unit/stats/fake_cpu.h"

enum { BLOCKS = 30, CELLS = 4, STOSB = 0, MOVNTI = 1, READ = 2, TSC_HZ = 2000000000 };

static const struct clear_variant variants[] = {
    { .id = "stosb", .tier = VARIANT_MANDATORY },
    { .id = "movnti8", .tier = VARIANT_MANDATORY },
    { .id = "read", .tier = VARIANT_CONTROL },
};

struct fixture {
    struct bench_results results;
    struct bench_setting setting;
    struct bench_cell cells[CELLS];
    struct bench_block blocks[CELLS][BLOCKS];
    struct bench_verdict verdicts[CELLS];
    struct verdict_scratch scratch;
};

/* stosb, movnti8 at `ratio_percent` of its time, read, stosb again; noise of 0.3 %. */
static struct fixture *fixture_of(uint32_t ratio_percent)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct rng rng = rng_of(21, 0);
    static const uint32_t variant_of[CELLS] = { STOSB, MOVNTI, READ, STOSB };
    f->setting = (struct bench_setting){ .extent_bytes = 4096, .is_primary = true,
                                         .cell_count = CELLS };
    f->results = (struct bench_results){
        .seed = 1, .delta_ppm = 20000, .tsc_hz = TSC_HZ, .variants = variants,
        .variant_count = 3, .settings = &f->setting, .setting_count = 1, .cells = f->cells,
        .cell_count = CELLS, .verdicts = f->verdicts,
    };
    for (uint32_t i = 0; i < CELLS; i++) {
        f->cells[i] = (struct bench_cell){ .variant = variant_of[i], .is_repeat = i == 3,
                                           .is_pick = variant_of[i] == STOSB,
                                           .blocks = f->blocks[i], .block_count = BLOCKS };
        for (uint32_t k = 0; k < BLOCKS; k++) {
            uint64_t cycles = 256 * (i == 1 ? 1000 * ratio_percent : 100000);
            cycles += cycles / 1000 * rng_below(&rng, 7) - cycles / 1000 * 3;
            f->blocks[i][k] = (struct bench_block){ .median_cycles_q8 = cycles,
                                                    .all_median_cycles_q8 = cycles,
                                                    .sample_count = 100, .used_count = 100 };
        }
        summary_of_cell(&f->cells[i], &f->setting, TSC_HZ);
    }
    return f;
}

static const struct bench_verdict *verdict_on(const struct fixture *f, uint32_t cell)
{
    for (uint32_t i = 0; i < f->results.verdict_count; i++)
        if (f->verdicts[i].cell_b == cell)
            return &f->verdicts[i];
    return NULL;
}

static void the_pick_is_compared_with_every_other_cell(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(150);
    comparisons_decide(&f->results, &f->scratch);
    assert_int_equal(f->results.verdict_count, 3);
    assert_int_equal(verdict_on(f, 1)->kind, BENCH_PRIMARY);
    assert_int_equal(verdict_on(f, 2)->kind, BENCH_EXPLORATORY); /* a control */
    assert_int_equal(verdict_on(f, 3)->kind, BENCH_SAME_AGAINST_SAME);
    assert_int_equal(verdict_on(f, 1)->outcome, BENCH_DIFFERENT);
    assert_in_range(verdict_on(f, 1)->ratio_ppm, 1495000, 1505000);
    assert_int_equal(verdict_on(f, 3)->outcome, BENCH_EQUIVALENT);
    assert_true(verdict_on(f, 1)->noise_floor_ppm > 0);
    free(f);
}

static void a_void_note_leaves_no_verdict(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(150);
    struct bench_note note = { .id = "hypervisor", .is_void = true, .text = "" };
    f->results.notes = &note;
    f->results.note_count = 1;
    comparisons_decide(&f->results, &f->scratch);
    for (uint32_t i = 0; i < f->results.verdict_count; i++) {
        assert_int_equal(f->verdicts[i].outcome, BENCH_NO_VERDICT);
        assert_string_equal(f->verdicts[i].why, "hypervisor");
    }
    free(f);
}

/* The 35 % of 2017: time differs because the clock does, cycles do not. */
static void different_clocks_are_compared_in_core_cycles(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(135);
    for (uint32_t i = 0; i < CELLS; i++)
        for (uint32_t k = 0; k < BLOCKS; k++)
            f->blocks[i][k].core_hz = i == 1 ? 2000000000 : 2700000000;
    for (uint32_t i = 0; i < CELLS; i++)
        summary_of_cell(&f->cells[i], &f->setting, TSC_HZ);
    comparisons_decide(&f->results, &f->scratch);
    assert_true(verdict_on(f, 1)->is_core_cycles);
    assert_in_range(verdict_on(f, 1)->ratio_ppm, 995000, 1005000);
    assert_int_equal(verdict_on(f, 1)->outcome, BENCH_EQUIVALENT);
    assert_false(verdict_on(f, 2)->is_core_cycles);
    free(f);
}

static void a_control_that_differs_takes_the_others_along(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(150);
    for (uint32_t k = 0; k < BLOCKS; k++)
        f->blocks[3][k].median_cycles_q8 = f->blocks[3][k].median_cycles_q8 / 100 * 105;
    comparisons_decide(&f->results, &f->scratch);
    assert_int_equal(verdict_on(f, 1)->outcome, BENCH_INCONCLUSIVE);
    assert_non_null(strstr(verdict_on(f, 1)->why, "against itself"));
    free(f);
}

static void many_smis_leave_no_verdict(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(150);
    f->cells[1].flag_counts[BENCH_FLAG_SMI] = f->cells[1].sample_count / 10;
    comparisons_decide(&f->results, &f->scratch);
    assert_int_equal(verdict_on(f, 1)->outcome, BENCH_NO_VERDICT);
    assert_int_equal(verdict_on(f, 2)->outcome, BENCH_EQUIVALENT);
    free(f);
}

/* Marked samples made it look equal: with all of them it is not. */
static void a_verdict_that_hangs_on_marked_samples_is_none(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(100);
    for (uint32_t k = 0; k < BLOCKS; k++)
        f->blocks[1][k].all_median_cycles_q8 *= 2;
    comparisons_decide(&f->results, &f->scratch);
    assert_int_equal(verdict_on(f, 1)->outcome, BENCH_INCONCLUSIVE);
    assert_non_null(strstr(verdict_on(f, 1)->why, "marked"));
    free(f);
}

static void summary_has_rates_spread_and_interval(void **state)
{
    (void)state;
    struct bench_block blocks[6];
    static const uint64_t cycles[6] = { 1000, 1010, 990, 1000, 1020, 980 };
    for (int i = 0; i < 6; i++)
        blocks[i] = (struct bench_block){ .median_cycles_q8 = cycles[i] * 256,
                                          .sample_count = 10, .used_count = 9 };
    struct bench_cell cell = { .blocks = blocks, .block_count = 6 };
    struct bench_setting setting = { .extent_bytes = 8192 };
    summary_of_cell(&cell, &setting, TSC_HZ);
    assert_int_equal(cell.median_cycles_q8, 1000 * 256);
    assert_int_equal(cell.low_cycles_q8, 980 * 256);  /* six values: least and most */
    assert_int_equal(cell.high_cycles_q8, 1020 * 256);
    assert_int_equal(cell.page_cycles_q8, 500 * 256);
    assert_true(cell.bytes_per_s == 16384000000);     /* 8 KiB in 500 ns */
    assert_in_range(cell.sd_ppm, 12900, 12920);       /* sqrt(1000/6) / 1000 */
    assert_int_equal(cell.sample_count, 60);
    assert_int_equal(cell.used_count, 54);
}

static void implausible_values_are_remarked_not_changed(void **state)
{
    (void)state;
    static struct fake_machine machine;
    static uint8_t memory[4096];
    struct arena arena;
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0x830f10, 0, 0, 0); /* Rome: stos 11 to 12.5 GiB/s */
    struct bench_setting setting = { .extent_bytes = 2 << 20, .region_bytes = 4ull << 30 };
    const struct clear_variant *stosb = &variants[STOSB];
    const uint64_t gib = 1ull << 30;
#define REMARK(rate) \
    plausible_remark(&machine.facts, &machine.cpus[0], stosb, &setting, (rate), &arena)
    assert_null(REMARK(12 * gib));
    assert_null(REMARK(6 * gib));
    assert_non_null(REMARK(5 * gib));
    assert_non_null(strstr(REMARK(30 * gib), "Rome: 11.0 to 12.5"));
    setting.region_bytes = 16 << 20; /* may sit in the caches */
    assert_null(REMARK(30 * gib));
#undef REMARK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pick_is_compared_with_every_other_cell),
        cmocka_unit_test(a_void_note_leaves_no_verdict),
        cmocka_unit_test(different_clocks_are_compared_in_core_cycles),
        cmocka_unit_test(a_control_that_differs_takes_the_others_along),
        cmocka_unit_test(many_smis_leave_no_verdict),
        cmocka_unit_test(a_verdict_that_hangs_on_marked_samples_is_none),
        cmocka_unit_test(summary_has_rates_spread_and_interval),
        cmocka_unit_test(implausible_values_are_remarked_not_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
