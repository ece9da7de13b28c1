/* report.md: GitHub tables. Foreign text cannot break a table or start markup. */
#include <string.h>

#include "host/export_page.h"

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`<>*_[]#", *text))
            fputc('\\', out);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
}

static void put_heading(FILE *out, const char *text)
{
    fprintf(out, "## %s\n\n", text);
}

static void put_paragraph(FILE *out, const char *text)
{
    put_escaped(out, text);
    fputs("\n\n", out);
}

static void put_row(FILE *out, const char *const *cells, int count, bool is_header)
{
    for (int i = 0; i < count; i++) {
        fputs(i ? " " : "| ", out);
        put_escaped(out, cells[i]);
        fputs(" |", out);
    }
    fputc('\n', out);
    for (int i = 0; is_header && i < count; i++)
        fputs(i ? "---|" : "|---|", out);
    if (is_header)
        fputc('\n', out);
}

static void end_table(FILE *out)
{
    fputc('\n', out);
}

bool export_markdown(const struct export_source *source, FILE *out)
{
    static const struct page_style style = {put_heading, put_paragraph, put_row, end_table, NULL,
                                            false};

    fputs("# coretruth report\n\n", out);
    page_write(source, &style, out);
    return true;
}
