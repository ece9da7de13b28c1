/* CPU sets, 64 CPUs a word, and the texts that sysfs has for them. */
#include "kernel/lib/cpumask.h"

#include <string.h>

enum { WORD_BITS = 64, HEX_GROUP_BITS = 32 };

static uint64_t word_or_zero(const struct cpumask *mask, uint32_t word)
{
    return word < mask->word_count ? mask->words[word] : 0;
}

static uint64_t bit_of(uint32_t cpu)
{
    return 1ull << (cpu % WORD_BITS);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A decimal number below 2^32 - 1; moves *text past it. */
static bool parse_cpu(const char **text, uint32_t *cpu)
{
    uint64_t value = 0;

    if (!is_digit(**text))
        return false;
    for (; is_digit(**text); (*text)++) {
        value = value * 10 + (uint64_t)(**text - '0');
        if (value >= CPUMASK_NONE)
            return false;
    }
    *cpu = (uint32_t)value;
    return true;
}

/* The first CPU at or above `cpu` that is not a member. */
static uint32_t end_of_run(const struct cpumask *mask, uint32_t cpu)
{
    uint32_t word = cpu / WORD_BITS;
    uint64_t holes = ~word_or_zero(mask, word) & (UINT64_MAX << (cpu % WORD_BITS));

    while (!holes)
        holes = ~word_or_zero(mask, ++word);
    return word * WORD_BITS + (uint32_t)__builtin_ctzll(holes);
}

static uint32_t first_from(const struct cpumask *mask, uint32_t word, uint64_t allowed)
{
    for (; word < mask->word_count; word++, allowed = UINT64_MAX) {
        uint64_t members = mask->words[word] & allowed;

        if (members)
            return word * WORD_BITS + (uint32_t)__builtin_ctzll(members);
    }
    return CPUMASK_NONE;
}

bool cpumask_init(struct cpumask *mask, uint32_t cpu_count, struct arena *arena)
{
    uint32_t words = cpu_count / WORD_BITS + (cpu_count % WORD_BITS != 0);

    mask->word_count = words ? words : 1;
    mask->words = ARENA_NEW(arena, uint64_t, mask->word_count);
    if (!mask->words)
        mask->word_count = 0;
    return mask->words != NULL;
}

void cpumask_clear(struct cpumask *mask)
{
    if (mask->word_count)
        memset(mask->words, 0, mask->word_count * sizeof(*mask->words));
}

void cpumask_set(struct cpumask *mask, uint32_t cpu)
{
    if (cpu / WORD_BITS < mask->word_count)
        mask->words[cpu / WORD_BITS] |= bit_of(cpu);
}

void cpumask_drop(struct cpumask *mask, uint32_t cpu)
{
    if (cpu / WORD_BITS < mask->word_count)
        mask->words[cpu / WORD_BITS] &= ~bit_of(cpu);
}

bool cpumask_has(const struct cpumask *mask, uint32_t cpu)
{
    return word_or_zero(mask, cpu / WORD_BITS) & bit_of(cpu);
}

uint32_t cpumask_count(const struct cpumask *mask)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < mask->word_count; i++)
        count += (uint32_t)__builtin_popcountll(mask->words[i]);
    return count;
}

uint32_t cpumask_first(const struct cpumask *mask)
{
    return first_from(mask, 0, UINT64_MAX);
}

uint32_t cpumask_next(const struct cpumask *mask, uint32_t cpu)
{
    if (cpu == CPUMASK_NONE)
        return CPUMASK_NONE;
    return first_from(mask, (cpu + 1) / WORD_BITS, UINT64_MAX << ((cpu + 1) % WORD_BITS));
}

bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
    uint32_t words = a->word_count > b->word_count ? a->word_count : b->word_count;

    for (uint32_t i = 0; i < words; i++)
        if (word_or_zero(a, i) != word_or_zero(b, i))
            return false;
    return true;
}

bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
    for (uint32_t i = 0; i < a->word_count; i++)
        if (a->words[i] & word_or_zero(b, i))
            return true;
    return false;
}

bool cpumask_is_subset(const struct cpumask *inner, const struct cpumask *outer)
{
    for (uint32_t i = 0; i < inner->word_count; i++)
        if (inner->words[i] & ~word_or_zero(outer, i))
            return false;
    return true;
}

void cpumask_or(struct cpumask *target, const struct cpumask *source)
{
    for (uint32_t i = 0; i < target->word_count; i++)
        target->words[i] |= word_or_zero(source, i);
}

void cpumask_and(struct cpumask *target, const struct cpumask *source)
{
    for (uint32_t i = 0; i < target->word_count; i++)
        target->words[i] &= word_or_zero(source, i);
}

void cpumask_copy(struct cpumask *target, const struct cpumask *source)
{
    for (uint32_t i = 0; i < target->word_count; i++)
        target->words[i] = word_or_zero(source, i);
}

void cpumask_put_list(struct textbuf *out, const struct cpumask *mask)
{
    const char *separator = "";
    uint32_t first = cpumask_first(mask);

    while (first != CPUMASK_NONE) {
        uint32_t end = end_of_run(mask, first);

        textbuf_put(out, separator);
        textbuf_put_decimal(out, first);
        if (end - first > 1) {
            textbuf_putc(out, '-');
            textbuf_put_decimal(out, end - 1);
        }
        separator = ",";
        first = first_from(mask, end / WORD_BITS, UINT64_MAX << (end % WORD_BITS));
    }
}

/* The top group has only as many digits as its bits need. [rules 5] */
void cpumask_put_hex(struct textbuf *out, const struct cpumask *mask, uint32_t nr_cpu_ids)
{
    uint32_t groups = nr_cpu_ids / HEX_GROUP_BITS + (nr_cpu_ids % HEX_GROUP_BITS != 0);
    uint32_t top_bits = nr_cpu_ids % HEX_GROUP_BITS ? nr_cpu_ids % HEX_GROUP_BITS : HEX_GROUP_BITS;

    for (uint32_t group = groups; group-- > 0;) {
        bool is_top = group == groups - 1;
        uint32_t bits = (uint32_t)(word_or_zero(mask, group / 2) >> (group % 2 * HEX_GROUP_BITS));

        if (is_top && top_bits < HEX_GROUP_BITS)
            bits &= (1u << top_bits) - 1;
        textbuf_put_hex(out, bits, is_top ? (top_bits + 3) / 4 : HEX_GROUP_BITS / 4);
        if (group)
            textbuf_putc(out, ',');
    }
}

bool cpumask_parse_list(struct cpumask *mask, const char *text)
{
    cpumask_clear(mask);
    if (!*text || strcmp(text, "-") == 0)
        return true;
    for (;;) {
        uint32_t first, last;

        if (!parse_cpu(&text, &first))
            return false;
        last = first;
        if (*text == '-') {
            text++;
            if (!parse_cpu(&text, &last) || last < first)
                return false;
        }
        if (last / WORD_BITS >= mask->word_count)
            return false;
        for (uint32_t cpu = first; cpu <= last; cpu++)
            cpumask_set(mask, cpu);
        if (!*text)
            return true;
        if (*text++ != ',')
            return false;
    }
}
