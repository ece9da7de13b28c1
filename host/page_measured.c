/* The page's measurements between CPUs. Every table is left out where its part did not
 * run; times are in the units people use. */
#include "host/export_page.h"
#include "host/json_read.h"

static const double NS = 1e-3;        /* of picoseconds */
static const double MS = 1e-6;        /* of nanoseconds */

static void put_run(struct page *page)
{
    const json_t *measured = json_object_get(page->source->report, "measured");
    const json_t *latency = json_object_get(page->source->report, "latency");

    page_paragraph(page, "Time for it %.1f s, used %.1f s%s.",
                   json_read_or(measured, "budget_ms", 0) / 1e3,
                   json_read_or(measured, "spent_ms", 0) / 1e3,
                   json_read_bool(measured, "is_budget_spent") ? ": not everything had time" : "");
    if (latency)
        page_paragraph(page, "Latency: %.0f of %.0f directed pairs measured, %.0f timed out, %.0f "
                       "left out%s; median of %.0f samples of %.0f round trips, halved.",
                       json_read_or(latency, "pairs_measured", 0),
                       json_read_or(latency, "pairs_possible", 0),
                       json_read_or(latency, "pairs_timed_out", 0),
                       json_read_or(latency, "pairs_left_out", 0),
                       json_read_bool(latency, "is_sampled") ? " (a sample)" : "",
                       json_read_or(latency, "samples_per_pair", 0),
                       json_read_or(latency, "round_trips_per_sample", 0));
}

