/* report.json: what the counter passes counted, and the closure. */
#include "kernel/report/bench_parts.h"

#include "kernel/stats/bench_counters.h"

static void put_events(struct json *json, const struct bench_counters *counters)
{
    json_open_array(json, "events");
    for (uint32_t i = 0; i < counters->event_count; i++) {
        const struct bench_counted_event *event = &counters->events[i];
        json_open_object(json, NULL);
        json_text(json, "event", event->generic);
        json_text(json, "counts_here", event->name);
        json_text(json, "unit", event->unit);
        json_bool(json, "is_fixed", event->is_fixed);
        json_u64(json, "select", event->event);
        json_u64(json, "umask", event->umask);
        json_u64(json, "pass", event->pass);
        json_end(json);
    }
    json_end(json);
}

static void put_cell_of(struct json *json, const struct bench_results *bench, uint32_t cell)
{
    json_u64(json, "cell", cell);
    json_text(json, "variant", bench->variants[bench->cells[cell].variant].id);
    json_u64(json, "setting", bench->cells[cell].setting);
}

static void put_counts(struct json *json, const struct bench_results *bench)
{
    const struct bench_counters *counters = bench->counters;
    json_open_array(json, "results");
    for (uint32_t i = 0; i < counters->cell_count; i++) {
        json_open_object(json, NULL);
        put_cell_of(json, bench, counters->cells[i].cell);
        json_u64(json, "lines", counters->cells[i].lines);
        json_open_array(json, "counts");
        for (uint32_t event = 0; event < counters->event_count; event++)
            if (counters->cells[i].counts[event] == UINT64_MAX)
                json_no_value(json, NULL);
            else
                json_u64(json, NULL, counters->cells[i].counts[event]);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void put_closure(struct json *json, const struct bench_results *bench)
{
    const struct bench_counters *counters = bench->counters;
    json_open_array(json, "closure");
    for (uint32_t i = 0; i < counters->closure_count; i++) {
        const struct bench_closure *closure = &counters->closures[i];
        json_open_object(json, NULL);
        put_cell_of(json, bench, closure->cell);
        json_text(json, "quantity", closure->quantity);
        json_text(json, "event", counters->events[closure->event].generic);
        json_fixed(json, "expected_low_per_line", (int64_t)closure->low_milli, 3);
        json_fixed(json, "expected_high_per_line", (int64_t)closure->high_milli, 3);
        json_fixed(json, "seen_per_line", (int64_t)closure->seen_milli, 3);
        json_bool(json, "is_met", closure->is_met);
        json_end(json);
    }
    json_end(json);
}

void json_bench_cell_counters(struct json *json, const struct bench_results *bench, uint32_t cell)
{
    const struct bench_counters *counters = bench->counters;
    for (uint32_t i = 0; counters != NULL && i < counters->cell_count; i++) {
        if (counters->cells[i].cell != cell)
            continue;
        json_open_object(json, "counters");
        for (uint32_t event = 0; event < counters->event_count; event++)
            if (counters->cells[i].counts[event] != UINT64_MAX)
                json_u64(json, counters->events[event].generic, counters->cells[i].counts[event]);
        json_end(json);
    }
}

void json_bench_counters(struct json *json, const struct bench_results *bench)
{
    const struct bench_counters *counters = bench->counters;
    if (counters == NULL)
        return;
    json_open_object(json, "counters");
    json_text(json, "pmu", counters->pmu);
    json_text(json, "why_none", counters->why_none);
    json_text(json, "memory", counters->memory);
    json_text(json, "why_no_memory", counters->why_no_memory);
    json_u64(json, "passes", counters->passes);
    json_u64(json, "left_out", counters->left_out);
    put_events(json, counters);
    put_counts(json, bench);
    put_closure(json, bench);
    json_end(json);
}
