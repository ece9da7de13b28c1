/* What spans.c and spans_linear.c share: one mask, one pair, one class. Inline,
 * because the pairwise test is nothing but these loops. */
#ifndef KERNEL_TOPOLOGY_SPANS_WORDS_H
#define KERNEL_TOPOLOGY_SPANS_WORDS_H

#include "kernel/topology/spans.h"

/* The masks are compared raw, not intersected with the set, as the kernels do. */
static inline const struct cpumask *level_mask(const struct span_input *input,
                                               const struct topology_level *level, uint32_t cpu)
{
    uint32_t index = level->mask[cpu];

    return index == UINT32_MAX ? NULL : &input->masks[index];
}

static inline bool words_equal(const struct cpumask *a, const struct cpumask *b)
{
    for (uint32_t i = 0; i < a->word_count; i++)
        if (a->words[i] != b->words[i])
            return false;
    return true;
}

/* The same without a way out, so that the compiler takes several words at once: for
 * masks that are mostly equal. */
static inline bool words_all_equal(const struct cpumask *a, const struct cpumask *b)
{
    uint64_t different = 0;

    for (uint32_t i = 0; i < a->word_count; i++)
        different |= a->words[i] ^ b->words[i];
    return different == 0;
}

static inline bool words_intersect(const struct cpumask *a, const struct cpumask *b)
{
    for (uint32_t i = 0; i < a->word_count; i++)
        if (a->words[i] & b->words[i])
            return true;
    return false;
}

static inline uint32_t first_cpu(const struct cpumask *mask)
{
    for (uint32_t i = 0; i < mask->word_count; i++)
        if (mask->words[i])
            return i * 64 + (uint32_t)__builtin_ctzll(mask->words[i]);
    return CPUMASK_NONE;
}

static inline bool spans_whole_set(const struct cpumask *mask, const struct cpumask *set)
{
    for (uint32_t i = 0; i < set->word_count; i++)
        if ((mask->words[i] & set->words[i]) != set->words[i])
            return false;
    return true;
}

/* Writes the failure down; returns false. */
bool spans_fail(struct span_verdict *verdict, const struct topology_level *level, uint32_t a,
                uint32_t b);

/* The first CPU of the set, or of those above `cpu`, whose mask is neither equal
 * to that of `cpu` nor disjoint from it. */
uint32_t spans_find_conflict(const struct span_input *input, const struct topology_level *level,
                             enum span_form form, uint32_t cpu);

/* One step of the single pass. A class is named by its lowest CPU: a name seen
 * before must stand for the same mask, a new one must not reach into what is
 * covered already. */
bool spans_check_class(const struct span_input *input, const struct topology_level *level,
                       uint32_t cpu, struct span_scratch *scratch, struct span_verdict *verdict);

#endif
