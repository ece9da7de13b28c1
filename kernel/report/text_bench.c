/* report.txt: the clear_page bench: the answer, what voids it, what each kernel picks,
 * the table people post. */
#include <string.h>

#include "kernel/report/bench_parts.h"
#include "kernel/report/fixed.h"
#include "kernel/report/sections.h"
#include "kernel/report/text.h"
#include "kernel/stats/bench_results.h"

enum { LINE_BYTES = 400 };

static void put_notes(struct textbuf *out, const struct bench_results *bench)
{
    for (uint32_t i = 0; i < bench->note_count; i++)
        text_wrap(out, bench->notes[i].is_void ? "NO VERDICT: " : "note: ", 4,
                  bench->notes[i].text);
}

/* Profiles that pick the same by the same words share a line. */
static bool is_same_choice(const struct bench_choice *a, const struct bench_choice *b)
{
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->primitive, b->primitive) == 0;
}

static void put_choices(struct textbuf *out, const struct bench_results *bench)
{
    for (uint32_t i = 0; i < bench->choice_count; i++) {
        uint32_t last = i;
        while (last + 1 < bench->choice_count &&
               is_same_choice(&bench->choices[i], &bench->choices[last + 1]))
            last++;
        char line[LINE_BYTES];
        struct textbuf text;
        textbuf_init(&text, line, sizeof line);
        textbuf_put(&text, bench->choices[i].profile);
        if (last > i)
            textbuf_printf(&text, " to %s", bench->choices[last].profile);
        textbuf_printf(&text, " would use %s: %s", bench->choices[last].variant,
                       bench->choices[last].primitive);
        text_wrap(out, "", 4, line);
        i = last;
    }
    if (bench->choice_count != 0)
        text_wrap(out, "    because ", 4, bench->choices[bench->choice_count - 1].why);
}

static void put_cycles(struct textbuf *out, uint64_t cycles_q8)
{
    fixed_put(out, (int64_t)fixed_muldiv(cycles_q8, 100, 256), 2);
}

static void put_method(struct textbuf *out, const struct bench_results *bench)
{
    text_pair(out, "seed, budget", "%llu, %llu s; planned %llu s, used %llu s for the blocks",
              (unsigned long long)bench->seed, (unsigned long long)(bench->budget_us / 1000000),
              (unsigned long long)(bench->planned_us / 1000000),
              (unsigned long long)(bench->used_us / 1000000));
    char line[LINE_BYTES];
    struct textbuf text;
    textbuf_init(&text, line, sizeof line);
    put_cycles(&text, bench->harness_median_q8);
    textbuf_put(&text, " TSC cycles for an empty call (quartiles ");
    put_cycles(&text, bench->harness_q1_q8);
    textbuf_put(&text, ", ");
    put_cycles(&text, bench->harness_q3_q8);
    textbuf_printf(&text, "), %u calls in a sample; not subtracted", bench->harness_calls);
    text_pair(out, "harness", "%s", line);
    text_pair(out, "warm-up", "%llu runs", (unsigned long long)bench->warm_up_runs);
    if (bench->retaken_passes != 0)
        text_pair(out, "taken again", "%llu passes that were preempted in most samples",
                  (unsigned long long)bench->retaken_passes);
    if (bench->plan_text != NULL)
        text_pair(out, "left out", "%s", bench->plan_text);
}

static const struct bench_cell *find_cell(const struct bench_results *bench,
                                          const struct bench_setting *setting, const char *variant)
{
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        const struct bench_cell *cell = &bench->cells[setting->first_cell + i];
        if (!cell->is_repeat && cell->block_count != 0 &&
            strcmp(bench->variants[cell->variant].id, variant) == 0)
            return cell;
    }
    return NULL;
}

/* The first setting of its size, extent and page. */
static bool is_size_row(const struct bench_results *bench, const struct bench_setting *setting)
{
    for (const struct bench_setting *other = bench->settings; other < setting; other++)
        if (other->region_bytes == setting->region_bytes && other->node == setting->node &&
            other->extent_bytes == setting->extent_bytes && other->state == setting->state &&
            other->page_bytes == setting->page_bytes && other->placement == setting->placement)
            return false;
    return setting->placement == BENCH_PLACE_ONE &&
           find_cell(bench, setting, "stosq") != NULL &&
           find_cell(bench, setting, "movnti8") != NULL;
}

