/* report.txt: every cell of the bench with its verdict, setting by setting, and the remarks
 * that a row of numbers cannot hold. */
#include "kernel/report/bench_parts.h"

#include <string.h>

#include "kernel/report/fixed.h"
#include "kernel/report/text.h"

enum { LINE_BYTES = 400, NAME_BYTES = 64 };

/* The same condition may be measured twice: for what kernels use, and for all variants. */
static bool has_candidates(const struct bench_results *bench, const struct bench_setting *setting)
{
    for (uint32_t i = 0; i < setting->cell_count; i++)
        if (bench->variants[bench->cells[setting->first_cell + i].variant].tier !=
            VARIANT_MANDATORY)
            return true;
    return false;
}

static void put_setting(struct textbuf *out, const struct bench_results *bench,
                        const struct bench_setting *setting)
{
    char line[LINE_BYTES];
    struct textbuf text;
    textbuf_init(&text, line, sizeof line);
    fixed_put_size(&text, setting->extent_bytes);
    textbuf_put(&text, ", region ");
    fixed_put_size(&text, setting->region_bytes);
    textbuf_put(&text, ", pages ");
    fixed_put_size(&text, setting->page_bytes);
    if (setting->node >= 0)
        textbuf_printf(&text, ", node %d", setting->node);
    textbuf_printf(&text, ", %s before, ", bench_state_name(setting->state));
    if (setting->placement == BENCH_PLACE_ONE)
        textbuf_put(&text, "one CPU");
    else
        textbuf_printf(&text, "%u CPUs (%s)", setting->cpu_count,
                       bench_placement_name(setting->placement));
    textbuf_put(&text, has_candidates(bench, setting) ? ", with candidates and controls" : "");
    textbuf_put(&text, setting->is_primary ? " (primary)" : "");
    textbuf_put(out, "\n");
    text_wrap(out, "extent ", 4, line);
}

static const struct bench_verdict *verdict_on(const struct bench_results *bench, uint32_t cell)
{
    for (uint32_t i = 0; i < bench->verdict_count; i++)
        if (bench->verdicts[i].cell_b == cell)
            return &bench->verdicts[i];
    return NULL;
}

/* Four decimals up to 10: what is larger is as sure with two. */
static void put_ratio(struct textbuf *out, uint64_t ppm)
{
    if (ppm < 10000000)
        fixed_put(out, (int64_t)((ppm + 50) / 100), 4);
    else
        fixed_put(out, (int64_t)((ppm + 5000) / 10000), 2);
}

/* "1.523 DIFFERENT": time against the setting's reference. */
static void put_verdict_cells(struct text_table *table, const struct bench_verdict *verdict)
{
    if (verdict == NULL) {
        text_table_end_row(table);
        return;
    }
    char ratio[32], interval[64];
    struct textbuf text;
    textbuf_init(&text, ratio, sizeof ratio);
    put_ratio(&text, verdict->ratio_ppm);
    text_cell(table, "%s", ratio);
    textbuf_init(&text, interval, sizeof interval);
    if (verdict->high99_ppm == 0) {
        textbuf_put(&text, "-");
    } else {
        put_ratio(&text, verdict->low99_ppm);
        textbuf_put(&text, "-");
        put_ratio(&text, verdict->high99_ppm);
    }
    text_cell(table, "%s", interval);
    text_cell(table, "%s", bench_outcome_name(verdict->outcome));
}

void text_cell_spread(struct text_table *table, const struct bench_cell *cell)
{
    if (bench_has_spread(cell->block_count))
        text_cell_fixed(table, (int64_t)(cell->sd_ppm / 100), 2);
    else
        text_cell(table, "-");
}

