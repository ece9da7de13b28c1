/* The content of report.md and report.html: the same headings, sentences and tables,
 * written by a style. */
#ifndef HOST_EXPORT_PAGE_H
#define HOST_EXPORT_PAGE_H

#include <stdarg.h>
#include <stdio.h>

#include "host/export.h"

enum page_figure { FIGURE_TOPOLOGY, FIGURE_LATENCY, FIGURE_BENCH };

struct page_style {
    void (*heading)(FILE *out, const char *text);
    void (*paragraph)(FILE *out, const char *text);
    void (*row)(FILE *out, const char *const *cells, int count, bool is_header);
    void (*end_table)(FILE *out);
    /* NULL: the style has no drawings. */
    void (*figure)(const struct export_source *source, enum page_figure figure, FILE *out);
    bool is_whole;  /* with the tables of one row a CPU, too long for a mail */
};

enum { PAGE_COLUMNS = 12, PAGE_CELL_BYTES = 2048 };

/* A page in the making. */
struct page {
    const struct export_source *source;
    const struct page_style *style;
    FILE *out;
    char text[PAGE_COLUMNS][PAGE_CELL_BYTES];
    const char *cells[PAGE_COLUMNS];
    int count;              /* cells of the row so far */
};

void page_write(const struct export_source *source, const struct page_style *style, FILE *out);

/* What the parts are written with. A header is a list of names that ends with NULL. */
void page_header(struct page *page, const char *const *names);
void page_cell(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A scalar as a reader expects it; nothing for null. */
void page_value(struct page *page, const json_t *value);
/* A number times `scale` with that many decimals; nothing where there is none. */
void page_number(struct page *page, const json_t *object, const char *name, double scale,
                 int decimals);
/* Names of profiles, as short as they can be told. */
void page_kernels(struct page *page, const json_t *list);
void page_end_row(struct page *page);
void page_end_table(struct page *page);
void page_heading(struct page *page, const char *text);
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void page_figure(struct page *page, enum page_figure figure);

/* The parts. */
void page_machine(struct page *page);   /* summary, findings, checks are by page_write() */
void page_masks(struct page *page);
void page_measured(struct page *page);
void page_bench(struct page *page);

#endif
