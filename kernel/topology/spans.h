/* topology_span_sane in its three forms: are the masks of a scheduler level
 * pairwise equal or disjoint? [rules 9.3] */
#ifndef KERNEL_TOPOLOGY_SPANS_H
#define KERNEL_TOPOLOGY_SPANS_H

#include "kernel/topology/topology.h"

enum span_form {
    SPAN_FORM_NONE,       /* the profile has no such check */
    SPAN_FORM_ALL_PAIRS,  /* every CPU against every other, level by level */
    SPAN_FORM_HALF_PAIRS, /* every CPU against those of a higher number */
    SPAN_FORM_SINGLE_PASS,/* one pass over a level, each class named by its lowest CPU */
};

struct span_input {
    const struct topology_level *levels; /* lowest first */
    uint32_t level_count;
    const struct cpumask *masks;         /* levels[].mask[cpu] indexes them */
    const struct cpumask *set;           /* the CPUs that get domains */
};

struct span_verdict {
    enum span_result result;
    const char *level;             /* of the first failure */
    uint32_t cpu_a, cpu_b;
    /* CPUs whose mask is empty: the single pass has no name for their class, so
     * they are left out and counted. */
    uint32_t empty_count;
};

/* Two masks of scratch space for the single pass, as wide as the set. */
struct span_scratch {
    struct cpumask covered, seen;
};

bool spans_init_scratch(struct span_scratch *scratch, uint32_t cpu_count, struct arena *arena);

/* All masks of the input and the scratch must have the same capacity. */
void spans_check(const struct span_input *input, enum span_form form,
                 struct span_scratch *scratch, struct span_verdict *verdict);

/* One step of the pairwise forms, so that a caller can stop between two CPUs: all
 * levels of `cpu`. False when the first failure was found. */
bool spans_check_cpu(const struct span_input *input, enum span_form form, uint32_t cpu,
                     struct span_verdict *verdict);

#endif
