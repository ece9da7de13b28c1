/* report.html: one page that needs nothing else. Its style sheet and script are
 * host/html/page.css and page.js; without scripts it is whole, only not sortable. */
#include <stdlib.h>
#include <string.h>

#include "host/export_page.h"
#include "host/figures.h"
#include "host/html_files.h"
#include "host/json_read.h"
#include "host/markup.h"

/* The browser is told to load nothing, so that the page cannot come to need it. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n<title>";

/* Words that a reader looks for get a mark besides their colour. */
static const struct { const char *word, *style_class; } marks[] = {
    {"error", "bad"}, {"fail", "bad"}, {"not ok", "bad"}, {"NOT sane", "bad"}, {"silent", "bad"},
    {"faulted", "bad"}, {"warning", "warn"}, {"findings", "warn"}, {"wider", "warn"},
    {"narrower", "warn"}, {"crossing", "warn"}, {"NO VERDICT", "dim"}, {"skipped", "dim"},
    {"cannot-tell", "dim"}, {"not-tested", "dim"}, {"INCONCLUSIVE", "dim"}, {"disabled", "dim"},
    {"info", "note"}, {"DIFFERENT", "note"}, {"ok", "good"}, {"pass", "good"}, {"agree", "good"},
    {"EQUIVALENT", "good"},
};

static void put_heading(FILE *out, const char *text)
{
    fputs("<h2>", out);
    markup_text(out, text);
    fputs("</h2>\n", out);
}

static void put_paragraph(FILE *out, const char *text)
{
    static const char *const loud[] = {"The run stopped", "Virtual machine", "Fault on purpose",
                                       "Hosted:", "No verdict"};
    bool is_loud = false;

    for (size_t i = 0; i < sizeof(loud) / sizeof(loud[0]); i++)
        is_loud |= !strncmp(text, loud[i], strlen(loud[i]));
    fputs(is_loud ? "<p class=\"loud\">" : "<p>", out);
    markup_text(out, text);
    fputs("</p>\n", out);
}

/* Numbers stand at the right, with or without the letter of a size. */
static bool is_number(const char *text)
{
    char *end;

    if (!strchr("-.0123456789", text[0]) || !text[0] || text[1] == 'x')
        return false;
    strtod(text, &end);
    return end != text && (!*end || (strchr("KMGT", *end) && !end[1]));
}

static void put_cell(FILE *out, const char *text, bool is_of_pair)
{
    const char *style_class = NULL;

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (!strcmp(text, marks[i].word))
            style_class = marks[i].style_class;
    }
    fputs(is_of_pair ? "<td class=\"pair\">" : is_number(text) ? "<td class=\"n\">"
          : strlen(text) > 48 ? "<td class=\"long\">" : "<td>", out);
    if (style_class)
        fprintf(out, "<span class=\"mark %s\">", style_class);
    markup_text(out, text);
    fputs(style_class ? "</span></td>" : "</td>", out);
}

static void put_row(FILE *out, const char *const *cells, int count, bool is_header)
{
    fputs(is_header ? "<div class=\"table\"><div class=\"scroll\"><table>\n<thead><tr>" : "<tr>", out);
    for (int i = 0; i < count; i++) {
        if (!is_header) {
            put_cell(out, cells[i], count == 2);
            continue;
        }
        fputs("<th scope=\"col\">", out);
        markup_text(out, cells[i]);
        fputs("</th>", out);
    }
    fputs(is_header ? "</tr></thead>\n<tbody>\n" : "</tr>\n", out);
}

static void end_table(FILE *out)
{
    fputs("</tbody></table></div></div>\n", out);
}

static void put_charts(const struct export_source *source, FILE *out)
{
    const json_t *bench = json_object_get(source->report, "bench");
    size_t count = json_array_size(json_object_get(json_object_get(bench, "plan"), "settings"));

    fputs("<div class=\"charts\">\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs("<figure>", out);
        figure_bench(source, i, out);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
}

static void put_figure(const struct export_source *source, enum page_figure figure, FILE *out)
{
    if (figure == FIGURE_BENCH) {
        put_charts(source, out);
        return;
    }
    fputs("<figure class=\"scroll\">", out);
    if (figure == FIGURE_TOPOLOGY)
        figure_topology(source, false, out);
    else if (!figure_latency(source, false, out))
        fputs("<p>no pair was measured</p>", out);
    fputs("</figure>\n", out);
}

static void put_title(const struct export_source *source, FILE *out)
{
    const json_t *machine = json_object_get(source->report, "machine");
    const char *name = json_read_text(machine, "brand");

    if (!name[0])
        name = json_read_text(machine, "source");
    if (name[0])
        markup_text(out, name);
    else
        fputs("machine without a name", out);
}

bool export_html(const struct export_source *source, FILE *out)
{
    static const struct page_style style = {put_heading, put_paragraph, put_row, end_table,
                                            put_figure, true};

    fputs(head, out);
    put_title(source, out);
    fputs(" - coretruth report</title>\n<style>\n", out);
    fputs(html_page_css, out);
    fputs("</style>\n", out);
    svg_style(out);
    fputs("</head>\n<body>\n<header><p class=\"kind\">coretruth report</p><h1>", out);
    put_title(source, out);
    fputs("</h1><nav aria-label=\"Sections\"></nav></header>\n<main>\n", out);
    page_write(source, &style, out);
    fputs("</main>\n<p id=\"said\" role=\"status\" aria-live=\"polite\"></p>\n<script>\n", out);
    fputs(html_page_js, out);
    fputs("</script>\n</body>\n</html>\n", out);
    return true;
}
