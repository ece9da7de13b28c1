/* The command line: one table of options, what each may hold, and the values in
 * effect. A word that is not understood is an error, never another experiment. */
#ifndef KERNEL_OPTIONS_OPTIONS_H
#define KERNEL_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/cpumask.h"
#include "kernel/lib/input_error.h"
#include "kernel/lib/textbuf.h"
#include "kernel/options/inject.h"

enum {
    OPTIONS_CMDLINE_BYTES = 2048,
    OPTIONS_MAX_SIZES = 16,
    OPTIONS_MAX_RANGES = 64,
    OPTIONS_MAX_INJECTS = 8,
};

enum option_id {
    OPTION_RUN, OPTION_RULES, OPTION_SIZES, OPTION_EXTENTS, OPTION_VARIANTS, OPTION_MAP,
    OPTION_CPUS, OPTION_NODES, OPTION_TABLE, OPTION_BLOCKS, OPTION_BUDGET, OPTION_SEED, OPTION_CYCLES,
    OPTION_CONSOLE, OPTION_SCREEN, OPTION_COLOUR, OPTION_REPORT, OPTION_AFTER, OPTION_PAUSE, OPTION_QUIET,
    OPTION_INJECT, OPTION_HELP,
    OPTION_COUNT,
};

/* Bits of options.run: what is done, in this order. Topology is always read. */
enum { RUN_TOPOLOGY = 1, RUN_LATENCY = 2, RUN_BENCH = 4, RUN_CYCLE = 8 };
/* Bits of options.map. */
enum { MAP_4K = 1, MAP_2M = 2, MAP_1G = 4 };

enum options_table { TABLE_NONE, TABLE_SIZES, TABLE_WALK, TABLE_CHUNKS };
enum options_after { AFTER_RETURN, AFTER_POWEROFF, AFTER_REBOOT, AFTER_HALT };
enum options_quiet { QUIET_FIRMWARE, QUIET_EXIT };
enum options_colour { COLOUR_NOT_SENT, COLOUR_AS_ANSI };
enum options_screen { SCREEN_IN_USE, SCREEN_LEFT_ALONE };

enum console_kind {
    CONSOLE_AUTO,   /* what the SPCR table says, else COM1 when a UART answers there */
    CONSOLE_NONE,
    CONSOLE_IO,     /* 16550 registers at I/O port `address` */
    CONSOLE_MMIO8,  /* registers one byte apart in memory */
    CONSOLE_MMIO32, /* registers four bytes apart, read and written as 32 bits */
};

struct options_console {
    enum console_kind kind;
    uint64_t address;
    uint32_t baud;  /* 0: leave the line as the firmware set it */
};

/* Byte sizes in the order they were given; count 0 is "auto": the plan chooses. */
struct options_sizes {
    uint64_t bytes[OPTIONS_MAX_SIZES];
    uint32_t count;
};

/* A list of CPU or node numbers; range_count 0 is "all". */
struct options_list {
    struct { uint32_t first, last; } ranges[OPTIONS_MAX_RANGES];
    uint32_t range_count;
};

struct options {
    uint32_t run;                   /* RUN_ bits */
    uint32_t rules;                 /* bit i: words.rules[i], in the order of rule_profiles[] */
    struct options_sizes sizes;     /* region sizes */
    struct options_sizes extents;   /* bytes cleared by one call */
    uint64_t variants;              /* bit i: words.variants[i]; 0: auto */
    uint32_t map;                   /* MAP_ bits; 0: auto */
    struct options_list cpus, nodes;
    enum options_table table;       /* a known table: sizes and extents follow from it */
    uint32_t blocks;                /* interleaved blocks; 0: auto */
    uint64_t budget_ms;
    uint64_t seed;
    uint32_t cycles;
    struct options_console console;
    enum options_screen screen;
    enum options_colour colour;     /* of the pages on the serial line */
    uint32_t report;                /* bit i: words.reports[i]; 0: none */
    enum options_after after;
    uint64_t pause_ms;
    enum options_quiet quiet;
    struct inject injects[OPTIONS_MAX_INJECTS];
    uint32_t inject_count;
    bool is_help;                   /* `help`: print the options and do nothing else */

    /* What was written, for the report: see options_text(). */
    bool is_given[OPTION_COUNT];
    uint16_t text_offset[OPTION_COUNT];
    char words[OPTIONS_CMDLINE_BYTES];
    char inject_text[512];
};

/* The words that other layers define: profile names, variant names, report names. */
struct options_word_list {
    const char *const *names;
    uint32_t count;
};
struct options_words {
    struct options_word_list rules, variants, reports;
};

/* Every option at its default. */
void options_init(struct options *options, const struct options_words *words);

/* Defaults, then the words of `cmdline`: separated by white space, `#` starts a
 * comment that ends with its line. A first word that names an image (it has a
 * slash, a backslash, or ends in .elf or .efi, and no "=") is passed over. False:
 * *error tells the first wrong word, its byte offset and what would be right; *options
 * then holds what was understood, so that the report still goes where `console=` and
 * `after=` say. */
bool options_parse(struct options *options, const char *cmdline,
                   const struct options_words *words, struct input_error *error);

/* A list as a set: every CPU below `count` for "all". False: it names a number
 * that is `count` or higher, which the error tells with the option's name. */
bool options_list_mask(const struct options *options, enum option_id which, uint32_t count,
                       struct cpumask *mask, struct input_error *error);

const char *options_name(enum option_id id);
/* The value in effect as it was written, or the default's text. */
const char *options_text(const struct options *options, enum option_id id);

/* The table for a reader at the console, 80 columns. */
void options_put_help(struct textbuf *out, const struct options_words *words);
/* The same table as docs/options.md has it. */
void options_put_markdown(struct textbuf *out, const struct options_words *words);

#endif
