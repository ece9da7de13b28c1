/* The verdicts of topology_span_sane in linear time: where each distinct mask is
 * stored once, only masks that share a CPU with another one need a look. */
#include "kernel/topology/spans.h"

#include "kernel/topology/spans_words.h"

/* The CPUs that two or more distinct masks of the level hold: only a mask that
 * has one of them can be in conflict. */
static bool find_contested(const struct span_input *input, uint32_t level, uint32_t *stamps,
                           struct cpumask *covered, struct cpumask *contested)
{
    uint64_t any = 0;

    cpumask_clear(covered);
    CPUMASK_FOR_EACH(cpu, input->set) {
        const struct cpumask *own = level_mask(input, &input->levels[level], cpu);
        uint32_t index = input->levels[level].mask[cpu];

        if (!own || stamps[index] == level + 1)
            continue;
        stamps[index] = level + 1;
        for (uint32_t i = 0; i < own->word_count; i++) {
            any |= contested->words[i] |= own->words[i] & covered->words[i];
            covered->words[i] |= own->words[i];
        }
    }
    return any != 0;
}

/* Walks as the kernel does, but looks at pairs only where there is a conflict. */
static void find_first_pair(const struct span_input *input, enum span_form form,
                            const struct cpumask *contested, struct span_verdict *verdict)
{
    CPUMASK_FOR_EACH(cpu, input->set) {
        for (uint32_t i = 0; i < input->level_count; i++) {
            const struct cpumask *own = level_mask(input, &input->levels[i], cpu);
            uint32_t other = CPUMASK_NONE;

            if (!own)
                continue;
            if (words_intersect(own, &contested[i]))
                other = spans_find_conflict(input, &input->levels[i], form, cpu);
            if (other != CPUMASK_NONE) {
                spans_fail(verdict, &input->levels[i], cpu, other);
                return;
            }
            if (spans_whole_set(own, input->set))
                break;
        }
    }
}

static bool conclude_pairs(const struct span_input *input, enum span_form form, uint32_t *stamps,
                           struct arena *arena, struct span_verdict *verdict)
{
    struct cpumask covered, *contested = ARENA_NEW(arena, struct cpumask, input->level_count + 1);
    bool is_contested = false;

    if (!contested || !cpumask_init(&covered, input->set->word_count * 64, arena))
        return false;
    for (uint32_t i = 0; i < input->level_count; i++) {
        if (!cpumask_init(&contested[i], input->set->word_count * 64, arena))
            return false;
        if (!input->levels[i].is_numa_overlap)
            is_contested |= find_contested(input, i, stamps, &covered, &contested[i]);
    }
    if (is_contested)
        find_first_pair(input, form, contested, verdict);
    return true;
}

static bool conclude_single_pass(const struct span_input *input, uint32_t *stamps,
                                 struct arena *arena, struct span_verdict *verdict)
{
    struct span_scratch scratch;

    if (!spans_init_scratch(&scratch, input->set->word_count * 64, arena))
        return false;
    for (uint32_t i = 0; i < input->level_count; i++) {
        if (input->levels[i].is_numa_overlap)
            continue;
        cpumask_clear(&scratch.covered);
        cpumask_clear(&scratch.seen);
        CPUMASK_FOR_EACH(cpu, input->set) {
            uint32_t index = input->levels[i].mask[cpu];

            if (index != UINT32_MAX && stamps[index] == i + 1)
                continue; /* this very mask has passed */
            if (!spans_check_class(input, &input->levels[i], cpu, &scratch, verdict))
                return true;
            if (index != UINT32_MAX)
                stamps[index] = i + 1;
        }
    }
    return true;
}

bool spans_conclude(const struct span_input *input, enum span_form form, uint32_t mask_count,
                    struct arena *arena, struct span_verdict *verdict)
{
    uint32_t *stamps = ARENA_NEW(arena, uint32_t, mask_count + 1);

    *verdict = (struct span_verdict){.result = SPAN_SANE};
    if (form == SPAN_FORM_NONE)
        verdict->result = SPAN_NOT_CHECKED;
    if (!stamps)
        return false;
    if (form == SPAN_FORM_NONE)
        return true;
    return form == SPAN_FORM_SINGLE_PASS
               ? conclude_single_pass(input, stamps, arena, verdict)
               : conclude_pairs(input, form, stamps, arena, verdict);
}
