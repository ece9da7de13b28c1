/* The page is made from the report.json document, so that a report that was measured
 * last year and one that is concluded now come out alike; masks come from the
 * topologies, because telling them in groups needs sets. */
#include "host/export_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/report/groups_text.h"

enum { MAX_COLUMNS = 12, CELL_BYTES = 2048 };

/* One row in the making. */
struct row {
    char text[MAX_COLUMNS][CELL_BYTES];
    const char *cells[MAX_COLUMNS];
    int count;
};

static void add_cell(struct row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_cell(struct row *row, const char *format, ...)
{
    va_list args;

    if (row->count == MAX_COLUMNS)
        return;
    va_start(args, format);
    vsnprintf(row->text[row->count], CELL_BYTES, format, args);
    va_end(args);
    row->cells[row->count] = row->text[row->count];
    row->count++;
}

static const char *string_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

/* A scalar as a reader expects it. */
static void add_value(struct row *row, const json_t *value)
{
    if (json_is_string(value))
        add_cell(row, "%s", json_string_value(value));
    else if (json_is_integer(value))
        add_cell(row, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        add_cell(row, "%.4g", json_real_value(value));
    else
        add_cell(row, "%s", json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "");
}

static void end_row(struct row *row, const struct page_style *style, FILE *out, bool is_header)
{
    style->row(out, row->cells, row->count, is_header);
    row->count = 0;
}

static void put_header(const struct page_style *style, FILE *out, const char *const *names,
                       int count)
{
    style->row(out, names, count, true);
}

static void put_pair(const struct page_style *style, FILE *out, struct row *row,
                     const char *label, const json_t *value)
{
    if (!value || json_is_null(value))
        return;
    add_cell(row, "%s", label);
    add_value(row, value);
    end_row(row, style, out, false);
}

static void put_summary(const struct export_source *source, const struct page_style *style,
                        FILE *out, struct row *row)
{
    static const char *const header[] = {"", "value"};
    static const struct { const char *label, *part, *name; } lines[] = {
        {"status", NULL, "status"}, {"the run stopped", NULL, "fail_reason"},
        {"version", NULL, "version"}, {"source", "machine", "source"},
        {"CPU", "machine", "brand"}, {"vendor", "machine", "vendor"},
        {"family", "machine", "family"}, {"model", "machine", "model"},
        {"stepping", "machine", "stepping"}, {"microcode", "machine", "microcode"},
        {"virtual machine", "machine", "is_virtual"}, {"hypervisor", "machine", "hypervisor"},
        {"TSC Hz", "machine", "tsc_hz"}, {"boot path", "boot", "path"},
        {"quiet mode", "boot", "quiet"}, {"loader", "boot", "loader"},
        {"firmware", "boot", "firmware_vendor"}, {"command line", "boot", "command_line"},
    };

    put_header(style, out, header, 2);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        const json_t *part = lines[i].part ? json_object_get(source->report, lines[i].part)
                                           : source->report;

        put_pair(style, out, row, lines[i].label, json_object_get(part, lines[i].name));
    }
    style->end_table(out);
}

static void put_findings(const struct export_source *source, const struct page_style *style,
                         FILE *out, struct row *row)
{
    static const char *const header[] = {"severity", "id", "finding", "CPUs", "source"};
    static const char *const severities[] = {"error", "warning", "info"};
    const json_t *list = json_object_get(source->report, "findings");
    const json_t *finding;
    size_t index;

    if (!list)
        return;
    style->heading(out, "Findings");
    if (!json_array_size(list)) {
        style->paragraph(out, "none");
        return;
    }
    put_header(style, out, header, 5);
    for (int severity = 0; severity < 3; severity++) {
        json_array_foreach(list, index, finding) {
            if (strcmp(string_of(finding, "severity"), severities[severity]) != 0)
                continue;
            for (int i = 0; i < 5; i++)
                add_cell(row, "%s", string_of(finding, i == 2 ? "text" : i == 3 ? "cpus"
                                                                                : header[i]));
            end_row(row, style, out, false);
        }
    }
    style->end_table(out);
}

static void put_masks_of_kind(const struct export_source *source, const struct page_style *style,
                              FILE *out, struct row *row, enum topology_mask kind)
{
    uint32_t told = 0;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t profiles = groups_text_profiles(source->model.topologies, i, kind);
        char names[CELL_BYTES], groups[CELL_BYTES];
        struct textbuf text;

        if (!profiles || told >> i & 1)
            continue;
        textbuf_init(&text, names, sizeof(names));
        groups_text_put_profiles(&text, profiles);
        textbuf_init(&text, groups, sizeof(groups));
        groups_text_put(&text, source->model.topologies[i], kind);
        add_cell(row, "%s", told ? "" : groups_text_title(kind));
        add_cell(row, "%s", names);
        add_cell(row, "%s%s", groups, text.is_cut ? "..." : "");
        end_row(row, style, out, false);
        told |= profiles;
    }
}

