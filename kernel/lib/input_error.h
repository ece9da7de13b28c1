/* What was wrong with an input: which one, where, and what would be right. */
#ifndef KERNEL_LIB_INPUT_ERROR_H
#define KERNEL_LIB_INPUT_ERROR_H

#include <stdint.h>

enum input_place { PLACE_NONE, PLACE_LINE, PLACE_OFFSET };

struct input_error {
    enum input_place place_kind;
    uint64_t place;  /* 1-based line, or byte offset */
    char text[200];  /* one sentence: what is there, what would be right */
};

void input_error_set(struct input_error *error, enum input_place kind, uint64_t place,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
