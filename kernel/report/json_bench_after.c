/* report.json: start-up fit, gap scans, consumer cost. */
#include "kernel/report/bench_parts.h"

#include "kernel/report/fixed.h"
#include "kernel/stats/bench_after.h"

static void put_cycles(struct json *json, const char *key, int64_t cycles_q8)
{
    uint64_t size = cycles_q8 < 0 ? (uint64_t)-cycles_q8 : (uint64_t)cycles_q8;
    int64_t milli = (int64_t)fixed_muldiv(size, 1000, 256);
    json_fixed(json, key, cycles_q8 < 0 ? -milli : milli, 3);
}

static void put_gaps(struct json *json, const char *key, const struct bench_gaps *gaps)
{
    if (gaps->observed_us == 0) {
        json_no_value(json, key);
        return;
    }
    json_open_object(json, key);
    json_u64(json, "observed_us", gaps->observed_us);
    json_u64(json, "limit_us", gaps->limit_us);
    json_u64(json, "gaps", gaps->count);
    json_u64(json, "longest_us", gaps->longest_us);
    json_u64(json, "sum_us", gaps->sum_us);
    if (gaps->has_smi_count)
        json_u64(json, "smi_count", gaps->smi_count);
    else
        json_no_value(json, "smi_count");
    json_end(json);
}

static void put_startup(struct json *json, const struct bench_results *bench)
{
    json_open_array(json, "startup");
    for (uint32_t i = 0; i < bench->after->startup_count; i++) {
        const struct bench_startup *startup = &bench->after->startups[i];
        json_open_object(json, NULL);
        json_text(json, "variant", bench->variants[startup->variant].id);
        json_open_array(json, "pages");
        for (uint32_t n = 0; n < BENCH_STARTUP_LENGTHS; n++)
            json_u64(json, NULL, bench_startup_pages(n));
        json_end(json);
        json_open_array(json, "call_cycles");
        for (uint32_t n = 0; n < BENCH_STARTUP_LENGTHS; n++)
            put_cycles(json, NULL, (int64_t)startup->cycles_q8[n]);
        json_end(json);
        put_cycles(json, "start_cycles", startup->start_cycles_q8);
        put_cycles(json, "page_cycles", startup->page_cycles_q8);
        json_end(json);
    }
    json_end(json);
}

static void put_readers(struct json *json, const struct bench_consumer *row)
{
    static const char *const words[] = {
        [BREAK_EVEN_NONE] = "no-pick", [BREAK_EVEN_AT] = "at", [BREAK_EVEN_BEYOND] = "beyond",
        [BREAK_EVEN_NEVER_AHEAD] = "never-ahead",
    };
    json_open_array(json, "readers");
    for (uint32_t i = 0; i < BENCH_READERS; i++) {
        if (!row->has_reader[i])
            continue;
        json_open_object(json, NULL);
        json_text(json, "reader", bench_reader_name((enum bench_reader)i));
        put_cycles(json, "line_cycles", (int64_t)row->read_cycles_q8[i]);
        json_text(json, "break_even", words[row->break_even[i]]);
        if (row->break_even[i] == BREAK_EVEN_AT)
            json_u64(json, "break_even_bytes", row->break_even_bytes[i]);
        else
            json_no_value(json, "break_even_bytes");
        json_end(json);
    }
    json_end(json);
}

static void put_victims(struct json *json, const struct bench_consumer *row)
{
    json_open_array(json, "victims");
    for (uint32_t v = 0; v < BENCH_VICTIMS; v++) {
        if (!row->has_victim[v])
            continue;
        json_open_object(json, NULL);
        json_text(json, "victim", bench_victim_name((enum bench_victim)v));
        json_u64(json, "bytes", row->victim_bytes[v]);
        put_cycles(json, "before_line_cycles", (int64_t)row->victim_before_q8[v]);
        put_cycles(json, "after_line_cycles", (int64_t)row->victim_after_q8[v]);
        json_end(json);
    }
    json_end(json);
}

static void put_consumers(struct json *json, const struct bench_results *bench)
{
    json_open_object(json, "consumer");
    json_u64(json, "blocks", bench->after->consumer_blocks);
    json_u64(json, "left_out", bench->after->left_out);
    json_open_array(json, "results");
    for (uint32_t i = 0; i < bench->after->consumer_count; i++) {
        const struct bench_consumer *row = &bench->after->consumers[i];
        json_open_object(json, NULL);
        json_text(json, "variant", bench->variants[row->variant].id);
        json_bool(json, "is_kernel_pick", row->variant == bench->pick);
        json_u64(json, "extent_bytes", row->extent_bytes);
        put_cycles(json, "clear_line_cycles", (int64_t)row->clear_cycles_q8);
        put_readers(json, row);
        put_victims(json, row);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void json_bench_after(struct json *json, const struct bench_results *bench)
{
    if (bench->after == NULL)
        return;
    json_open_object(json, "gap_scan");
    put_gaps(json, "before", &bench->after->before);
    put_gaps(json, "after", &bench->after->after);
    json_end(json);
    put_startup(json, bench);
    put_consumers(json, bench);
}
