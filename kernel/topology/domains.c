/* Building domains from level masks: intersect with the online CPUs, widen where
 * levels are not nested, stop at the first that holds all. [rules 9.2, 9.4] */
#include "kernel/topology/domains.h"

#include "kernel/topology/domains_levels.h"
#include "kernel/topology/spans.h"

struct span_builder {
    struct topology *topology;
    struct mask_table *table;
    struct arena *arena;
    enum span_form form;
    const struct span_verdict *verdict;
    uint32_t set;       /* index of the mask of all CPUs that get domains */
    uint32_t *below;    /* per CPU: the span built last, or MASKS_NONE */
    bool *is_done;      /* per CPU: its last span is the whole set */
};

/* What is worked out once per mask while one level is built, by mask index. */
struct level_memo {
    uint32_t count;
    uint32_t *within;   /* the mask within the set, + 1 */
    uint32_t *parent;   /* the last span that this one was found to be inside of, + 1 */
};

static uint32_t *per_mask(const struct span_builder *builder)
{
    return ARENA_NEW(builder->arena, uint32_t, builder->table->count + 1);
}

static uint32_t mask_within_set(struct span_builder *builder, uint32_t mask)
{
    struct mask_table *table = builder->table;

    if (masks_is_subset(table, mask, builder->set))
        return mask;
    cpumask_copy(&table->joined, &table->masks[mask]);
    cpumask_and(&table->joined, &table->masks[builder->set]);
    return masks_of(table, &table->joined);
}

/* The pairwise forms run while the domains are built and stop the building, so
 * that the kernel never gets to nest what comes after the failure. */
static bool is_reached(const struct span_builder *builder, uint32_t level, uint32_t cpu)
{
    const struct span_verdict *verdict = builder->verdict;

    if (verdict->result != SPAN_INSANE || builder->form == SPAN_FORM_SINGLE_PASS)
        return true;
    if (cpu != verdict->cpu_a)
        return cpu < verdict->cpu_a;
    for (uint32_t i = 0; i <= level; i++)
        if (builder->topology->levels[i].name == verdict->level)
            return false;
    return true;
}

static bool note_unnested(struct span_builder *builder, struct topology_level *level, uint32_t cpu)
{
    if (!level->unnested.words &&
        !cpumask_init(&level->unnested, builder->table->cpu_count, builder->arena))
        return false;
    cpumask_set(&level->unnested, cpu);
    return true;
}

/* The span of a CPU at a level; MASKS_NONE: the arena is full. */
static uint32_t build_span(struct span_builder *builder, struct topology_level *level,
                           struct level_memo *memo, uint32_t cpu)
{
    uint32_t mask = level->mask[cpu], below = builder->below[cpu];
    uint32_t span = memo->within[mask] ? memo->within[mask] - 1 : mask_within_set(builder, mask);

    if (span == MASKS_NONE)
        return MASKS_NONE;
    memo->within[mask] = span + 1;
    if (below == MASKS_NONE || below == span)
        return span;
    if (below < memo->count && memo->parent[below] == span + 1)
        return span;
    if (!masks_is_subset(builder->table, below, span))
        return note_unnested(builder, level, cpu) ? masks_union(builder->table, span, below)
                                                  : MASKS_NONE;
    if (below < memo->count)
        memo->parent[below] = span + 1;
    return span;
}

static bool build_level(struct span_builder *builder, uint32_t index)
{
    struct topology_level *level = &builder->topology->levels[index];
    struct level_memo memo = {builder->table->count, per_mask(builder), per_mask(builder)};

    if (!memo.within || !memo.parent)
        return false;
    CPUMASK_FOR_EACH(cpu, &builder->topology->online) {
        if (builder->is_done[cpu] || level->mask[cpu] == MASKS_NONE ||
            !is_reached(builder, index, cpu))
            continue;
        uint32_t span = build_span(builder, level, &memo, cpu);
        if (span == MASKS_NONE)
            return false;
        level->span[cpu] = builder->below[cpu] = span;
        builder->is_done[cpu] = span == builder->set;
    }
    return true;
}

static bool build_spans(struct span_builder *builder)
{
    uint32_t cpu_count = builder->topology->cpu_count;

    builder->below = ARENA_NEW(builder->arena, uint32_t, cpu_count + 1);
    builder->is_done = ARENA_NEW(builder->arena, bool, cpu_count + 1);
    if (!builder->below || !builder->is_done)
        return false;
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        builder->below[cpu] = MASKS_NONE;
    for (uint32_t i = 0; i < builder->topology->level_count; i++)
        if (!build_level(builder, i))
            return false;
    return true;
}

static void drop_spans(struct topology *topology)
{
    for (uint32_t i = 0; i < topology->level_count; i++)
        for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
            topology->levels[i].span[cpu] = MASKS_NONE;
}

bool domains_build(const struct machine_facts *facts, const struct domain_rules *rules,
                   struct topology *topology, struct arena *arena)
{
    struct mask_table *table = topology->mask_table;
    struct span_verdict verdict;
    struct span_builder builder = {topology, table, arena, rules->span_form, &verdict,
                                   masks_of(table, &topology->online), NULL, NULL};

    if (builder.set == MASKS_NONE || !domains_list_levels(facts, rules, topology, arena))
        return false;
    struct span_input input = {topology->levels, topology->level_count, table->masks,
                               &table->masks[builder.set]};
    if (!spans_conclude(&input, rules->span_form, table->count, arena, &verdict) ||
        !build_spans(&builder))
        return false;
    topology->masks = table->masks;
    topology->mask_count = table->count;
    topology->span = verdict.result;
    topology->span_level = verdict.level;
    topology->span_cpu_a = verdict.cpu_a;
    topology->span_cpu_b = verdict.cpu_b;
    topology->span_empty_count = verdict.empty_count;
    if (verdict.result == SPAN_INSANE)
        drop_spans(topology); /* the kernel then runs without any domain */
    return true;
}

/* Groups of a NUMA domain are the domains below it: its own CPU's and those of CPUs
 * that this one does not hold, but only of those with a domain at this level, too.
 * Where distances differ by direction, the others may have been complete before. */
static bool has_one_group(const struct topology *topology, uint32_t level, uint32_t cpu)
{
    uint32_t index = topology->levels[level - 1].span[cpu];
    const struct cpumask *below = index == MASKS_NONE ? NULL : &topology->masks[index];

    CPUMASK_FOR_EACH(other, &topology->masks[topology->levels[level].span[cpu]])
        if ((!below || !cpumask_has(below, other)) && other != cpu &&
            topology->levels[level].span[other] != MASKS_NONE)
            return false;
    return true;
}

bool domains_is_kept(const struct topology *topology, uint32_t level, uint32_t cpu)
{
    uint32_t span = topology->levels[level].span[cpu];

    if (span == MASKS_NONE || cpumask_count(&topology->masks[span]) <= 1)
        return false;
    if (level == 0)
        return true;
    if (topology->levels[level - 1].span[cpu] == span)
        return false;
    return !topology->levels[level].is_far || !has_one_group(topology, level, cpu);
}
