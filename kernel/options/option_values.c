/* One reader per kind of option. The defaults of the table are read by the same
 * code, so that a default cannot mean something that nobody could write. */
#include "kernel/options/option_values.h"

#include <string.h>

enum { PIECE_BYTES = 64 };

static const struct { const char *name; uint64_t port; } com_ports[] = {
    {"com1", 0x3F8}, {"com2", 0x2F8}, {"com3", 0x3E8}, {"com4", 0x2E8},
    {"ttyS0", 0x3F8}, {"ttyS1", 0x2F8}, {"ttyS2", 0x3E8}, {"ttyS3", 0x2E8},
};

static void put_words(struct textbuf *out, struct options_word_list list, const char *special)
{
    for (uint32_t i = 0; i < list.count; i++)
        textbuf_printf(out, "%s%s", i ? " " : "", list.names[i]);
    if (special)
        textbuf_printf(out, " %s", special);
}

bool option_wrong(const struct option_input *in, const struct option_row *row, const char *what)
{
    char right[120];
    struct textbuf out;

    textbuf_init(&out, right, sizeof(right));
    if (row->kind == KIND_WORD_SET || row->kind == KIND_WORD_SET64 || row->kind == KIND_WORD)
        put_words(&out, option_row_words(row, in->words), row->special);
    else
        textbuf_printf(&out, "%s%s%s", row->grammar, row->range ? ", " : "",
                       row->range ? row->range : "");
    input_error_set(in->error, PLACE_OFFSET, in->offset, "word %u \"%.40s\" %s; right would be %s",
                    (unsigned)in->number, in->word, what, right);
    return false;
}

static bool read_word_set(uint64_t *bits, const struct option_row *row, const char *value,
                          const struct option_input *in)
{
    struct options_word_list list = option_row_words(row, in->words);
    char piece[PIECE_BYTES];

    *bits = 0;
    if (value_same_word(value, "all")) {
        *bits = list.count >= 64 ? UINT64_MAX : (1ull << list.count) - 1;
        return true;
    }
    while (value_next_piece(&value, ',', piece, sizeof(piece))) {
        uint32_t i = 0;

        while (i < list.count && !value_same_word(piece, list.names[i]))
            i++;
        if (i == list.count || i >= 64)
            return option_wrong(in, row, "has a word that is not known");
        *bits |= 1ull << i;
    }
    return true;
}

static bool read_word(int *choice, const struct option_row *row, const char *value,
                      const struct option_input *in)
{
    struct options_word_list list = option_row_words(row, in->words);

    for (uint32_t i = 0; i < list.count; i++) {
        if (value_same_word(value, list.names[i])) {
            *choice = (int)i;
            return true;
        }
    }
    return option_wrong(in, row, "has a word that is not known");
}

static bool is_in_range(const struct option_row *row, uint64_t value)
{
    return value >= row->min && value <= row->max &&
           (row->multiple == 0 || value % row->multiple == 0);
}

static bool read_sizes(struct options_sizes *sizes, const struct option_row *row,
                       const char *value, const struct option_input *in)
{
    char piece[PIECE_BYTES];
    uint64_t bytes;

    sizes->count = 0;
    while (value_next_piece(&value, ',', piece, sizeof(piece))) {
        if (sizes->count == OPTIONS_MAX_SIZES)
            return option_wrong(in, row, "has more than 16 sizes");
        if (!value_size(piece, &bytes))
            return option_wrong(in, row, "has something that is not a size such as 16M");
        if (!is_in_range(row, bytes))
            return option_wrong(in, row, "has a size out of range");
        sizes->bytes[sizes->count++] = bytes;
    }
    return true;
}

static bool read_list(struct options_list *list, const struct option_row *row, const char *value,
                      const struct option_input *in)
{
    char piece[PIECE_BYTES];
    uint32_t first, last;

    list->range_count = 0;
    while (value_next_piece(&value, ',', piece, sizeof(piece))) {
        if (list->range_count == OPTIONS_MAX_RANGES)
            return option_wrong(in, row, "has more than 64 ranges");
        if (!value_range(piece, &first, &last))
            return option_wrong(in, row, "is not a list such as 0-3,8");
        if (!is_in_range(row, last))
            return option_wrong(in, row, "has a number out of range");
        list->ranges[list->range_count].first = first;
        list->ranges[list->range_count++].last = last;
    }
    return true;
}

