/* The page's clearing of pages: what to know first, who picks what, charts, numbers. */
#include "host/export_page.h"
#include "host/json_read.h"

static void put_notes(struct page *page, const json_t *bench)
{
    const json_t *note, *plan = json_object_get(bench, "plan");
    size_t index;

    json_array_foreach(json_object_get(bench, "notes"), index, note)
        page_paragraph(page, "%s: %s", json_read_bool(note, "is_void") ? "No verdict" : "Note",
                       json_read_text(note, "text"));
    page_paragraph(page, "Measured in %s; seed %.0f, budget %.0f s, used %.1f s. %s",
                   json_read_text(bench, "place"), json_read_or(plan, "seed", 0),
                   json_read_or(plan, "budget_us", 0) / 1e6, json_read_or(plan, "used_us", 0) / 1e6,
                   json_read_text(plan, "left_out"));
}

static void put_choices(struct page *page, const json_t *bench)
{
    static const char *const header[] = {"kernel", "would use", "by", "because", NULL};
    const json_t *choice;
    size_t index;

    if (!json_array_size(json_object_get(bench, "kernel_choice")))
        return;
    page_header(page, header);
    json_array_foreach(json_object_get(bench, "kernel_choice"), index, choice) {
        page_cell(page, "%s", json_read_text(choice, "profile"));
        page_cell(page, "%s", json_read_text(choice, "variant"));
        page_cell(page, "%s", json_read_text(choice, "primitive"));
        page_cell(page, "%s", json_read_text(choice, "why"));
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_size(struct page *page, const json_t *cell, const char *name)
{
    char text[24];

    json_read_size(cell, name, text);
    page_cell(page, "%s", text);
}

/* "4.50 to 4.62" in GiB/s; nothing where there is no interval. */
static void put_interval(struct page *page, const json_t *cell, const char *low_name,
                         const char *high_name, double scale, int decimals)
{
    double low, high;

    if (json_read_number(cell, low_name, &low) && json_read_number(cell, high_name, &high))
        page_cell(page, "%.*f to %.*f", decimals, low * scale, decimals, high * scale);
    else
        page_cell(page, "%s", "");
}

static void put_results(struct page *page, const json_t *bench)
{
    static const char *const header[] = {
        "variant", "extent", "pages", "region", "node", "CPUs", "before", "GiB/s", "95 % interval",
        "sd %", "cycles/4K", "blocks", NULL,
    };
    const double gib = 1.0 / (1 << 30);
    const json_t *cell;
    size_t index;

    page_header(page, header);
    json_array_foreach(json_object_get(bench, "results"), index, cell) {
        page_cell(page, "%s%s%s", json_read_text(cell, "variant"),
                  json_read_bool(cell, "is_repeat") ? " again" : "",
                  json_read_bool(cell, "is_kernel_pick") ? " *" : "");
        put_size(page, cell, "extent_bytes");
        put_size(page, cell, "mapping_page_bytes");
        put_size(page, cell, "region_bytes");
        if (json_read_or(cell, "node", -1) < 0)
            page_cell(page, "%s", "");
        else
            page_value(page, json_object_get(cell, "node"));
        page_cell(page, "%.0f, %s", json_read_or(cell, "cpu_count", 1),
                  json_read_text(cell, "placement"));
        page_cell(page, "%s", json_read_text(cell, "state"));
        page_number(page, cell, "median_bytes_per_s", gib, 2);
        put_interval(page, cell, "low95_bytes_per_s", "high95_bytes_per_s", gib, 2);
        page_number(page, cell, "sd_percent", 1, 2);
        page_number(page, cell, "page_cycles", 1, 1);
        page_value(page, json_object_get(cell, "blocks"));
        page_end_row(page);
    }
    page_end_table(page);
    page_paragraph(page, "* what the newest kernel would use here. GiB is 2^30 bytes; 4K is 4,096 "
                   "bytes. Cycles are those of the TSC.");
}

static void put_setting(struct page *page, const json_t *bench, const json_t *verdict)
{
    const json_t *settings = json_object_get(json_object_get(bench, "plan"), "settings");
    double number = json_read_or(verdict, "setting", -1);
    const json_t *setting = number >= 0 && number < (double)json_array_size(settings)
                          ? json_array_get(settings, (size_t)number) : NULL;
    char extent[24], region[24], mapping[24];

    if (!setting) {
        page_cell(page, "%s", "");
        return;
    }
    json_read_size(setting, "extent_bytes", extent);
    json_read_size(setting, "region_bytes", region);
    json_read_size(setting, "mapping_page_bytes", mapping);
    page_cell(page, "%s in %s, pages %s, %s, %.0f CPUs", extent, region, mapping,
              json_read_text(setting, "state"), json_read_or(setting, "cpu_count", 1));
}

static void put_verdicts(struct page *page, const json_t *bench)
{
    static const char *const header[] = {
        "b", "against a", "setting", "comparison", "time of b / a", "99 % interval", "verdict",
        "p (Holm)", "smallest effect %", "blocks", "why", NULL,
    };
    const json_t *verdict;
    size_t index;

    if (!json_array_size(json_object_get(bench, "verdicts")))
        return;
    page_heading(page, "Verdicts");
    page_header(page, header);
    json_array_foreach(json_object_get(bench, "verdicts"), index, verdict) {
        page_cell(page, "%s", json_read_text(verdict, "variant_b"));
        page_cell(page, "%s", json_read_text(verdict, "variant_a"));
        put_setting(page, bench, verdict);
        page_cell(page, "%s", json_read_text(verdict, "comparison"));
        page_number(page, verdict, "ratio", 1, 4);
        put_interval(page, verdict, "low99", "high99", 1, 4);
        page_cell(page, "%s", json_read_text(verdict, "verdict"));
        page_value(page, json_object_get(verdict, "p_holm"));
        page_number(page, verdict, "mde_percent", 1, 2);
        page_value(page, json_object_get(verdict, "blocks"));
        page_cell(page, "%s", json_read_text(verdict, "why"));
        page_end_row(page);
    }
    page_end_table(page);
    page_paragraph(page, "Below 1, b takes less time. How a verdict is made: docs/bench.md.");
}

void page_bench(struct page *page)
{
    const json_t *bench = json_object_get(page->source->report, "bench");

    if (!bench)
        return;
    page_heading(page, "Clearing pages");
    put_notes(page, bench);
    put_choices(page, bench);
    page_figure(page, FIGURE_BENCH);
    put_results(page, bench);
    put_verdicts(page, bench);
}
