/* The page is made from the report.json document, so that a report that was measured
 * last year and one that is concluded now come out alike; masks come from the
 * topologies, because telling them in groups needs sets. */
#include "host/export_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/json_read.h"
#include "kernel/report/groups_text.h"

void page_header(struct page *page, const char *const *names)
{
    int count = 0;

    while (names[count])
        count++;
    page->style->row(page->out, names, count, true);
}

void page_cell(struct page *page, const char *format, ...)
{
    va_list args;

    if (page->count == PAGE_COLUMNS)
        return;
    va_start(args, format);
    vsnprintf(page->text[page->count], PAGE_CELL_BYTES, format, args);
    va_end(args);
    page->cells[page->count] = page->text[page->count];
    page->count++;
}

void page_value(struct page *page, const json_t *value)
{
    if (json_is_string(value))
        page_cell(page, "%s", json_string_value(value));
    else if (json_is_integer(value))
        page_cell(page, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        page_cell(page, "%.4g", json_real_value(value));
    else
        page_cell(page, "%s", json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "");
}

void page_number(struct page *page, const json_t *object, const char *name, double scale,
                 int decimals)
{
    double value;

    if (json_read_number(object, name, &value))
        page_cell(page, "%.*f", decimals, value * scale);
    else
        page_cell(page, "%s", "");
}

void page_kernels(struct page *page, const json_t *list)
{
    char names[PAGE_CELL_BYTES];
    struct textbuf text;
    uint32_t profiles = 0;
    const json_t *word;
    size_t index;

    json_array_foreach(list, index, word) {
        for (uint32_t i = 0; json_is_string(word) && i < RULE_PROFILE_COUNT; i++) {
            if (!strcmp(json_string_value(word), rules_name(&rule_profiles[i])))
                profiles |= 1u << i;
        }
    }
    textbuf_init(&text, names, sizeof(names));
    groups_text_put_profiles(&text, profiles);
    page_cell(page, "%s", names);
}

void page_end_row(struct page *page)
{
    page->style->row(page->out, page->cells, page->count, false);
    page->count = 0;
}

void page_end_table(struct page *page)
{
    page->style->end_table(page->out);
}

void page_heading(struct page *page, const char *text)
{
    page->style->heading(page->out, text);
}

void page_paragraph(struct page *page, const char *format, ...)
{
    char text[PAGE_CELL_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    page->style->paragraph(page->out, text);
}

void page_figure(struct page *page, enum page_figure figure)
{
    if (page->style->figure)
        page->style->figure(page->source, figure, page->out);
}

static void put_findings(struct page *page)
{
    static const char *const header[] = {"severity", "id", "finding", "CPUs", "source", "kernels",
                                         NULL};
    static const char *const severities[] = {"error", "warning", "info"};
    const json_t *list = json_object_get(page->source->report, "findings");
    const json_t *finding;
    size_t index;

    if (!list)
        return;
    page_heading(page, "Findings");
    if (!json_array_size(list)) {
        page_paragraph(page, "none");
        return;
    }
    page_header(page, header);
    for (int severity = 0; severity < 3; severity++) {
        json_array_foreach(list, index, finding) {
            if (strcmp(json_read_text(finding, "severity"), severities[severity]) != 0)
                continue;
            for (int i = 0; i < 5; i++)
                page_cell(page, "%s", json_read_text(finding, i == 2 ? "text" : i == 3 ? "cpus"
                                                                                   : header[i]));
            page_kernels(page, json_object_get(finding, "rules"));
            page_end_row(page);
        }
    }
    page_end_table(page);
}

static void put_checks(struct page *page)
{
    static const char *const header[] = {"check", "outcome", "reason", NULL};
    const json_t *list = json_object_get(page->source->report, "checks");
    const json_t *check;
    size_t index;

    if (!json_array_size(list))
        return;
    page_heading(page, "Checks");
    page_header(page, header);
    json_array_foreach(list, index, check) {
        page_cell(page, "%s", json_read_text(check, "name"));
        page_cell(page, "%s", json_read_text(check, "outcome"));
        page_cell(page, "%s", json_read_text(check, "reason"));
        page_end_row(page);
    }
    page_end_table(page);
}

static void put_options(struct page *page)
{
    static const char *const header[] = {"option", "value", NULL};
    json_t *options = json_object_get(page->source->report, "options"), *value;
    const char *name;

    if (!page->style->is_whole || !json_object_size(options))
        return;
    page_heading(page, "Options in effect");
    page_header(page, header);
    json_object_foreach(options, name, value) {
        page_cell(page, "%s", name);
        page_value(page, value);
        page_end_row(page);
    }
    page_end_table(page);
}

void page_write(const struct export_source *source, const struct page_style *style, FILE *out)
{
    struct page *page = calloc(1, sizeof(*page));

    if (!page)
        return;
    page->source = source;
    page->style = style;
    page->out = out;
    page_machine(page);
    put_findings(page);
    page_masks(page);
    page_measured(page);
    page_bench(page);
    put_checks(page);
    put_options(page);
    free(page);
}
