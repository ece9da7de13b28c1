/* The table of options as two texts: for the console and for docs/options.md. */
#include "kernel/options/options.h"

#include <string.h>

#include "kernel/options/option_table.h"

enum { HELP_COLUMNS = 80, HELP_INDENT = 4 };

/* Words of `text` on lines of 80 columns, each indented. */
static void put_wrapped(struct textbuf *out, const char *text)
{
    unsigned column = 0;

    for (;;) {
        size_t length;

        text += strspn(text, " ");
        length = strcspn(text, " ");
        if (length == 0)
            break;
        if (column && column + 1 + length > HELP_COLUMNS) {
            textbuf_putc(out, '\n');
            column = 0;
        }
        textbuf_put(out, column ? " " : "    ");
        column += (column ? 1 : HELP_INDENT) + (unsigned)length;
        textbuf_put_bytes(out, text, length);
        text += length;
    }
    textbuf_putc(out, '\n');
}

static void put_words(struct textbuf *out, const struct option_row *row,
                      const struct options_words *words, const char *before, const char *between)
{
    struct options_word_list list = option_row_words(row, words);

    for (uint32_t i = 0; i < list.count; i++)
        textbuf_printf(out, "%s%s", i ? between : before, list.names[i]);
}

void options_put_help(struct textbuf *out, const struct options_words *words)
{
    textbuf_put(out, "Options, separated by blanks; a word that is not understood stops the run.\n");
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];
        char line[512];
        struct textbuf text;

        textbuf_printf(out, "\n%s%s%s  (default %s)\n", row->name,
                       row->kind == KIND_HELP ? "" : "=",
                       row->kind == KIND_HELP ? "" : row->grammar, row->fallback);
        put_wrapped(out, row->help);
        textbuf_init(&text, line, sizeof(line));
        put_words(&text, row, words, row->kind == KIND_WORD ? "One of: " : "One or more of: ", " ");
        if (text.length)
            put_wrapped(out, line);
        if (row->range) {
            textbuf_init(&text, line, sizeof(line));
            textbuf_printf(&text, "Range: %s.", row->range);
            put_wrapped(out, line);
        }
    }
}

void options_put_markdown(struct textbuf *out, const struct options_words *words)
{
    textbuf_put(out, "| option | value | default | range | what it does |\n"
                     "|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];

        textbuf_printf(out, "| `%s` | %s | `%s` | %s", row->name, row->grammar, row->fallback,
                       row->range ? row->range : "");
        put_words(out, row, words, "`", "` `");
        textbuf_printf(out, "%s | %s |\n", option_row_words(row, words).count ? "`" : "",
                       row->help);
    }
}
