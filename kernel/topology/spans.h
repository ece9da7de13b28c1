/* topology_span_sane in its three forms: are the masks of a scheduler level
 * pairwise equal or disjoint? [rules 9.3] */
#ifndef KERNEL_TOPOLOGY_SPANS_H
#define KERNEL_TOPOLOGY_SPANS_H

#include "kernel/topology/domains_rules.h"
#include "kernel/topology/topology.h"

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

/* The same verdict in linear time, for masks of which each distinct one is stored
 * once (domains_pool.h): levels[].mask then holds indexes below `mask_count` that
 * are equal only when the sets are. False: the arena is full. */
bool spans_conclude(const struct span_input *input, enum span_form form, uint32_t mask_count,
                    struct arena *arena, struct span_verdict *verdict);

/* One step of the pairwise forms, so that a caller can stop between two CPUs: all
 * levels of `cpu`. False when the first failure was found. */
bool spans_check_cpu(const struct span_input *input, enum span_form form, uint32_t cpu,
                     struct span_verdict *verdict);

#endif
