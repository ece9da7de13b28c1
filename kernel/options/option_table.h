/* The one table of options: name, grammar, default, range, unit, help. The parser,
 * the help text and docs/options.md are all made from it. */
#ifndef KERNEL_OPTIONS_OPTION_TABLE_H
#define KERNEL_OPTIONS_OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/options/options.h"

enum option_kind {
    KIND_WORD_SET,   /* words joined by commas, or "all": bits of a uint32_t */
    KIND_WORD_SET64, /* the same, of a uint64_t */
    KIND_WORD,       /* one word: an enum */
    KIND_SIZES,      /* struct options_sizes */
    KIND_LIST,       /* struct options_list */
    KIND_NUMBER,     /* uint32_t */
    KIND_NUMBER64,   /* uint64_t */
    KIND_TIME,       /* uint64_t milliseconds */
    KIND_CONSOLE,
    KIND_INJECT,     /* may be given several times */
    KIND_HELP,       /* a word without a value */
};

/* Where the words of a word option come from. */
enum option_words_source { WORDS_FIXED, WORDS_RULES, WORDS_VARIANTS, WORDS_REPORTS };

struct option_row {
    const char *name;
    enum option_kind kind;
    size_t field;              /* offset in struct options */
    const char *grammar;       /* for people: "SIZE,…" */
    const char *fallback;      /* the default, in the option's own grammar */
    const char *special;       /* word that stands for the value 0: "auto", "none", "all"; or NULL */
    uint64_t min, max;         /* of every number in it */
    uint64_t multiple;         /* numbers are whole multiples of this; 0: any */
    const char *range;         /* min, max and unit for people */
    enum option_words_source source;
    struct options_word_list fixed;
    const char *help;
};

extern const struct option_row option_table[OPTION_COUNT];

/* The words a row accepts. */
struct options_word_list option_row_words(const struct option_row *row,
                                          const struct options_words *words);

#endif
