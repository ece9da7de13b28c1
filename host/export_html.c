/* report.html: one page that needs nothing else, neither scripts nor the network. */
#include "host/export_page.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>coretruth report</title>\n"
    "<style>\n"
    "body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; }\n"
    "table { border-collapse: collapse; margin: 0 0 1.5em; }\n"
    "th, td { border: 1px solid #bbb; padding: 0.25em 0.6em; text-align: left; vertical-align: top; }\n"
    "th { background: #eee; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  body { background: #1b1b1b; color: #ddd; } th { background: #333; }\n"
    "  th, td { border-color: #555; }\n"
    "}\n</style>\n</head>\n<body>\n<h1>coretruth report</h1>\n";

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

static void put_heading(FILE *out, const char *text)
{
    fputs("<h2>", out);
    put_escaped(out, text);
    fputs("</h2>\n", out);
}

static void put_paragraph(FILE *out, const char *text)
{
    fputs("<p>", out);
    put_escaped(out, text);
    fputs("</p>\n", out);
}

static void put_row(FILE *out, const char *const *cells, int count, bool is_header)
{
    fputs(is_header ? "<table>\n<tr>" : "<tr>", out);
    for (int i = 0; i < count; i++) {
        fputs(is_header ? "<th>" : "<td>", out);
        put_escaped(out, cells[i]);
        fputs(is_header ? "</th>" : "</td>", out);
    }
    fputs("</tr>\n", out);
}

static void end_table(FILE *out)
{
    fputs("</table>\n", out);
}

bool export_html(const struct export_source *source, FILE *out)
{
    static const struct page_style style = {put_heading, put_paragraph, put_row, end_table};

    fputs(head, out);
    page_write(source, &style, out);
    if (report_newest(&source->model)) {
        put_heading(out, "The machine, as the newest profile draws it");
        export_svg(source, out);
    }
    fputs("</body>\n</html>\n", out);
    return true;
}