static void put_rate(struct textbuf *out, const struct bench_cell *cell)
{
    fixed_put_gib_per_s(out, cell->bytes_per_s);
    if (!bench_has_spread(cell->block_count)) {
        textbuf_put(out, " (-)");
        return;
    }
    textbuf_put(out, " (");
    fixed_put(out, (int64_t)(cell->sd_ppm / 100), 2);
    textbuf_put(out, " %)");
}

/* Rows in the order of extent and size. */
static const struct bench_setting *next_row(const struct bench_results *bench,
                                            const struct bench_setting *before)
{
    const struct bench_setting *next = NULL;
    for (uint32_t i = 0; i < bench->setting_count; i++) {
        const struct bench_setting *row = &bench->settings[i];
        if (!is_size_row(bench, row))
            continue;
        bool is_later = before == NULL || row->extent_bytes > before->extent_bytes ||
                        (row->extent_bytes == before->extent_bytes &&
                         (row->region_bytes > before->region_bytes ||
                          (row->region_bytes == before->region_bytes && row > before)));
        bool is_sooner = next == NULL || row->extent_bytes < next->extent_bytes ||
                         (row->extent_bytes == next->extent_bytes &&
                          row->region_bytes < next->region_bytes);
        if (is_later && is_sooner)
            next = row;
    }
    return next;
}

static void put_size_table(struct textbuf *out, const struct bench_results *bench)
{
    static const struct text_column columns[] = {
        { "size", 6, false }, { "extent", 6, false }, { "page", 4, false },
        { "stosq GiB/s (pstdev)", 20, true }, { "movnti8 GiB/s (pstdev)", 22, true },
        { "speedup", 9, true },
    };
    const struct bench_setting *row = next_row(bench, NULL);
    if (row == NULL)
        return;
    textbuf_put(out, "\n");
    struct text_table table;
    text_table_begin(&table, out, columns, 6);
    for (; row != NULL; row = next_row(bench, row)) {
        const struct bench_cell *stosq = find_cell(bench, row, "stosq");
        const struct bench_cell *movnti = find_cell(bench, row, "movnti8");
        char stosq_text[40], movnti_text[40], speedup_text[24];
        struct textbuf text;
        text_cell_size(&table, row->region_bytes);
        text_cell_size(&table, row->extent_bytes);
        text_cell_size(&table, row->page_bytes);
        textbuf_init(&text, stosq_text, sizeof stosq_text);
        put_rate(&text, stosq);
        text_cell(&table, "%s", stosq_text);
        textbuf_init(&text, movnti_text, sizeof movnti_text);
        put_rate(&text, movnti);
        text_cell(&table, "%s", movnti_text);
        textbuf_init(&text, speedup_text, sizeof speedup_text);
        int64_t ppm = (int64_t)fixed_muldiv(stosq->median_cycles_q8, 1000000,
                                            movnti->median_cycles_q8) - 1000000;
        if (ppm >= 0)
            textbuf_putc(&text, '+');
        fixed_put(&text, ppm / 100, 2);
        textbuf_put(&text, " %");
        text_cell(&table, "%s", speedup_text);
    }
}

static void put_skips(struct textbuf *out, const struct bench_results *bench)
{
    for (uint32_t i = 0; i < bench->skip_count; i++) {
        textbuf_printf(out, "%s%s", i == 0 ? "\n" : "",
                       bench->variants[bench->skips[i].variant].id);
        text_wrap(out, " cannot run here: ", 4, bench->skips[i].why);
    }
    for (uint32_t i = 0; i < bench->variant_count && bench->is_verified != NULL; i++) {
        bool is_skipped = false;
        for (uint32_t k = 0; k < bench->skip_count; k++)
            is_skipped |= bench->skips[k].variant == i;
        if (!bench->is_verified[i] && !is_skipped)
            textbuf_printf(out, "%s: the memory did not hold what it should\n",
                           bench->variants[i].id);
    }
}

void text_bench(struct textbuf *out, const struct report_model *model)
{
    const struct bench_results *bench = model->bench;
    if (bench == NULL)
        return;
    text_heading(out, "Clearing pages");
    text_bench_answer(out, bench);
    put_notes(out, bench);
    text_pair(out, "measured in", "%s", bench->place);
    put_choices(out, bench);
    put_method(out, bench);
    if (bench->table == 0)
        put_size_table(out, bench);
    else
        text_bench_table(out, bench, model->facts);
    text_bench_cells(out, bench);
    text_bench_after(out, bench);
    text_bench_counters(out, bench);
    put_skips(out, bench);
}
