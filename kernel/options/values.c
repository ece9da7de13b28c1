/* No strtoull here: it takes signs, blanks and rubbish at the end, and a mistyped
 * number must not be taken for another one. */
#include "kernel/options/values.h"

#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int digit_of(char c)
{
    c = lower(c);
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Reads digits of `base`; *text is left behind them. False: none, or too large. */
static bool take_digits(const char **text, int base, uint64_t *value)
{
    const char *start = *text;

    *value = 0;
    for (; digit_of(**text) < base; (*text)++) {
        uint64_t digit = (uint64_t)digit_of(**text);

        if (*value > (UINT64_MAX - digit) / (uint64_t)base)
            return false;
        *value = *value * (uint64_t)base + digit;
    }
    return *text != start;
}

bool value_number(const char *text, uint64_t *value)
{
    int base = 10;

    if (text[0] == '0' && lower(text[1]) == 'x') {
        base = 16;
        text += 2;
    }
    return take_digits(&text, base, value) && *text == '\0';
}

bool value_size(const char *text, uint64_t *bytes)
{
    static const char letters[] = "kmgt";
    const char *letter;
    unsigned shift;

    if (!take_digits(&text, 10, bytes))
        return false;
    if (*text == '\0')
        return true;
    letter = strchr(letters, lower(*text));
    if (!letter || text[1] != '\0')
        return false;
    shift = 10 * (unsigned)(letter - letters + 1);
    if (*bytes > UINT64_MAX >> shift)
        return false;
    *bytes <<= shift;
    return true;
}

bool value_time(const char *text, uint64_t *ms)
{
    static const struct { const char *name; uint64_t ms; } units[] = {
        {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000},
    };

    if (!take_digits(&text, 10, ms))
        return false;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (value_same_word(text, units[i].name) && *ms <= UINT64_MAX / units[i].ms) {
            *ms *= units[i].ms;
            return true;
        }
    }
    return false;
}

bool value_range(const char *text, uint32_t *first, uint32_t *last)
{
    uint64_t a, b;

    if (!take_digits(&text, 10, &a))
        return false;
    b = a;
    if (*text == '-') {
        text++;
        if (!take_digits(&text, 10, &b))
            return false;
    }
    if (*text != '\0' || a > b || b >= UINT32_MAX)
        return false;
    *first = (uint32_t)a;
    *last = (uint32_t)b;
    return true;
}

bool value_same_word(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

bool value_next_piece(const char **text, char separator, char *piece, size_t size)
{
    size_t length = 0, kept;

    if (!*text)
        return false;
    while ((*text)[length] && (*text)[length] != separator)
        length++;
    kept = length < size ? length : 0;
    memcpy(piece, *text, kept);
    piece[kept] = '\0';
    *text = (*text)[length] ? *text + length + 1 : NULL;
    return true;
}
