/* The content of report.md and report.html: the same headings, sentences and tables,
 * written by a style. */
#ifndef HOST_EXPORT_PAGE_H
#define HOST_EXPORT_PAGE_H

#include <stdio.h>

#include "host/export.h"

struct page_style {
    void (*heading)(FILE *out, const char *text);
    void (*paragraph)(FILE *out, const char *text);
    void (*row)(FILE *out, const char *const *cells, int count, bool is_header);
    void (*end_table)(FILE *out);
};

void page_write(const struct export_source *source, const struct page_style *style, FILE *out);

#endif
