/* report.txt: the table that `table=` asked for, to be pasted as it stands. */
#include "kernel/report/bench_parts.h"

#include "kernel/report/fixed.h"
#include "kernel/report/text.h"
#include "kernel/stats/bench_tables.h"

static const char *const titles[] = {
    [BENCH_TABLE_NONE] = "",
    [BENCH_TABLE_SIZES] = "Clearing by size",
    [BENCH_TABLE_WALK] = "Walk of 1G pages",
    [BENCH_TABLE_CHUNKS] = "Clearing by bytes per call",
};

static uint64_t row_of(const struct bench_results *bench, const struct bench_setting *setting)
{
    return bench->table == BENCH_TABLE_CHUNKS ? setting->extent_bytes : setting->region_bytes;
}

/* Candidates and controls are measured in a setting of their own: its row is there. */
static bool is_told_before(const struct bench_results *bench, const struct bench_setting *setting)
{
    for (const struct bench_setting *other = bench->settings; other < setting; other++)
        if (other->region_bytes == setting->region_bytes && other->node == setting->node &&
            other->extent_bytes == setting->extent_bytes && other->state == setting->state &&
            other->page_bytes == setting->page_bytes && other->placement == setting->placement)
            return true;
    return false;
}

/* Against the variant that the newest kernel takes. */
static void put_speedup(struct text_table *table, const struct bench_results *bench,
                        const struct bench_setting *setting, const struct bench_cell *cell)
{
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        const struct bench_cell *pick = &bench->cells[setting->first_cell + i];
        if (!pick->is_pick || pick->is_repeat || pick->block_count == 0 || pick == cell)
            continue;
        int64_t ppm = (int64_t)fixed_muldiv(pick->median_cycles_q8, 1000000,
                                            cell->median_cycles_q8) - 1000000;
        char text[32];
        struct textbuf out;
        textbuf_init(&out, text, sizeof text);
        if (ppm >= 0)
            textbuf_putc(&out, '+');
        fixed_put(&out, ppm / 100, 2);
        textbuf_put(&out, " %");
        text_cell(table, "%s", text);
        return;
    }
    text_cell(table, cell->is_pick ? "*" : "-");
}

static void put_published(struct text_table *table, const struct bench_results *bench,
                          const struct machine_facts *facts, const struct bench_setting *setting,
                          const struct bench_cell *cell)
{
    struct bench_published value;
    char text[96];
    struct textbuf out;
    textbuf_init(&out, text, sizeof text);
    if (facts != NULL && facts->cpu_count != 0 &&
        bench_published_find(facts, &facts->cpus[0], (enum bench_table)bench->table,
                             bench->variants[cell->variant].id, row_of(bench, setting), &value)) {
        fixed_put(&out, value.hundredths, 2);
        if (value.to_hundredths != 0) {
            textbuf_put(&out, " to ");
            fixed_put(&out, value.to_hundredths, 2);
        }
        textbuf_printf(&out, " %s (%s, %s)", value.unit, value.family, value.source);
    } else {
        textbuf_put(&out, "-");
    }
    if (cell->implausible != NULL)
        textbuf_put(&out, " implausible");
    text_cell(table, "%s", text);
}

void text_bench_table(struct textbuf *out, const struct bench_results *bench,
                      const struct machine_facts *facts)
{
    static const struct text_column columns[] = {
        { "size", 6, false }, { "a call", 6, false }, { "variant", 9, false },
        { "GiB/s", 7, true }, { "pstdev", 7, true }, { "speedup", 10, true },
        { "published for this family", 30, false },
    };
    struct text_table table;
    if (bench->table == BENCH_TABLE_NONE)
        return;
    textbuf_printf(out, "\n%s (GiB/s are 2^30 bytes a second; speedup against *)\n\n",
                   titles[bench->table]);
    text_table_begin(&table, out, columns, 7);
    for (uint32_t i = 0; i < bench->setting_count; i++) {
        const struct bench_setting *setting = &bench->settings[i];
        for (uint32_t k = 0; k < setting->cell_count && !is_told_before(bench, setting); k++) {
            const struct bench_cell *cell = &bench->cells[setting->first_cell + k];
            if (cell->is_repeat || cell->block_count == 0 ||
                setting->placement != BENCH_PLACE_ONE ||
                bench->variants[cell->variant].tier != VARIANT_MANDATORY)
                continue;
            text_cell_size(&table, setting->region_bytes);
            text_cell_size(&table, setting->extent_bytes);
            text_cell(&table, "%s", bench->variants[cell->variant].id);
            text_cell_gib_per_s(&table, cell->bytes_per_s);
            text_cell_spread(&table, cell);
            put_speedup(&table, bench, setting, cell);
            put_published(&table, bench, facts, setting, cell);
        }
    }
}
