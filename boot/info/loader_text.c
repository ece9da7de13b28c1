/* Bounded text in ASCII and UTF-16. */
#include "boot/info/loader_text.h"

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

bool loader_text_append(char *target, size_t capacity, const char *text)
{
    size_t at = length_of(target);
    while (*text && at + 1 < capacity)
        target[at++] = *text++;
    target[at] = 0;
    return *text == 0;
}

bool loader_text_append16(char *target, size_t capacity, const uint16_t *text, size_t count)
{
    size_t at = length_of(target), i = 0;
    for (; i < count && text[i] && at + 1 < capacity; i++)
        target[at++] = text[i] < 0x80 ? (char)text[i] : '?';
    target[at] = 0;
    return i == count || text[i] == 0;
}

bool loader_text_append_number(char *target, size_t capacity, uint64_t value, unsigned digits)
{
    char reversed[21], text[21];
    unsigned count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while ((value || count < digits) && count < sizeof reversed - 1);
    for (unsigned i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    text[count] = 0;
    return loader_text_append(target, capacity, text);
}

bool loader_text_widen(uint16_t *target, size_t capacity, const char *text)
{
    size_t i = 0;
    for (; text[i] && i + 1 < capacity; i++)
        target[i] = (uint16_t)(unsigned char)text[i];
    target[i] = 0;
    return text[i] == 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool starts_with(const char *text, const char *start)
{
    while (*start && lower(*text) == *start) {
        text++;
        start++;
    }
    return *start == 0;
}

/* The next word outside comments, or the end of the text. */
static const char *next_word(const char *text)
{
    while (*text) {
        if (is_space(*text)) {
            text++;
        } else if (*text == '#') {
            while (*text && *text != '\n')
                text++;
        } else {
            break;
        }
    }
    return text;
}

static const char *word_end(const char *word)
{
    while (*word && !is_space(*word))
        word++;
    return word;
}

/* Both words are "name=..." or the like with one name. */
static bool has_same_name(const char *a, const char *b)
{
    while (*a && !is_space(*a) && *a != '=' && *a == *b) {
        a++;
        b++;
    }
    return (*a == 0 || is_space(*a) || *a == '=') && (*b == 0 || is_space(*b) || *b == '=');
}

static bool has_word_named_as(const char *text, const char *word)
{
    for (text = next_word(text); *text; text = next_word(word_end(text))) {
        if (has_same_name(text, word))
            return true;
    }
    return false;
}

bool loader_text_append_words(char *target, size_t capacity, const char *text, const char *stronger)
{
    bool is_whole = true;
    for (text = next_word(text); *text; text = next_word(word_end(text))) {
        size_t at = length_of(target);
        const char *c = text;
        if (has_word_named_as(stronger, text))
            continue;
        if (at > 0 && at + 1 < capacity)
            target[at++] = ' ';
        while (c < word_end(text) && at + 1 < capacity)
            target[at++] = *c++;
        target[at] = 0;
        is_whole = is_whole && c == word_end(text);
    }
    return is_whole;
}

const char *loader_text_quoted_options(char *text)
{
    const char begin[] = "options=\"";
    char *found = NULL;
    for (char *line = text; *line;) {
        if (starts_with(line, begin))
            found = line + sizeof begin - 1;
        while (*line && *line != '\n')
            line++;
        line += *line == '\n';
    }
    if (!found)
        return text;
    for (char *c = found; *c; c++) {
        if (*c == '"' || *c == '\n')
            *c = 0;
        if (!*c)
            break;
    }
    return found;
}

bool loader_text_last_value_is(const char *text, const char *name, const char *value)
{
    bool is_last = false;
    for (text = next_word(text); *text; text = next_word(text)) {
        if (starts_with(text, name)) {
            const char *rest = text + length_of(name);
            char end = starts_with(rest, value) ? rest[length_of(value)] : '?';
            is_last = end == 0 || is_space(end);
        }
        text = word_end(text);
    }
    return is_last;
}
