/* report.txt: counts per cleared line, one table for each setting, and what does not
 * add up. */
#include "kernel/report/bench_parts.h"

#include <string.h>

#include "kernel/report/fixed.h"
#include "kernel/report/text.h"
#include "kernel/stats/bench_counters.h"

enum { COLUMNS = 6 }; /* variants beside each other in 80 columns */

static void put_events(struct textbuf *out, const struct bench_counters *counters)
{
    static const struct text_column columns[] = {
        { "event", 26, false }, { "pass", 4, true }, { "code", 7, true },
        { "what it counts here", 36, false },
    };
    struct text_table table;
    textbuf_put(out, "\n");
    text_table_begin(&table, out, columns, 4);
    for (uint32_t i = 0; i < counters->event_count; i++) {
        const struct bench_counted_event *event = &counters->events[i];
        text_cell(&table, "%s", event->generic);
        text_cell(&table, "%u", event->pass + 1);
        if (event->is_fixed)
            text_cell(&table, strcmp(event->unit, "core") == 0 ? "fixed" : "free");
        else
            text_cell(&table, "%02x:%02x", event->umask, event->event);
        text_cell(&table, "%s", event->name);
    }
}

/* Counts of up to COLUMNS variants that were counted under the same setting. */
static void put_counts(struct textbuf *out, const struct bench_results *bench, uint32_t first,
                       uint32_t count)
{
    const struct bench_counters *counters = bench->counters;
    struct text_column columns[1 + COLUMNS] = { { "per line", 26, false } };
    struct text_table table;
    for (uint32_t i = 0; i < count; i++) {
        const struct bench_cell *cell = &bench->cells[counters->cells[first + i].cell];
        columns[1 + i] = (struct text_column){ bench->variants[cell->variant].id, 8, true };
    }
    textbuf_put(out, "\n");
    text_table_begin(&table, out, columns, 1 + count);
    for (uint32_t event = 0; event < counters->event_count; event++) {
        text_cell(&table, "%s", counters->events[event].generic);
        for (uint32_t i = 0; i < count; i++) {
            const struct bench_counted *counted = &counters->cells[first + i];
            if (counted->counts[event] == UINT64_MAX || counted->lines == 0)
                text_cell(&table, "-");
            else
                text_cell_fixed(&table, (int64_t)fixed_muldiv(counted->counts[event], 1000,
                                                              counted->lines), 3);
        }
    }
}

static void put_settings(struct textbuf *out, const struct bench_results *bench)
{
    const struct bench_counters *counters = bench->counters;
    for (uint32_t first = 0; first < counters->cell_count;) {
        uint32_t setting = bench->cells[counters->cells[first].cell].setting, count = 0;
        while (first + count < counters->cell_count && count < COLUMNS &&
               bench->cells[counters->cells[first + count].cell].setting == setting)
            count++;
        textbuf_put(out, "\ncounted: extent ");
        fixed_put_size(out, bench->settings[setting].extent_bytes);
        textbuf_put(out, ", region ");
        fixed_put_size(out, bench->settings[setting].region_bytes);
        textbuf_printf(out, ", %llu lines a pass",
                       (unsigned long long)counters->cells[first].lines);
        put_counts(out, bench, first, count);
        first += count;
    }
}

static void put_closure(struct textbuf *out, const struct bench_results *bench)
{
    const struct bench_counters *counters = bench->counters;
    uint32_t met = 0;
    for (uint32_t i = 0; i < counters->closure_count; i++)
        met += counters->closures[i].is_met;
    textbuf_printf(out, "\nclosure: %u of %u counts are what the variant must do\n", met,
                   counters->closure_count);
    for (uint32_t i = 0; i < counters->closure_count; i++) {
        const struct bench_closure *closure = &counters->closures[i];
        if (closure->is_met)
            continue;
        const struct bench_cell *cell = &bench->cells[closure->cell];
        textbuf_printf(out, "  %s, extent ", bench->variants[cell->variant].id);
        fixed_put_size(out, bench->settings[cell->setting].extent_bytes);
        textbuf_printf(out, ": %s per line ", closure->quantity);
        fixed_put(out, (int64_t)closure->seen_milli, 3);
        textbuf_put(out, ", expected ");
        fixed_put(out, (int64_t)closure->low_milli, 3);
        if (closure->high_milli != closure->low_milli) {
            textbuf_put(out, " to ");
            fixed_put(out, (int64_t)closure->high_milli, 3);
        }
        textbuf_printf(out, " (%s)\n", counters->events[closure->event].name);
    }
}

void text_bench_counters(struct textbuf *out, const struct bench_results *bench)
{
    const struct bench_counters *counters = bench->counters;
    if (counters == NULL)
        return;
    textbuf_put(out, "\n");
    if (counters->why_none != NULL) {
        text_pair(out, "counters", "none: %s", counters->why_none);
        return;
    }
    text_pair(out, "counters", "%s; %u passes beside the timed ones", counters->pmu,
              counters->passes);
    if (counters->memory != NULL)
        text_pair(out, "DRAM counters", "%s", counters->memory);
    else
        text_pair(out, "DRAM counters", "no DRAM counter that this image can read on this CPU: %s",
                  counters->why_no_memory);
    if (counters->left_out != 0)
        text_pair(out, "not counted", "%u variants: the budget was spent", counters->left_out);
    put_events(out, counters);
    put_settings(out, bench);
    put_closure(out, bench);
}
