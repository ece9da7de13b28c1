/* The command line comes from a loader: any bytes are taken or refused with a sentence,
 * and what is taken means the same when it is written again. */
#include <stdlib.h>
#include <string.h>

#include "kernel/options/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const char *const rules[] = {"linux-4.9", "linux-6.12"};
static const char *const variants[] = {"stosq", "stosb", "movnti8"};
static const char *const reports[] = {"txt", "json"};
static const struct options_words words = {{rules, 2}, {variants, 3}, {reports, 2}};

static void check_ranges(const struct options *options)
{
    if (options->sizes.count > OPTIONS_MAX_SIZES || options->inject_count > OPTIONS_MAX_INJECTS ||
        options->cpus.range_count > OPTIONS_MAX_RANGES || options->budget_ms < 100 ||
        options->cycles < 1 || options->rules > 3 || options->variants > 7 || options->report > 3)
        abort();
    for (uint32_t i = 0; i < options->sizes.count; i++) {
        if (options->sizes.bytes[i] < 4096 || options->sizes.bytes[i] % 4096)
            abort();
    }
}

static void check_again(const struct options *options)
{
    static struct options again;
    char line[OPTIONS_CMDLINE_BYTES];
    struct input_error error;
    struct textbuf text;

    textbuf_init(&text, line, sizeof(line));
    for (uint32_t id = 0; id < OPTION_COUNT; id++) {
        if (options->is_given[id] && id != OPTION_INJECT && id != OPTION_HELP)
            textbuf_printf(&text, " %s=%.1000s", options_name(id), options_text(options, id));
    }
    if (text.is_cut)
        return;
    if (!options_parse(&again, line, &words, &error) || again.seed != options->seed ||
        again.run != options->run || again.budget_ms != options->budget_ms ||
        memcmp(&again.sizes, &options->sizes, sizeof(again.sizes)) != 0 ||
        memcmp(&again.console, &options->console, sizeof(again.console)) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct options options;
    struct input_error error = {0};
    char *line = malloc(length + 1);

    memcpy(line, bytes, length);
    line[length] = '\0';
    if (options_parse(&options, line, &words, &error)) {
        check_ranges(&options);
        check_again(&options);
    } else if (strlen(error.text) < 10 || error.place > length) {
        abort();
    }
    free(line);
    return 0;
}
