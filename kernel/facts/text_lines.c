/* Lines and words are cut by writing NULs into a private copy: every text that
 * is kept is then a C string already. */
#include "kernel/facts/text_lines.h"

#include <string.h>

bool text_out_of_memory(struct input_error *error)
{
    input_error_set(error, PLACE_NONE, 0, "the memory for reading this input is too small");
    return false;
}

bool text_lines_init(struct text_lines *lines, const char *text, size_t length,
                     struct arena *arena, struct input_error *error)
{
    const char *nul = length ? memchr(text, '\0', length) : NULL;
    char *copy;

    if (nul) {
        input_error_set(error, PLACE_OFFSET, (uint64_t)(nul - text),
                        "a zero byte: this is not a text file");
        return false;
    }
    copy = length == SIZE_MAX ? NULL : ARENA_NEW(arena, char, length + 1);
    if (!copy)
        return text_out_of_memory(error);
    if (length)
        memcpy(copy, text, length);
    *lines = (struct text_lines){.next = copy, .end = copy + length};
    return true;
}

char *text_lines_next(struct text_lines *lines)
{
    char *line = lines->next, *end;

    if (line == lines->end)
        return NULL;
    end = memchr(line, '\n', (size_t)(lines->end - line));
    if (!end)
        end = lines->end;
    lines->next = end < lines->end ? end + 1 : end;
    lines->number++;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

char *text_rest(char *rest)
{
    while (*rest == ' ')
        rest++;
    return rest;
}

char *text_word(char **rest)
{
    char *word = text_rest(*rest), *end = word;

    while (*end && *end != ' ')
        end++;
    *rest = end;
    if (*end) {
        *end = '\0';
        *rest = end + 1;
    }
    return word;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool text_hex(const char *word, unsigned max_digits, uint64_t *value)
{
    unsigned digits = 0;
    uint64_t number = 0;

    for (; word[digits]; digits++) {
        int digit = hex_digit(word[digits]);

        if (digit < 0 || digits >= max_digits)
            return false;
        number = number << 4 | (uint64_t)digit;
    }
    *value = number;
    return digits > 0;
}

bool text_hex32(const char *word, uint32_t *value)
{
    uint64_t number;

    if (!text_hex(word, 8, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

bool text_bytes(const char *digits, uint8_t *bytes, uint32_t capacity, uint32_t *count)
{
    for (*count = 0; *digits; digits += 2) {
        int high = hex_digit(digits[0]), low = high < 0 ? -1 : hex_digit(digits[1]);

        if (low < 0 || *count >= capacity)
            return false;
        bytes[(*count)++] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool text_decimal(const char *word, uint64_t max, uint64_t *value)
{
    uint64_t number = 0;

    if (!*word)
        return false;
    for (; *word; word++) {
        if (*word < '0' || *word > '9' || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*word - '0'), &number) || number > max)
            return false;
    }
    *value = number;
    return true;
}

bool text_number(const char *word, uint32_t *value)
{
    uint64_t number;

    if (!text_decimal(word, INT32_MAX, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

bool text_numbered(const char *word, const char *name, uint32_t *number)
{
    size_t length = strlen(name);

    return strncmp(word, name, length) == 0 && text_number(word + length, number);
}
