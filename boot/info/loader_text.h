/* The little text work of the loader, where no C library is linked. */
#ifndef BOOT_INFO_LOADER_TEXT_H
#define BOOT_INFO_LOADER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends `text`; false when it was cut. */
bool loader_text_append(char *target, size_t capacity, const char *text);
/* Appends the low byte of each UTF-16 character, "?" for others than ASCII. */
bool loader_text_append16(char *target, size_t capacity, const uint16_t *text, size_t count);
/* Appends `value` in decimal with at least `digits` digits. */
bool loader_text_append_number(char *target, size_t capacity, uint64_t value, unsigned digits);
/* ASCII to UTF-16; false when it was cut. */
bool loader_text_widen(uint16_t *target, size_t capacity, const char *text);
/* Appends the words of `text`, comments left out, one blank before each but the first. Left
 * out too are words whose name (up to "=") a word of `stronger` has. */
bool loader_text_append_words(char *target, size_t capacity, const char *text,
                           const char *stronger);
/* What the last line options="WORDS" of a menu's options.cfg has between its quotes; the rest of
 * `text` is cut off. Without such a line: all of `text`. */
const char *loader_text_quoted_options(char *text);
/* True when the last word of `text`, outside comments, that starts with `name` goes on with
 * `value` and ends there. Upper and lower case are the same. */
bool loader_text_last_value_is(const char *text, const char *name, const char *value);

#endif
