/* report.txt: start-up fit, gap scans, consumer cost. */
#include "kernel/report/bench_parts.h"

#include "kernel/report/fixed.h"
#include "kernel/report/text.h"
#include "kernel/stats/bench_after.h"

static void put_cycles(struct textbuf *out, int64_t cycles_q8)
{
    uint64_t size = cycles_q8 < 0 ? (uint64_t)-cycles_q8 : (uint64_t)cycles_q8;
    int64_t tenths = (int64_t)fixed_muldiv(size, 10, 256);
    fixed_put(out, cycles_q8 < 0 ? -tenths : tenths, 1);
}

static void put_gaps(struct textbuf *out, const char *label, const struct bench_gaps *gaps)
{
    char smi[48] = "";
    struct textbuf text;
    if (gaps->observed_us == 0)
        return;
    textbuf_init(&text, smi, sizeof smi);
    if (gaps->has_smi_count)
        textbuf_printf(&text, ", %llu SMIs", (unsigned long long)gaps->smi_count);
    text_pair(out, label, "%llu of %llu us or more in %llu ms, longest %llu us%s",
              (unsigned long long)gaps->count, (unsigned long long)gaps->limit_us,
              (unsigned long long)(gaps->observed_us / 1000),
              (unsigned long long)gaps->longest_us, smi);
}

static void put_startup(struct textbuf *out, const struct bench_results *bench)
{
    for (uint32_t i = 0; i < bench->after->startup_count; i++) {
        const struct bench_startup *startup = &bench->after->startups[i];
        char line[160];
        struct textbuf text;
        textbuf_init(&text, line, sizeof line);
        put_cycles(&text, startup->start_cycles_q8);
        textbuf_put(&text, " + ");
        put_cycles(&text, startup->page_cycles_q8);
        textbuf_put(&text, " x pages TSC cycles a call in the caches, 1 to 16 pages; the harness "
                           "is part of it");
        text_pair(out, bench->variants[startup->variant].id, "%s", line);
    }
}

static void put_one(struct text_table *table, bool is_there, uint64_t cycles_q8)
{
    if (is_there)
        text_cell_fixed(table, (int64_t)fixed_muldiv(cycles_q8, 100, 256), 2);
    else
        text_cell(table, "-");
}

static void put_break_even(struct text_table *table, const struct bench_consumer *row)
{
    char cell[40];
    struct textbuf text;
    switch (row->break_even[BENCH_READER_SAME]) {
    case BREAK_EVEN_AT:
        textbuf_init(&text, cell, sizeof cell);
        fixed_put_size(&text, row->break_even_bytes[BENCH_READER_SAME]);
        text_cell(table, "%s", cell);
        return;
    case BREAK_EVEN_BEYOND: text_cell(table, "beyond"); return;
    case BREAK_EVEN_NEVER_AHEAD: text_cell(table, "no gain"); return;
    case BREAK_EVEN_NONE: text_cell(table, "*"); return;
    }
}

static void put_consumers(struct textbuf *out, const struct bench_results *bench)
{
    static const struct text_column columns[] = {
        { "variant", 8, false }, { "extent", 6, true }, { "clear", 7, true },
        { "same", 6, true }, { "sibling", 7, true }, { "core", 6, true },
        { "half L2", 11, true }, { "half LLC", 11, true },
        { "break-even", 10, true },
    };
    struct text_table table;
    if (bench->after->consumer_count == 0)
        return;
    textbuf_printf(out, "\nconsumer cost in TSC cycles a line, medians of %u blocks: clear, then "
                        "read by the\nsame CPU, its sibling, another core; a working set before > after "
                        "a clear; bytes\nthe same CPU may read until the gain on * is lost; -: no "
                        "such CPU here, or a cache\nof unknown size, or larger than the region "
                        "allows\n\n",
                   bench->after->consumer_blocks);
    text_table_begin(&table, out, columns, 9);
    for (uint32_t i = 0; i < bench->after->consumer_count; i++) {
        const struct bench_consumer *row = &bench->after->consumers[i];
        text_cell(&table, "%s", bench->variants[row->variant].id);
        text_cell_size(&table, row->extent_bytes);
        put_one(&table, true, row->clear_cycles_q8);
        for (uint32_t r = 0; r < BENCH_READERS; r++)
            put_one(&table, row->has_reader[r], row->read_cycles_q8[r]);
        for (uint32_t v = 0; v < BENCH_VICTIMS; v++) {
            char cell[40] = "-";
            struct textbuf text;
            if (row->has_victim[v]) {
                textbuf_init(&text, cell, sizeof cell);
                put_cycles(&text, (int64_t)row->victim_before_q8[v]);
                textbuf_put(&text, " > ");
                put_cycles(&text, (int64_t)row->victim_after_q8[v]);
            }
            text_cell(&table, "%s", cell);
        }
        put_break_even(&table, row);
    }
}

void text_bench_after(struct textbuf *out, const struct bench_results *bench)
{
    if (bench->after == NULL)
        return;
    textbuf_put(out, "\n");
    put_gaps(out, "gaps before", &bench->after->before);
    put_gaps(out, "gaps after", &bench->after->after);
    put_startup(out, bench);
    if (bench->after->left_out != 0)
        text_pair(out, "consumers", "%u rows left out: the budget was spent",
                  bench->after->left_out);
    put_consumers(out, bench);
}