static void put_cells(struct textbuf *out, const struct bench_results *bench,
                      const struct bench_setting *setting)
{
    static const struct text_column columns[] = {
        { "variant", 13, false },       { "GiB/s", 7, true },  { "sd %", 6, true },
        { "cycles/page", 11, true },    { "time", 7, true },   { "99 % interval", 15, true },
        { "verdict", 12, false },
    };
    struct text_table table;
    text_table_begin(&table, out, columns, 7);
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        uint32_t index = setting->first_cell + i;
        const struct bench_cell *cell = &bench->cells[index];
        if (cell->block_count == 0)
            continue;
        const struct bench_verdict *verdict = verdict_on(bench, index);
        text_cell(&table, "%s%s", bench->variants[cell->variant].id,
                  cell->is_repeat ? " again" : verdict == NULL ? " *" : "");
        if (strcmp(bench->variants[cell->variant].id, "empty") == 0)
            text_cell(&table, "-"); /* it touches no byte */
        else
            text_cell_gib_per_s(&table, cell->bytes_per_s);
        text_cell_spread(&table, cell);
        text_cell_fixed(&table, (int64_t)fixed_muldiv(cell->page_cycles_q8, 100, 256), 2);
        put_verdict_cells(&table, verdict);
    }
}

/* What a row of numbers cannot say: reasons, MDE, marks, implausible values. */
static void put_remarks(struct textbuf *out, const struct bench_results *bench,
                        const struct bench_setting *setting)
{
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        uint32_t index = setting->first_cell + i;
        const struct bench_cell *cell = &bench->cells[index];
        const struct bench_verdict *verdict = verdict_on(bench, index);
        char line[LINE_BYTES], name[NAME_BYTES];
        struct textbuf text;
        textbuf_init(&text, name, sizeof name);
        textbuf_printf(&text, "%s%s", bench->variants[cell->variant].id,
                       cell->is_repeat ? " again" : "");
        if (verdict != NULL && verdict->outcome == BENCH_INCONCLUSIVE) {
            textbuf_init(&text, line, sizeof line);
            textbuf_put(&text, verdict->why);
            if (bench_has_spread(verdict->blocks)) {
                textbuf_put(&text, "; smallest detectable difference ");
                fixed_put(&text, (int64_t)(verdict->mde_ppm / 100), 2);
                textbuf_printf(&text, " %% with %u blocks", verdict->blocks);
            }
            if (verdict->blocks_needed != 0)
                textbuf_printf(&text, ", %u needed for delta", verdict->blocks_needed);
            textbuf_put(out, "  ");
            textbuf_put(out, name);
            text_wrap(out, ": ", 4, line);
        }
        if (cell->cpu_max_bytes_per_s != 0) {
            textbuf_printf(out, "  %s: GiB/s of each CPU from ", name);
            fixed_put_gib_per_s(out, cell->cpu_min_bytes_per_s);
            textbuf_put(out, " to ");
            fixed_put_gib_per_s(out, cell->cpu_max_bytes_per_s);
            textbuf_putc(out, '\n');
        }
        if (cell->implausible != NULL) {
            textbuf_put(out, "  ");
            textbuf_put(out, name);
            text_wrap(out, ": implausible, ", 4, cell->implausible);
        }
        for (uint32_t flag = 0; flag < BENCH_FLAG_COUNT; flag++)
            if (cell->flag_counts[flag] != 0 && flag != BENCH_FLAG_FIRST)
                textbuf_printf(out, "  %s: %u of %u samples marked %s\n", name,
                               cell->flag_counts[flag], cell->sample_count,
                               bench_flag_name((enum bench_flag)flag));
    }
}

static bool has_mark(const struct bench_results *bench, enum bench_flag flag)
{
    for (uint32_t i = 0; i < bench->cell_count; i++)
        if (bench->cells[i].flag_counts[flag] != 0)
            return true;
    return false;
}

void text_bench_cells(struct textbuf *out, const struct bench_results *bench)
{
    textbuf_put(out, "\ntime: against the variant marked *, below 1 is faster\n");
    if (has_mark(bench, BENCH_FLAG_UNEXPLAINED))
        textbuf_put(out, "marked unexplained: longer than three medians of its pass, and nothing "
                         "that was\n    watched says why; such samples are kept\n");
    for (uint32_t i = 0; i < bench->setting_count; i++) {
        put_setting(out, bench, &bench->settings[i]);
        put_cells(out, bench, &bench->settings[i]);
        put_remarks(out, bench, &bench->settings[i]);
    }
}