static void put_classes(struct page *page)
{
    static const char *const header[] = {"declared distance", "pairs", "median ns", "IQR ns", NULL};
    json_t *classes = json_object_get(json_object_get(page->source->report, "latency"), "by_class");
    json_t *one;
    const char *name;

    if (!json_object_size(classes))
        return;
    page_header(page, header);
    json_object_foreach(classes, name, one) {
        page_cell(page, "%s", name);
        page_value(page, json_object_get(one, "pairs"));
        page_number(page, one, "median_ps", NS, 1);
        page_number(page, one, "iqr_ps", NS, 1);
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_groups(struct page *page)
{
    static const char *const header[] = {"level", "CPUs", "inside, median ns", "inside, high ns",
                                         "outside, low ns", "outside, median ns", NULL};
    const json_t *groups = json_object_get(page->source->report, "groups"), *group;
    size_t index;

    if (!groups)
        return;
    page_paragraph(page, "Groups by latency: %s%s%s.", json_read_text(groups, "verdict"),
                   json_read_text(groups, "reason")[0] ? ", " : "", json_read_text(groups, "reason"));
    if (!json_array_size(json_object_get(groups, "list")))
        return;
    page_header(page, header);
    json_array_foreach(json_object_get(groups, "list"), index, group) {
        page_value(page, json_object_get(group, "level"));
        page_cell(page, "%s", json_read_text(group, "cpus"));
        page_number(page, group, "inside_median_ps", NS, 1);
        page_number(page, group, "inside_high_ps", NS, 1);
        page_number(page, group, "outside_low_ps", NS, 1);
        page_number(page, group, "outside_median_ps", NS, 1);
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_agreement(struct page *page)
{
    static const char *const header[] = {"mask", "kernels", "agreement", "claimed", "measured",
                                         "inside, median ns", "across, median ns", NULL};
    const json_t *list = json_object_get(page->source->report, "agreement"), *one;
    size_t index;

    if (!json_array_size(list))
        return;
    page_heading(page, "Masks against latencies");
    page_header(page, header);
    json_array_foreach(list, index, one) {
        page_cell(page, "%s", json_read_text(one, "mask"));
        page_kernels(page, json_object_get(one, "rules"));
        page_cell(page, "%s", json_read_text(one, "agreement"));
        page_cell(page, "%s", json_read_text(one, "claimed_cpus"));
        page_cell(page, "%s", json_read_text(one, "measured_cpus"));
        page_number(page, one, "near_median_ps", NS, 1);
        page_number(page, one, "far_median_ps", NS, 1);
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_contention(struct page *page)
{
    static const char *const header[] = {"CPU", "partner", "declared siblings", "cycles alone",
                                         "cycles with it", "throughput %", "verdict", NULL};
    const json_t *part = json_object_get(page->source->report, "contention"), *pair;
    size_t index;

    if (!json_array_size(json_object_get(part, "pairs")))
        return;
    page_heading(page, "Shared cores");
    page_header(page, header);
    json_array_foreach(json_object_get(part, "pairs"), index, pair) {
        page_value(page, json_object_get(pair, "cpu"));
        page_value(page, json_object_get(pair, "partner_cpu"));
        page_value(page, json_object_get(pair, "is_claimed_sibling"));
        page_value(page, json_object_get(pair, "alone_cycles"));
        page_value(page, json_object_get(pair, "busy_cycles"));
        page_number(page, pair, "throughput_permille", 0.1, 1);
        page_cell(page, "%s", json_read_text(pair, "verdict"));
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_llc(struct page *page)
{
    static const char *const header[] = {"CPU that loads", "CPU that walks", "declared shared",
                                         "own ns/line", "partner ns/line", "memory ns/line",
                                         "verdict", NULL};
    const json_t *part = json_object_get(page->source->report, "llc_sharing"), *pair;
    size_t index;

    if (!json_array_size(json_object_get(part, "pairs")))
        return;
    page_heading(page, "Shared last-level caches");
    page_header(page, header);
    json_array_foreach(json_object_get(part, "pairs"), index, pair) {
        page_value(page, json_object_get(pair, "cpu"));
        page_value(page, json_object_get(pair, "reader_cpu"));
        page_value(page, json_object_get(pair, "is_claimed_shared"));
        page_number(page, pair, "own_ps_per_line", NS, 1);
        page_number(page, pair, "partner_ps_per_line", NS, 1);
        page_number(page, pair, "memory_ps_per_line", NS, 1);
        page_cell(page, "%s", json_read_text(pair, "verdict"));
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_migration(struct page *page)
{
    static const char *const header[] = {"distance", "working set", "pairs", "ns/line", "IQR ns/line",
                                         "TSC cycles/line", "ns/line if it stays", NULL};
    const json_t *part = json_object_get(page->source->report, "migration"), *row;
    char size[24];
    size_t index;

    if (!json_array_size(json_object_get(part, "rows")))
        return;
    page_heading(page, "Migration");
    page_paragraph(page, "One CPU writes a working set, another one reads it.");
    page_header(page, header);
    json_array_foreach(json_object_get(part, "rows"), index, row) {
        json_read_size(row, "bytes", size);
        page_cell(page, "%s", json_read_text(row, "distance"));
        page_cell(page, "%s", size);
        page_value(page, json_object_get(row, "pairs"));
        page_number(page, row, "ps_per_line", NS, 1);
        page_number(page, row, "iqr_ps_per_line", NS, 1);
        page_number(page, row, "cycles_x16_per_line", 1 / 16.0, 1);
        page_number(page, row, "stay_ps_per_line", NS, 1);
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_tsc(struct page *page)
{
    static const char *const header[] = {"CPU", "offset cycles", "± cycles", "warps",
                                         "largest warp cycles", NULL};
    const json_t *tsc = json_object_get(page->source->report, "tsc"), *cpu;
    double ppm;
    size_t index;

    if (!tsc)
        return;
    page_heading(page, "TSC");
    if (json_read_number(tsc, "rate_deviation_ppm", &ppm))
        page_paragraph(page, "%.3f MHz against %s over %.1f ms: %.0f ppm off.",
                       json_read_or(tsc, "rate_hz", 0) / 1e6, json_read_text(tsc, "second_clock"),
                       json_read_or(tsc, "rate_window_us", 0) / 1e3, ppm);
    page_header(page, header);
    json_array_foreach(json_object_get(tsc, "cpus"), index, cpu) {
        page_value(page, json_object_get(cpu, "cpu"));
        page_value(page, json_object_get(cpu, "offset_cycles"));
        page_value(page, json_object_get(cpu, "offset_bound_cycles"));
        page_value(page, json_object_get(cpu, "warp_count"));
        page_value(page, json_object_get(cpu, "max_warp_cycles"));
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_duration(struct page *page, const json_t *duration)
{
    page_value(page, json_object_get(duration, "count"));
    page_number(page, duration, "min_ns", MS, 3);
    page_number(page, duration, "average_ns", MS, 3);
    page_number(page, duration, "max_ns", MS, 3);
    page_number(page, duration, "standard_deviation_ns", MS, 3);
    page_end_row(page);
}

static void put_cycles(struct page *page)
{
    static const char *const header[] = {"what", "incomplete or failed", "times", "min ms",
                                         "average ms", "max ms", "sd ms", NULL};
    const json_t *cycles = json_object_get(page->source->report, "cycles"), *cpu;
    size_t index;

    if (!cycles)
        return;
    page_heading(page, "Offline and online again");
    page_header(page, header);
    for (int i = 0; i < 2; i++) {
        const json_t *part = json_object_get(cycles, i ? "all" : "half");

        if (!part)
            continue;
        page_cell(page, "%s, %.0f CPUs", i ? "all but the boot CPU" : "half of the CPUs",
                  json_read_or(part, "cpu_count", 0));
        page_value(page, json_object_get(part, "cycles_incomplete"));
        put_duration(page, json_object_get(part, "whole"));
    }
    json_array_foreach(json_object_get(cycles, "cpus"), index, cpu) {
        page_cell(page, "CPU %.0f", json_read_or(cpu, "cpu", 0));
        page_value(page, json_object_get(cpu, "failures"));
        put_duration(page, json_object_get(cpu, "start"));
    }
    page_end_table(page);
}

static void put_noise(struct page *page)
{
    static const char *const header[] = {"CPU", "observed ms", "gaps", "longest µs", "at ms",
                                         "cause", "SMIs", NULL};
    const json_t *noise = json_object_get(page->source->report, "noise"), *cpu;
    size_t index;

    if (!json_array_size(json_object_get(noise, "cpus")))
        return;
    page_heading(page, "Noise");
    page_paragraph(page, "Gaps in a loop that only reads the clock.");
    page_header(page, header);
    json_array_foreach(json_object_get(noise, "cpus"), index, cpu) {
        page_value(page, json_object_get(cpu, "cpu"));
        page_number(page, cpu, "observed_ns", MS, 1);
        page_value(page, json_object_get(cpu, "gaps"));
        page_number(page, cpu, "longest_gap_ns", 1e-3, 1);
        page_number(page, cpu, "longest_gap_at_ns", MS, 3);
        page_cell(page, "%s", json_read_text(cpu, "longest_gap_cause"));
        page_value(page, json_object_get(cpu, "smi_count"));
        page_end_row(page);
    }
    page_end_table(page);
}

void page_measured(struct page *page)
{
    if (!json_object_get(page->source->report, "measured"))
        return;
    page_heading(page, "Latency between CPUs");
    put_run(page);
    page_figure(page, FIGURE_LATENCY);
    put_classes(page);
    put_groups(page);
    put_agreement(page);
    put_contention(page);
    put_llc(page);
    put_migration(page);
    put_tsc(page);
    put_cycles(page);
    put_noise(page);
}
