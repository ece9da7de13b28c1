/* coretruth options: the image's command line, explained and checked on the desk. */
#include <stdio.h>
#include <string.h>

#include "host/command.h"
#include "host/complain.h"
#include "kernel/bench/clear_page.h"
#include "kernel/options/options.h"
#include "kernel/report/formats.h"
#include "kernel/topology/rules.h"

enum { MAX_VARIANTS = 64, TEXT_BYTES = 32768 };

const char cmd_options_usage[] =
    "usage: coretruth options [--markdown | WORD...]\n"
    "\n"
    "Without words: every option of the image, as its option `help` prints them;\n"
    "--markdown: the table of docs/options.md. With words: says whether the image would\n"
    "take them as its command line, and what it would run with.\n"
    "\n"
    "exit status: 0 the words are right, 1 one is not\n";

static struct options_words collect_words(void)
{
    static const char *rules[RULE_PROFILE_COUNT], *variants[MAX_VARIANTS];
    uint32_t count = clear_page_variant_count();

    if (count > MAX_VARIANTS)
        count = MAX_VARIANTS;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        rules[i] = rules_name(&rule_profiles[i]);
    for (uint32_t i = 0; i < count; i++)
        variants[i] = clear_page_variants[i].id;
    return (struct options_words){{rules, RULE_PROFILE_COUNT}, {variants, count}, report_words()};
}

static void print_table(void (*put)(struct textbuf *, const struct options_words *),
                        const struct options_words *words)
{
    static char text[TEXT_BYTES];
    struct textbuf out;

    textbuf_init(&out, text, sizeof(text));
    put(&out, words);
    fputs(text, stdout);
}

static int check_words(int argc, char **argv, const struct options_words *words)
{
    static struct options options;
    char line[OPTIONS_CMDLINE_BYTES];
    struct textbuf text;
    struct input_error error = {0};

    textbuf_init(&text, line, sizeof(line));
    for (int i = 1; i < argc; i++) {
        textbuf_put(&text, i > 1 ? " " : "");
        textbuf_put(&text, argv[i]);
    }
    if (text.is_cut) {
        complain("words, byte %u: the line goes on; right would be %u bytes at most",
                 OPTIONS_CMDLINE_BYTES - 1, OPTIONS_CMDLINE_BYTES - 1);
        return HOST_NO;
    }
    if (!options_parse(&options, line, words, &error)) {
        complain("words, byte %llu: %s", (unsigned long long)error.place, error.text);
        return HOST_NO;
    }
    for (uint32_t id = 0; id < OPTION_COUNT; id++)
        printf("%c %-9s %s\n", options.is_given[id] ? '*' : ' ',
               options_name((enum option_id)id), options_text(&options, (enum option_id)id));
    return HOST_GOOD;
}

int cmd_options(int argc, char **argv)
{
    struct options_words words = collect_words();

    if (argc == 1)
        print_table(options_put_help, &words);
    else if (argc == 2 && !strcmp(argv[1], "--markdown"))
        print_table(options_put_markdown, &words);
    else
        return check_words(argc, argv, &words);
    return HOST_GOOD;
}