static bool read_number(uint64_t *number, const struct option_row *row, const char *value,
                        const struct option_input *in)
{
    if (!value_number(value, number))
        return option_wrong(in, row, "is not a number");
    return is_in_range(row, *number) || option_wrong(in, row, "is out of range");
}

static bool read_time(uint64_t *ms, const struct option_row *row, const char *value,
                      const struct option_input *in)
{
    if (!value_time(value, ms))
        return option_wrong(in, row, "is not a time such as 30s or 5m");
    return is_in_range(row, *ms) || option_wrong(in, row, "is out of range");
}

static bool read_console_place(struct options_console *console, const char *place)
{
    static const struct { const char *prefix; enum console_kind kind; } kinds[] = {
        {"io:", CONSOLE_IO}, {"mmio:", CONSOLE_MMIO8}, {"mmio32:", CONSOLE_MMIO32},
    };

    if (value_same_word(place, "auto") || value_same_word(place, "none")) {
        console->kind = value_same_word(place, "auto") ? CONSOLE_AUTO : CONSOLE_NONE;
        return true;
    }
    for (size_t i = 0; i < sizeof(com_ports) / sizeof(com_ports[0]); i++) {
        if (value_same_word(place, com_ports[i].name)) {
            console->kind = CONSOLE_IO;
            console->address = com_ports[i].port;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t length = strlen(kinds[i].prefix);

        if (strncmp(place, kinds[i].prefix, length) != 0)
            continue;
        console->kind = kinds[i].kind;
        return value_number(place + length, &console->address) && console->address != 0 &&
               (console->kind != CONSOLE_IO || console->address <= 0xFFF8) &&
               (console->kind != CONSOLE_MMIO32 || console->address % 4 == 0);
    }
    return false;
}

static bool read_console(struct options_console *console, const struct option_row *row,
                         const char *value, const struct option_input *in)
{
    char place[PIECE_BYTES];
    uint64_t baud = 0;

    *console = (struct options_console){0};
    value_next_piece(&value, ',', place, sizeof(place));
    if (!read_console_place(console, place))
        return option_wrong(in, row, "names no place (auto, com1, io:0x3f8, mmio32:0xfe001000)");
    if (value && (!value_number(value, &baud) || !is_in_range(row, baud)))
        return option_wrong(in, row, "has a wrong speed");
    console->baud = (uint32_t)baud;
    return true;
}

static bool read_inject(struct options *options, const struct option_row *row, const char *value,
                        const struct option_input *in)
{
    if (options->inject_count == OPTIONS_MAX_INJECTS)
        return option_wrong(in, row, "is one injection too many");
    if (!inject_parse(&options->injects[options->inject_count], value, in->offset, in->error))
        return false;
    options->inject_count++;
    return true;
}

/* Numbers are read into a copy: a field only changes when its value is right. */
static bool read_numeric(void *field, const struct option_row *row, const char *value,
                         const struct option_input *in)
{
    uint64_t number = 0;
    int choice = 0;
    bool is_special = row->special && value_same_word(value, row->special);

    switch (row->kind) {
    case KIND_WORD:
        if (!read_word(&choice, row, value, in))
            return false;
        memcpy(field, &choice, sizeof(choice));
        return true;
    case KIND_WORD_SET:
    case KIND_WORD_SET64:
        if (!is_special && !read_word_set(&number, row, value, in))
            return false;
        break;
    case KIND_TIME:
        if (!read_time(&number, row, value, in))
            return false;
        break;
    default:
        if (!is_special && !read_number(&number, row, value, in))
            return false;
        break;
    }
    if (row->kind == KIND_WORD_SET || row->kind == KIND_NUMBER)
        *(uint32_t *)field = (uint32_t)number;
    else
        *(uint64_t *)field = number;
    return true;
}

bool option_read(struct options *options, const struct option_row *row, const char *value,
                 const struct option_input *in)
{
    void *field = (char *)options + row->field;
    bool is_special = row->special && value_same_word(value, row->special);

    switch (row->kind) {
    case KIND_SIZES:
        ((struct options_sizes *)field)->count = 0;
        return is_special || read_sizes(field, row, value, in);
    case KIND_LIST:
        ((struct options_list *)field)->range_count = 0;
        return is_special || read_list(field, row, value, in);
    case KIND_CONSOLE:
        return read_console(field, row, value, in);
    case KIND_INJECT:
        return read_inject(options, row, value, in);
    case KIND_HELP:
        *(bool *)field = true;
        return true;
    default:
        return read_numeric(field, row, value, in);
    }
}
