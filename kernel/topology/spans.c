/* topology_span_sane: the pairwise test of 5.10 to 6.12, whose cost is cubic in
 * the number of CPUs, and the single pass that replaced it. [rules 9.3] */
#include "kernel/topology/spans.h"

#include "kernel/topology/spans_words.h"

bool spans_fail(struct span_verdict *verdict, const struct topology_level *level, uint32_t a,
                uint32_t b)
{
    verdict->result = SPAN_INSANE;
    verdict->level = level->name;
    verdict->cpu_a = a;
    verdict->cpu_b = b;
    return false;
}

uint32_t spans_find_conflict(const struct span_input *input, const struct topology_level *level,
                             enum span_form form, uint32_t cpu)
{
    const struct cpumask *own = level_mask(input, level, cpu);
    uint32_t other = form == SPAN_FORM_HALF_PAIRS ? cpumask_next(input->set, cpu)
                                                  : cpumask_first(input->set);

    for (; other != CPUMASK_NONE; other = cpumask_next(input->set, other)) {
        const struct cpumask *mask = level_mask(input, level, other);

        if (other != cpu && mask && !words_equal(own, mask) && words_intersect(own, mask))
            break;
    }
    return other;
}

bool spans_check_cpu(const struct span_input *input, enum span_form form, uint32_t cpu,
                     struct span_verdict *verdict)
{
    for (uint32_t i = 0; i < input->level_count; i++) {
        const struct topology_level *level = &input->levels[i];
        const struct cpumask *own = level_mask(input, level, cpu);
        uint32_t other = CPUMASK_NONE;

        if (!own)
            continue;
        if (!level->is_numa_overlap)
            other = spans_find_conflict(input, level, form, cpu);
        if (other != CPUMASK_NONE)
            return spans_fail(verdict, level, cpu, other);
        if (spans_whole_set(own, input->set))
            break; /* the kernels build no level above for this CPU */
    }
    return true;
}

bool spans_check_class(const struct span_input *input, const struct topology_level *level,
                       uint32_t cpu, struct span_scratch *scratch, struct span_verdict *verdict)
{
    const struct cpumask *own = level_mask(input, level, cpu);
    uint32_t id = own ? first_cpu(own) : CPUMASK_NONE;
    uint64_t *covered = scratch->covered.words;

    if (id == CPUMASK_NONE) {
        verdict->empty_count++;
        return true;
    }
    if (scratch->seen.words[id / 64] >> id % 64 & 1) {
        const struct cpumask *named = level_mask(input, level, id);

        if (named == own || (named && words_all_equal(own, named)))
            return true;
        return spans_fail(verdict, level, cpu, id);
    }
    for (uint32_t i = 0; i < own->word_count; i++) {
        uint64_t overlap = own->words[i] & covered[i];

        if (overlap)
            return spans_fail(verdict, level, cpu, i * 64 + (uint32_t)__builtin_ctzll(overlap));
        covered[i] |= own->words[i];
    }
    scratch->seen.words[id / 64] |= 1ull << id % 64;
    return true;
}

static void single_pass(const struct span_input *input, struct span_scratch *scratch,
                        struct span_verdict *verdict)
{
    for (uint32_t i = 0; i < input->level_count; i++) {
        if (input->levels[i].is_numa_overlap)
            continue;
        cpumask_clear(&scratch->covered);
        cpumask_clear(&scratch->seen);
        CPUMASK_FOR_EACH(cpu, input->set)
            if (!spans_check_class(input, &input->levels[i], cpu, scratch, verdict))
                return;
    }
}

bool spans_init_scratch(struct span_scratch *scratch, uint32_t cpu_count, struct arena *arena)
{
    return cpumask_init(&scratch->covered, cpu_count, arena) &&
           cpumask_init(&scratch->seen, cpu_count, arena);
}

void spans_check(const struct span_input *input, enum span_form form,
                 struct span_scratch *scratch, struct span_verdict *verdict)
{
    *verdict = (struct span_verdict){.result = SPAN_SANE};
    if (form == SPAN_FORM_NONE)
        verdict->result = SPAN_NOT_CHECKED;
    else if (form == SPAN_FORM_SINGLE_PASS)
        single_pass(input, scratch, verdict);
    else
        CPUMASK_FOR_EACH(cpu, input->set)
            if (!spans_check_cpu(input, form, cpu, verdict))
                return;
}
