/* Cuts the command line into words and reads each by its row of the table. The
 * words stay where they are, so that the report can repeat them. */
#include "kernel/options/options.h"

#include <stdio.h>
#include <string.h>

#include "kernel/options/option_table.h"
#include "kernel/options/option_values.h"

/* A word that may be the image's own name: loaders put it first. */
static bool is_image_name(const char *word)
{
    size_t length = strlen(word);

    if (strchr(word, '='))
        return false;
    if (strchr(word, '/') || strchr(word, '\\'))
        return true;
    return length > 4 && (value_same_word(word + length - 4, ".elf") ||
                          value_same_word(word + length - 4, ".efi"));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next word in options->words from *at on, terminated in place; NULL at the end. */
static char *next_word(struct options *options, size_t *at)
{
    char *words = options->words;
    size_t start;

    for (;;) {
        while (is_blank(words[*at]))
            (*at)++;
        if (words[*at] != '#')
            break;
        while (words[*at] && words[*at] != '\n')
            (*at)++;
    }
    if (!words[*at])
        return NULL;
    start = *at;
    while (words[*at] && !is_blank(words[*at]))
        (*at)++;
    if (words[*at])
        words[(*at)++] = '\0';
    return words + start;
}

static void put_names(struct textbuf *out)
{
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        textbuf_printf(out, "%s%s", i ? " " : "", option_table[i].name);
}

static bool unknown_word(const struct option_input *in)
{
    char names[160];
    struct textbuf out;

    textbuf_init(&out, names, sizeof(names));
    put_names(&out);
    input_error_set(in->error, PLACE_OFFSET, in->offset,
                    "word %u \"%.24s\" is no option; the options are %s",
                    (unsigned)in->number, in->word, names);
    return false;
}

/* Adds to the text of inject=, which is the only option that may repeat. */
static void keep_inject_text(struct options *options, const char *value)
{
    size_t used = options->is_given[OPTION_INJECT] ? strlen(options->inject_text) : 0;

    snprintf(options->inject_text + used, sizeof(options->inject_text) - used, "%s%s",
             used ? " " : "", value);
}

static bool read_word(struct options *options, const struct option_input *in)
{
    const char *equals = strchr(in->word, '=');
    size_t length = equals ? (size_t)(equals - in->word) : strlen(in->word);

    for (uint32_t id = 0; id < OPTION_COUNT; id++) {
        const struct option_row *row = &option_table[id];

        if (strlen(row->name) != length || memcmp(row->name, in->word, length) != 0)
            continue;
        if (!equals != (row->kind == KIND_HELP))
            return option_wrong(in, row, equals ? "takes no value" : "has no value");
        if (options->is_given[id] && row->kind != KIND_INJECT)
            return option_wrong(in, row, "is given a second time");
        if (!option_read(options, row, equals ? equals + 1 : "yes", in))
            return false;
        if (row->kind == KIND_INJECT)
            keep_inject_text(options, equals + 1);
        if (equals)
            options->text_offset[id] = (uint16_t)(equals + 1 - options->words);
        options->is_given[id] = true;
        return true;
    }
    return unknown_word(in);
}

void options_init(struct options *options, const struct options_words *words)
{
    struct input_error error;
    struct option_input in = {.word = "", .words = words, .error = &error};

    memset(options, 0, sizeof(*options));
    for (uint32_t id = 0; id < OPTION_COUNT; id++) {
        const struct option_row *row = &option_table[id];

        if (row->kind != KIND_INJECT && row->kind != KIND_HELP)
            option_read(options, row, row->fallback, &in);
    }
}

bool options_parse(struct options *options, const char *cmdline,
                   const struct options_words *words, struct input_error *error)
{
    struct option_input in = {.words = words, .error = error};
    struct input_error later;
    size_t length = strlen(cmdline), at = 0;
    char *word;

    options_init(options, words);
    if (length >= sizeof(options->words)) {
        input_error_set(error, PLACE_OFFSET, sizeof(options->words) - 1,
                        "the command line has %zu bytes; at most %zu are read", length,
                        sizeof(options->words) - 1);
        return false;
    }
    memcpy(options->words, cmdline, length + 1);
    while ((word = next_word(options, &at)) != NULL) {
        in.number++;
        in.word = word;
        in.offset = (uint64_t)(word - options->words);
        if (in.number == 1 && is_image_name(word))
            continue;
        if (!read_word(options, &in))
            in.error = &later;
    }
    return in.error == error;
}

bool options_list_mask(const struct options *options, enum option_id which, uint32_t count,
                       struct cpumask *mask, struct input_error *error)
{
    const struct options_list *list = which == OPTION_NODES ? &options->nodes : &options->cpus;

    cpumask_clear(mask);
    for (uint32_t i = 0; list->range_count == 0 && i < count; i++)
        cpumask_set(mask, i);
    for (uint32_t i = 0; i < list->range_count; i++) {
        if (list->ranges[i].last >= count) {
            input_error_set(error, PLACE_OFFSET, options->text_offset[which],
                            "\"%s=%.60s\" names %u, and this machine has 0 to %u",
                            options_name(which), options_text(options, which),
                            (unsigned)list->ranges[i].last, (unsigned)(count ? count - 1 : 0));
            return false;
        }
        for (uint32_t n = list->ranges[i].first; n <= list->ranges[i].last; n++)
            cpumask_set(mask, n);
    }
    return true;
}

const char *options_name(enum option_id id)
{
    return option_table[id].name;
}

const char *options_text(const struct options *options, enum option_id id)
{
    if (!options->is_given[id])
        return option_table[id].fallback;
    if (id == OPTION_INJECT)
        return options->inject_text;
    if (id == OPTION_HELP)
        return "yes";
    return options->words + options->text_offset[id];
}
