/* The grammars of option values: numbers, sizes, times, words, lists. Each reader
 * takes a whole NUL-terminated text and knows nothing about options. */
#ifndef KERNEL_OPTIONS_VALUES_H
#define KERNEL_OPTIONS_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, or hexadecimal after 0x. False: anything else, or above UINT64_MAX. */
bool value_number(const char *text, uint64_t *value);
/* A number with K, M, G or T (of 1,024) or none. */
bool value_size(const char *text, uint64_t *bytes);
/* A decimal number with ms, s, m or h; the unit is not optional. */
bool value_time(const char *text, uint64_t *ms);
/* "3" or "0-3". */
bool value_range(const char *text, uint32_t *first, uint32_t *last);

bool value_same_word(const char *a, const char *b); /* upper and lower case are one */

/* The next piece of a list: copies it to `piece` and moves *text behind its
 * separator. False at the end. A piece that does not fit comes out empty, which no
 * grammar accepts. */
bool value_next_piece(const char **text, char separator, char *piece, size_t size);

#endif
