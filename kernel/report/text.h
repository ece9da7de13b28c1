/* Layout of report.txt: 80 columns, headings, label and value lines, wrapped
 * sentences, tables. Foreign text passes through text_put_clean(). */
#ifndef KERNEL_REPORT_TEXT_H
#define KERNEL_REPORT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/textbuf.h"

enum { TEXT_COLUMNS = 80, TEXT_LABEL_COLUMNS = 20 };

/* A blank line, the title, and a rule below it. */
void text_heading(struct textbuf *out, const char *title);

/* Text of any origin: control bytes become blanks, invalid UTF-8 becomes "?". */
void text_put_clean(struct textbuf *out, const char *text);

/* A paragraph broken between words at column 80. The first line starts with
 * `first` (as it is), the others are indented by `indent` blanks. A word longer
 * than a line is not broken. */
void text_wrap(struct textbuf *out, const char *first, unsigned indent, const char *text);

/* "label               value", the value wrapped under itself. */
void text_pair(struct textbuf *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A table: columns with a width each; numbers stand right. A cell that is wider
 * than its column pushes the rest aside: nothing is ever cut.
 *
 *     static const struct text_column columns[] = {{"size", 8, false}, {"GiB/s", 10, true}};
 *     struct text_table table;
 *
 *     text_table_begin(&table, out, columns, 2);    header and rule
 *     text_cell(&table, "%s", "16M");
 *     text_cell_fixed(&table, 1133, 2);             11.33; the last cell ends the line
 */
struct text_column {
    const char *title;
    unsigned width;
    bool is_right;
};

struct text_table {
    struct textbuf *out;
    const struct text_column *columns;
    uint32_t column_count;
    uint32_t next; /* column of the next cell */
};

void text_table_begin(struct text_table *table, struct textbuf *out,
                      const struct text_column *columns, uint32_t column_count);
void text_cell(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_cell_fixed(struct text_table *table, int64_t value, unsigned decimals);
void text_cell_gib_per_s(struct text_table *table, uint64_t bytes_per_s);
void text_cell_size(struct text_table *table, uint64_t bytes);
/* Ends a line before its last column. */
void text_table_end_row(struct text_table *table);

#endif
