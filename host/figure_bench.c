/* Clearing rates as bars with their 95 % intervals, one chart a setting. */
#include "host/figures.h"

#include <math.h>
#include <string.h>

#include "host/json_read.h"
#include "host/markup.h"

enum { NAME = 112, PLOT = 250, WIDTH = 430, ROW = 24, TOP = 44, FOOT = 36, TICKS = 4 };

static const double GIB = 1 << 30;

static const json_t *results_of(const struct export_source *source)
{
    return json_object_get(json_object_get(source->report, "bench"), "results");
}

/* The empty body clears nothing: its bar would hide the others. */
static bool is_of(const json_t *cell, size_t setting)
{
    return json_read_or(cell, "setting", -1) == (double)setting &&
           strcmp(json_read_text(cell, "variant"), "empty") != 0 &&
           json_read_or(cell, "median_bytes_per_s", 0) > 0;
}

/* The right end of the axis: a round number that holds every interval. */
static double axis_end(const json_t *results, size_t setting)
{
    const json_t *cell;
    double highest = 0, unit;
    size_t index;

    json_array_foreach(results, index, cell) {
        if (is_of(cell, setting))
            highest = fmax(highest, fmax(json_read_or(cell, "high95_bytes_per_s", 0),
                                         json_read_or(cell, "median_bytes_per_s", 0)));
    }
    highest /= GIB;
    unit = pow(10, floor(log10(fmax(highest, 1e-6))));
    for (double step = 1; step < 10; step = step < 2 ? 2 : step < 4 ? 4 : step < 6 ? 6 : 10) {
        if (highest <= step * unit)
            return step * unit;
    }
    return 10 * unit;
}

static size_t count_rows(const json_t *results, size_t setting)
{
    const json_t *cell;
    size_t index, count = 0;

    json_array_foreach(results, index, cell)
        count += is_of(cell, setting);
    return count;
}

static void put_title(FILE *out, const json_t *setting, double y)
{
    char extent[24], region[24], page[24];

    json_read_size(setting, "extent_bytes", extent);
    json_read_size(setting, "region_bytes", region);
    json_read_size(setting, "mapping_page_bytes", page);
    svg_text(out, 6, y + 15, "b", "%s a call in %s, pages of %s, %s before", extent, region, page,
             json_read_text(setting, "state"));
    svg_text(out, 6, y + 31, "", "CPUs at once: %.0f (%s); GiB/s, bar: median, line: 95 %% interval",
             json_read_or(setting, "cpu_count", 1), json_read_text(setting, "placement"));
}

static void put_grid(FILE *out, double y, double height, double end)
{
    for (int i = 0; i <= TICKS; i++) {
        double x = NAME + (double)PLOT * i / TICKS;

        svg_line(out, x, y, x, y + height, i ? "grid" : "axis");
        svg_text(out, x, y + height + 14, "mid", "%.3g", end * i / TICKS);
    }
}

static void put_bar(FILE *out, const json_t *cell, double y, double end)
{
    double scale = PLOT / (end * GIB), low, high;
    double rate = json_read_or(cell, "median_bytes_per_s", 0);

    svg_text(out, NAME - 6, y + 16, "end", "%s%s", json_read_text(cell, "variant"),
             json_read_bool(cell, "is_repeat") ? " again" : "");
    svg_rect(out, NAME, y + 4, rate * scale, ROW - 8,
             json_read_bool(cell, "is_kernel_pick") ? "pick" : "bar");
    if (json_read_number(cell, "low95_bytes_per_s", &low) &&
        json_read_number(cell, "high95_bytes_per_s", &high) && high > low && low >= 0) {
        svg_line(out, NAME + low * scale, y + 12, NAME + high * scale, y + 12, "whisker");
        svg_line(out, NAME + low * scale, y + 8, NAME + low * scale, y + 16, "whisker");
        svg_line(out, NAME + high * scale, y + 8, NAME + high * scale, y + 16, "whisker");
    }
    svg_text(out, NAME + PLOT + 10, y + 16, "", "%.2f", rate / GIB);
}

static double chart_height(size_t rows)
{
    return TOP + rows * ROW + FOOT;
}

static void put_chart(const struct export_source *source, size_t setting, double y, FILE *out)
{
    const json_t *bench = json_object_get(source->report, "bench");
    const json_t *settings = json_object_get(json_object_get(bench, "plan"), "settings");
    const json_t *results = results_of(source), *cell;
    double end = axis_end(results, setting), row = y + TOP;
    bool has_pick = false;
    size_t index;

    put_title(out, json_array_get(settings, setting), y);
    put_grid(out, y + TOP, (double)(count_rows(results, setting) * ROW), end);
    json_array_foreach(results, index, cell) {
        if (!is_of(cell, setting))
            continue;
        put_bar(out, cell, row, end);
        has_pick |= json_read_bool(cell, "is_kernel_pick");
        row += ROW;
    }
    if (has_pick) {
        svg_rect(out, NAME, row + 20, 10, 10, "pick");
        svg_text(out, NAME + 16, row + 29, "", "what the newest kernel would use here");
    }
}

bool figure_bench(const struct export_source *source, size_t setting, FILE *out)
{
    size_t rows = count_rows(results_of(source), setting);
    char label[80];

    if (rows == 0)
        return false;
    snprintf(label, sizeof(label), "Clearing rates of setting %zu, %zu variants", setting, rows);
    svg_open(out, WIDTH, chart_height(rows), label, false);
    put_chart(source, setting, 0, out);
    svg_close(out);
    return true;
}

bool figure_bench_all(const struct export_source *source, FILE *out)
{
    const json_t *bench = json_object_get(source->report, "bench");
    size_t count = json_array_size(json_object_get(json_object_get(bench, "plan"), "settings"));
    double height = 0, y = 0;

    for (size_t i = 0; i < count; i++) {
        size_t rows = count_rows(results_of(source), i);

        height += rows ? chart_height(rows) : 0;
    }
    if (height == 0)
        return false;
    svg_open(out, WIDTH, height, "Clearing rates of every setting", true);
    for (size_t i = 0; i < count; i++) {
        size_t rows = count_rows(results_of(source), i);

        if (rows) {
            put_chart(source, i, y, out);
            y += chart_height(rows);
        }
    }
    svg_close(out);
    return true;
}