static void put_masks(const struct export_source *source, const struct page_style *style,
                      FILE *out, struct row *row)
{
    static const char *const header[] = {"mask", "kernels", "CPUs"};

    if (!report_newest(&source->model))
        return;
    style->heading(out, "What the kernels would conclude");
    put_header(style, out, header, 3);
    for (int kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
        put_masks_of_kind(source, style, out, row, (enum topology_mask)kind);
    style->end_table(out);
}

/* Bytes as 4K, 2M, 1G. */
static void add_size(struct row *row, const json_t *value)
{
    static const char letters[] = {0, 'K', 'M', 'G', 'T', 0};
    uint64_t bytes = (uint64_t)json_integer_value(value);
    int letter = 0;

    while (bytes && bytes % 1024 == 0 && letters[letter + 1]) {
        bytes /= 1024;
        letter++;
    }
    if (letter)
        add_cell(row, "%" PRIu64 "%c", bytes, letters[letter]);
    else
        add_cell(row, "%" PRIu64, bytes);
}

static void put_bench(const json_t *bench, const struct page_style *style, FILE *out,
                      struct row *row)
{
    static const char *const header[] = {
        "variant", "extent", "pages", "region", "CPUs", "state", "GiB/s", "sd %", "cycles/4K",
        "blocks",
    };
    const json_t *cell;
    size_t index;

    put_header(style, out, header, 10);
    json_array_foreach(json_object_get(bench, "results"), index, cell) {
        const json_t *rate = json_object_get(cell, "median_bytes_per_s");

        add_cell(row, "%s%s%s", string_of(cell, "variant"),
                 json_is_true(json_object_get(cell, "is_repeat")) ? " (again)" : "",
                 json_is_true(json_object_get(cell, "is_kernel_pick")) ? " *" : "");
        add_size(row, json_object_get(cell, "extent_bytes"));
        add_size(row, json_object_get(cell, "mapping_page_bytes"));
        add_size(row, json_object_get(cell, "region_bytes"));
        add_cell(row, "%s, %" JSON_INTEGER_FORMAT, string_of(cell, "placement"),
                 json_integer_value(json_object_get(cell, "cpu_count")));
        add_cell(row, "%s", string_of(cell, "state"));
        add_cell(row, "%.2f", json_number_value(rate) / (1 << 30));
        add_cell(row, "%.2f", json_number_value(json_object_get(cell, "sd_percent")));
        add_cell(row, "%.1f", json_number_value(json_object_get(cell, "page_cycles")));
        add_value(row, json_object_get(cell, "blocks"));
        end_row(row, style, out, false);
    }
    style->end_table(out);
    style->paragraph(out, "* what the newest kernel would use here. GiB is 2^30 bytes.");
}

static void put_verdicts(const json_t *bench, const struct page_style *style, FILE *out,
                         struct row *row)
{
    static const char *const header[] = {
        "a", "b", "setting", "comparison", "time of b / a", "99 % interval", "verdict",
        "p (Holm)", "smallest effect %", "why",
    };
    const json_t *verdict;
    size_t index;

    put_header(style, out, header, 10);
    json_array_foreach(json_object_get(bench, "verdicts"), index, verdict) {
        add_cell(row, "%s", string_of(verdict, "variant_a"));
        add_cell(row, "%s", string_of(verdict, "variant_b"));
        add_value(row, json_object_get(verdict, "setting"));
        add_cell(row, "%s", string_of(verdict, "comparison"));
        add_value(row, json_object_get(verdict, "ratio"));
        add_cell(row, "%.4f to %.4f", json_number_value(json_object_get(verdict, "low99")),
                 json_number_value(json_object_get(verdict, "high99")));
        add_cell(row, "%s", string_of(verdict, "verdict"));
        add_value(row, json_object_get(verdict, "p_holm"));
        add_value(row, json_object_get(verdict, "mde_percent"));
        add_cell(row, "%s", string_of(verdict, "why"));
        end_row(row, style, out, false);
    }
    style->end_table(out);
}

static void put_checks(const struct export_source *source, const struct page_style *style,
                       FILE *out, struct row *row)
{
    static const char *const header[] = {"check", "outcome", "reason"};
    const json_t *list = json_object_get(source->report, "checks");
    const json_t *check;
    size_t index;

    if (!json_array_size(list))
        return;
    style->heading(out, "Checks");
    put_header(style, out, header, 3);
    json_array_foreach(list, index, check) {
        add_cell(row, "%s", string_of(check, "name"));
        add_cell(row, "%s", string_of(check, "outcome"));
        add_cell(row, "%s", string_of(check, "reason"));
        end_row(row, style, out, false);
    }
    style->end_table(out);
}

void page_write(const struct export_source *source, const struct page_style *style, FILE *out)
{
    const json_t *bench = json_object_get(source->report, "bench");
    struct row *row = calloc(1, sizeof(*row));

    if (!row)
        return;
    put_summary(source, style, out, row);
    put_findings(source, style, out, row);
    put_masks(source, style, out, row);
    if (bench) {
        style->heading(out, "Clearing pages");
        put_bench(bench, style, out, row);
        style->heading(out, "Verdicts");
        put_verdicts(bench, style, out, row);
    }
    put_checks(source, style, out, row);
    free(row);
}
