/* A text cut into lines and words in place, and the strict numbers in them. */
#ifndef KERNEL_FACTS_TEXT_LINES_H
#define KERNEL_FACTS_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/input_error.h"

struct text_lines {
    char *next, *end;
    uint32_t number;     /* of the line given last, from 1 */
};

/* A private copy of the text. False with *error: the arena is full, or a NUL
 * byte shows that it is no text. */
bool text_lines_init(struct text_lines *lines, const char *text, size_t length,
                     struct arena *arena, struct input_error *error);

/* The next line without its end ("\n" or "\r\n"), or NULL after the last. */
char *text_lines_next(struct text_lines *lines);

/* Cuts the next word, words being separated by spaces, off *rest; "" at the end. */
char *text_word(char **rest);
/* What is left of a line, without the spaces before it. */
char *text_rest(char *rest);

/* The whole word must be a number of the wanted size, without sign or prefix. */
bool text_hex(const char *word, unsigned max_digits, uint64_t *value);
bool text_hex32(const char *word, uint32_t *value);
bool text_decimal(const char *word, uint64_t max, uint64_t *value);
/* A CPU, node or index number: decimal and below 2^31, so that no text can ask
 * for the numbers that mean "none". */
bool text_number(const char *word, uint32_t *value);

/* Pairs of hexadecimal digits into at most `capacity` bytes. False when a digit
 * is wrong or alone, or the bytes do not fit. */
bool text_bytes(const char *digits, uint8_t *bytes, uint32_t capacity, uint32_t *count);

/* A name with a number behind it: "cpu12" and "cpu" give 12. */
bool text_numbered(const char *word, const char *name, uint32_t *number);

/* Sets "not enough memory for this input" and returns false. */
bool text_out_of_memory(struct input_error *error);

#endif
