/* The bench's section of report.txt on made-up results: the answer, columns, headings. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/report/bench_parts.h"
#include "kernel/stats/bench_counters.h"
#include "kernel/stats/comparisons.h"
#include "kernel/stats/summary.h"

enum { BLOCKS = 30, VARIANTS = 4, SETTINGS = 3, CELLS = SETTINGS * (VARIANTS + 1) };
enum { STOSB, CLZERO, MOVDIR64B, EMPTY };

static const struct clear_variant variants[VARIANTS] = {
    { .id = "stosb", .tier = VARIANT_MANDATORY }, { .id = "clzero", .tier = VARIANT_MANDATORY },
    { .id = "movdir64b", .tier = VARIANT_SECOND }, { .id = "empty", .tier = VARIANT_CONTROL },
};

struct fixture {
    struct bench_results results;
    struct bench_setting settings[SETTINGS];
    struct bench_cell cells[CELLS];
    struct bench_block blocks[CELLS][BLOCKS];
    struct bench_verdict verdicts[CELLS];
    struct verdict_scratch scratch;
    char text[16384];
};

static void fill_cell(struct fixture *f, uint32_t index, uint32_t setting, uint32_t variant,
                      uint64_t cycles, struct rng *rng)
{
    f->cells[index] = (struct bench_cell){ .setting = setting, .variant = variant,
                                           .is_pick = variant == STOSB, .block_count = BLOCKS,
                                           .blocks = f->blocks[index] };
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint64_t noisy = (cycles + cycles / 1000 * rng_below(rng, 7)) << 8;
        f->blocks[index][i] = (struct bench_block){ .median_cycles_q8 = noisy,
                                                    .all_median_cycles_q8 = noisy,
                                                    .sample_count = 100, .used_count = 100 };
    }
    summary_of_cell(&f->cells[index], &f->settings[setting], 2000000000);
}

/* 4K: clzero takes a third of stosb's time; 2M: as long; 2M again with all variants, where
 * movdir64b takes 30 times as long. */
static struct fixture *fixture_of(void)
{
    static const uint64_t cycles[SETTINGS][VARIANTS] = {
        { 90000, 30000, 0, 0 }, { 90000, 90000, 0, 0 }, { 90000, 90000, 2700000, 40000 },
    };
    struct fixture *f = calloc(1, sizeof *f);
    struct rng rng = rng_of(3, 0);
    f->results = (struct bench_results){
        .place = "here", .seed = 1, .delta_ppm = 20000, .tsc_hz = 2000000000,
        .variants = variants, .variant_count = VARIANTS, .settings = f->settings,
        .setting_count = SETTINGS, .cells = f->cells, .verdicts = f->verdicts,
    };
    for (uint32_t s = 0; s < SETTINGS; s++) {
        struct bench_setting *setting = &f->settings[s];
        *setting = (struct bench_setting){
            .region_bytes = 128 << 20, .extent_bytes = s == 0 ? 4096 : 2 << 20,
            .page_bytes = 2 << 20, .node = 0, .is_primary = s < 2,
            .first_cell = f->results.cell_count,
        };
        for (uint32_t v = 0; v < VARIANTS; v++)
            if (cycles[s][v] != 0)
                fill_cell(f, f->results.cell_count++, s, v, cycles[s][v], &rng);
        fill_cell(f, f->results.cell_count, s, STOSB, cycles[s][STOSB], &rng);
        f->cells[f->results.cell_count++].is_repeat = true;
        setting->cell_count = f->results.cell_count - setting->first_cell;
    }
    return f;
}

static const char *told(struct fixture *f, void (*tell)(struct textbuf *,
                                                        const struct bench_results *))
{
    struct textbuf out;
    textbuf_init(&out, f->text, sizeof f->text);
    tell(&out, &f->results);
    assert_false(out.is_cut);
    for (const char *line = f->text; *line != 0;) {
        size_t length = strcspn(line, "\n");
        assert_true(length <= 80);
        line += length + (line[length] == '\n');
    }
    return f->text;
}

/* Wrapped lines joined by one blank. */
static const char *flat(char *text)
{
    char *to = text;
    for (const char *from = text; *from != 0; from++)
        if (from[0] == '\n' && from[1] == ' ') {
            from += strspn(from + 1, " ");
            *to++ = ' ';
        } else {
            *to++ = *from;
        }
    *to = 0;
    return text;
}

static void the_answer_names_a_variant_for_each_kind_of_page(void **state)
{
    (void)state;
    struct fixture *f = fixture_of();
    comparisons_decide(&f->results, &f->scratch);
    told(f, text_bench_answer);
    assert_string_equal(flat(f->text),
        "use on this CPU     for 4K faults clzero (0.33 of the time of stosb), for 2M pages "
        "stosb (none is faster), for 1G pages not measured.\n");
    f->settings[0].is_primary = f->settings[1].is_primary = false; /* not asked for */
    assert_string_equal(told(f, text_bench_answer), "");
    free(f);
}

