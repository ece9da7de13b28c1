/* Columns are counted in characters: the few that are not ASCII (a brand's sign,
 * a replacement) are one column each. */
#include "kernel/report/text.h"

#include <stdio.h>
#include <string.h>

#include "kernel/report/fixed.h"
#include "kernel/report/utf8.h"

enum { CELL_BYTES = 128, VALUE_BYTES = 1024 };

static void put_blanks(struct textbuf *out, unsigned count)
{
    while (count--)
        textbuf_putc(out, ' ');
}

static unsigned width_of(const char *text, size_t length_bytes)
{
    unsigned width = 0;

    for (size_t i = 0; i < length_bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

void text_heading(struct textbuf *out, const char *title)
{
    textbuf_putc(out, '\n');
    textbuf_put(out, title);
    textbuf_putc(out, '\n');
    for (unsigned i = width_of(title, strlen(title)); i > 0; i--)
        textbuf_putc(out, '-');
    textbuf_putc(out, '\n');
}

void text_put_clean(struct textbuf *out, const char *text)
{
    while (*text) {
        size_t length = utf8_sequence_bytes(text);

        if (length == 0)
            textbuf_putc(out, '?');
        else if (length == 1 && ((unsigned char)*text < 0x20 || *text == 0x7F))
            textbuf_putc(out, ' ');
        else
            textbuf_put_bytes(out, text, length);
        text += length ? length : 1;
    }
}

/* Words of `text` from column `column` on; ends the line. */
static void wrap_words(struct textbuf *out, unsigned column, unsigned indent, const char *text)
{
    bool is_line_start = true;

    for (;;) {
        size_t length;
        unsigned width;

        text += strspn(text, " \n");
        length = strcspn(text, " \n");
        if (length == 0)
            break;
        width = width_of(text, length);
        if (!is_line_start && column + 1 + width > TEXT_COLUMNS) {
            textbuf_putc(out, '\n');
            put_blanks(out, indent);
            column = indent;
            is_line_start = true;
        }
        if (!is_line_start) {
            textbuf_putc(out, ' ');
            column++;
        }
        textbuf_put_bytes(out, text, length);
        column += width;
        is_line_start = false;
        text += length;
    }
    textbuf_putc(out, '\n');
}

/* The clean form of `text`, cut at the size of `storage`. */
static const char *cleaned(char *storage, size_t size, const char *text)
{
    struct textbuf clean;

    textbuf_init(&clean, storage, size);
    text_put_clean(&clean, text);
    return storage;
}

void text_wrap(struct textbuf *out, const char *first, unsigned indent, const char *text)
{
    char clean[VALUE_BYTES];

    textbuf_put(out, first);
    wrap_words(out, width_of(first, strlen(first)), indent, cleaned(clean, sizeof(clean), text));
}

void text_pair(struct textbuf *out, const char *label, const char *format, ...)
{
    char text[VALUE_BYTES], clean[VALUE_BYTES];
    unsigned width = width_of(label, strlen(label));
    va_list args;

    va_start(args, format);
    if (vsnprintf(text, sizeof(text), format, args) >= (int)sizeof(text))
        out->is_cut = true;
    va_end(args);
    textbuf_put(out, label);
    put_blanks(out, width < TEXT_LABEL_COLUMNS ? TEXT_LABEL_COLUMNS - width : 1);
    wrap_words(out, width < TEXT_LABEL_COLUMNS ? TEXT_LABEL_COLUMNS : width + 1,
               TEXT_LABEL_COLUMNS, cleaned(clean, sizeof(clean), text));
}

static void put_cell(struct text_table *table, const char *text)
{
    const struct text_column *column = &table->columns[table->next];
    unsigned width = width_of(text, strlen(text));
    unsigned gap = width < column->width ? column->width - width : 0;
    bool is_last = table->next + 1 == table->column_count;

    if (column->is_right)
        put_blanks(table->out, gap);
    textbuf_put(table->out, text);
    if (!column->is_right && !is_last)
        put_blanks(table->out, gap);
    textbuf_putc(table->out, is_last ? '\n' : ' ');
    table->next = is_last ? 0 : table->next + 1;
}

void text_table_begin(struct text_table *table, struct textbuf *out,
                      const struct text_column *columns, uint32_t column_count)
{
    *table = (struct text_table){.out = out, .columns = columns, .column_count = column_count};
    for (uint32_t i = 0; i < column_count; i++)
        put_cell(table, columns[i].title);
    for (uint32_t i = 0; i < column_count; i++) {
        for (unsigned dash = 0; dash < columns[i].width; dash++)
            textbuf_putc(out, '-');
        textbuf_putc(out, i + 1 == column_count ? '\n' : ' ');
    }
}

void text_cell(struct text_table *table, const char *format, ...)
{
    char text[CELL_BYTES], clean[CELL_BYTES];
    va_list args;

    va_start(args, format);
    if (vsnprintf(text, sizeof(text), format, args) >= (int)sizeof(text))
        table->out->is_cut = true;
    va_end(args);
    put_cell(table, cleaned(clean, sizeof(clean), text));
}

void text_cell_fixed(struct text_table *table, int64_t value, unsigned decimals)
{
    char text[CELL_BYTES];
    struct textbuf cell;

    textbuf_init(&cell, text, sizeof(text));
    fixed_put(&cell, value, decimals);
    put_cell(table, text);
}

void text_cell_gib_per_s(struct text_table *table, uint64_t bytes_per_s)
{
    text_cell_fixed(table, (int64_t)fixed_muldiv(bytes_per_s, 100, 1ull << 30), 2);
}

void text_cell_size(struct text_table *table, uint64_t bytes)
{
    char text[CELL_BYTES];
    struct textbuf cell;

    textbuf_init(&cell, text, sizeof(text));
    fixed_put_size(&cell, bytes);
    put_cell(table, text);
}

void text_table_end_row(struct text_table *table)
{
    if (table->next) {
        textbuf_putc(table->out, '\n');
        table->next = 0;
    }
}
