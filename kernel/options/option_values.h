/* Reads one option's value into its field, or says what would be right. */
#ifndef KERNEL_OPTIONS_OPTION_VALUES_H
#define KERNEL_OPTIONS_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/input_error.h"
#include "kernel/options/option_table.h"
#include "kernel/options/values.h"

/* The word being read, for errors. */
struct option_input {
    const char *word;
    uint32_t number;   /* 1 for the first word */
    uint64_t offset;   /* of the word in the command line */
    const struct options_words *words;
    struct input_error *error;
};

bool option_read(struct options *options, const struct option_row *row, const char *value,
                 const struct option_input *in);

/* Fills in->error with the word, what is wrong with it and what would be right.
 * Returns false, so that a reader can end with it. */
bool option_wrong(const struct option_input *in, const struct option_row *row,
                  const char *what);

#endif