static void what_is_not_decided_is_said_in_the_answer(void **state)
{
    (void)state;
    struct fixture *f = fixture_of();
    f->settings[1].is_primary = false;
    f->cells[1].block_count = 5; /* too few for any verdict */
    comparisons_decide(&f->results, &f->scratch);
    told(f, text_bench_answer);
    assert_non_null(strstr(flat(f->text), "stosb (none was shown to be faster, 1 not decided)"));
    struct bench_note note = { .id = "hypervisor", .is_void = true, .text = "" };
    f->results.notes = &note;
    f->results.note_count = 1;
    assert_string_equal(told(f, text_bench_answer),
                        "use on this CPU     no answer, for the reasons that follow\n");
    free(f);
}

static void no_two_settings_have_the_same_heading(void **state)
{
    (void)state;
    struct fixture *f = fixture_of();
    comparisons_decide(&f->results, &f->scratch);
    told(f, text_bench_cells);
    const char *text = flat(f->text);
    assert_non_null(strstr(text, "extent 2M, region 128M, pages 2M, node 0, dirty before, one CPU "
                                 "(primary)\n"));
    assert_non_null(strstr(text, "extent 2M, region 128M, pages 2M, node 0, dirty before, one CPU, "
                                 "with candidates and controls\n"));
    free(f);
}

/* 30 times the time: columns stay where they are; what touches no byte has no rate. */
static void wide_ratios_keep_the_columns(void **state)
{
    (void)state;
    struct fixture *f = fixture_of();
    comparisons_decide(&f->results, &f->scratch);
    const char *text = told(f, text_bench_cells);
    const char *slow = strstr(text, "\nmovdir64b"), *empty = strstr(text, "\nempty");
    assert_non_null(slow);
    assert_non_null(empty);
    assert_int_equal(strstr(slow, "DIFFERENT") - slow, 13 + 7 + 6 + 11 + 7 + 15 + 6 + 1);
    assert_memory_equal(empty, "\nempty               - ", 23);
    assert_null(strstr(text, "unexplained"));
    f->cells[0].flag_counts[BENCH_FLAG_UNEXPLAINED] = 3;
    assert_non_null(strstr(told(f, text_bench_cells), "longer than three medians"));
    free(f);
}

/* A budget that was over after one block: no deviation, and no difference it could show. */
static void one_block_has_no_spread(void **state)
{
    (void)state;
    struct fixture *f = fixture_of();
    for (uint32_t i = 0; i < f->results.cell_count; i++) {
        f->cells[i].block_count = 1;
        summary_of_cell(&f->cells[i], &f->settings[f->cells[i].setting], 2000000000);
    }
    comparisons_decide(&f->results, &f->scratch);
    told(f, text_bench_cells);
    assert_null(strstr(f->text, " 0.00 "));
    assert_null(strstr(f->text, "detectable"));
    assert_non_null(strstr(f->text, "too few blocks"));
    assert_non_null(strstr(f->text, "      - "));
    free(f);
}

/* Which counters see DRAM is one line, and so is that none does; no line is too long. */
static void dram_counters_are_told_or_why_there_are_none(void **state)
{
    (void)state;
    struct fixture *f = fixture_of();
    struct bench_counted counted = { .cell = 0, .lines = 1000, .counts = { 1002, 3, UINT64_MAX } };
    struct bench_counters counters = {
        .pmu = "AMD PerfMonV2: 6 counters of 48 bits", .memory = "AMD UMC: 8 controllers",
        .events = { { .generic = "ct:umc-cas-rd", .name = "umc_cas_cmd.rd", .unit = "UMC" },
                    { .generic = "ct:imc-lines-wr", .name = "DRAM_DATA_WRITES, whole machine",
                      .unit = "IMC", .is_fixed = true },
                    { .generic = "instructions", .name = "x", .unit = "core",
                      .is_fixed = true } },
        .event_count = 3, .passes = 2, .cells = &counted, .cell_count = 1,
    };
    f->results.counters = &counters;
    const char *text = told(f, text_bench_counters);
    assert_non_null(strstr(text, "DRAM counters       AMD UMC: 8 controllers\n"));
    assert_non_null(strstr(text, "ct:umc-cas-rd                 1.002\n"));
    assert_non_null(strstr(text, "ct:imc-lines-wr               0.003\n"));
    assert_non_null(strstr(text, " free "));
    assert_non_null(strstr(text, " fixed "));
    counters.memory = NULL;
    counters.why_no_memory =
        "those of this model are in PCI space or MMIO and have to be programmed";
    assert_non_null(strstr((told(f, text_bench_counters), flat(f->text)),
                           "no DRAM counter that this image can read on this CPU: those of"));
    counters.why_none = "firmware uses them";
    assert_null(strstr(told(f, text_bench_counters), "DRAM"));
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_names_a_variant_for_each_kind_of_page),
        cmocka_unit_test(what_is_not_decided_is_said_in_the_answer),
        cmocka_unit_test(no_two_settings_have_the_same_heading),
        cmocka_unit_test(wide_ratios_keep_the_columns),
        cmocka_unit_test(one_block_has_no_spread),
        cmocka_unit_test(dram_counters_are_told_or_why_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
