/* Masks of a profile are sets of its own CPU numbers; here they become sets of
 * measured slots, joined through the facts both come from. */
#include "kernel/stats/agreement_claims.h"

#include "kernel/topology/rules.h"

bool claims_has_kind(const struct topology *topology, enum topology_mask kind)
{
    if (kind == TOPOLOGY_CLUSTER)
        return topology->rules->sysfs.has_cluster_files;
    return kind != TOPOLOGY_DIE || topology->rules->sysfs.has_die_files;
}

static uint32_t logical_of(const struct topology *topology, uint32_t fact)
{
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
        if (topology->cpus[cpu].is_online && topology->cpus[cpu].fact == fact)
            return cpu;
    return MEASURED_NONE;
}

bool claims_init(struct claims *claims, const struct measured_results *results,
                 const struct topology *topology, enum topology_mask kind, struct arena *arena)
{
    uint32_t count = results->cpu_count;

    *claims = (struct claims){
        .topology = topology,
        .kind = kind,
        .logical = ARENA_NEW(arena, uint32_t, count),
        .claimed = ARENA_NEW(arena, struct cpumask, count),
        .slot_count = count,
    };
    if (!claims->logical || !claims->claimed)
        return false;
    for (uint32_t slot = 0; slot < count; slot++)
        claims->logical[slot] = logical_of(topology, results->cpus[slot].fact);
    for (uint32_t slot = 0; slot < count; slot++) {
        if (!cpumask_init(&claims->claimed[slot], count, arena))
            return false;
        if (claims->logical[slot] == MEASURED_NONE)
            continue;
        const struct topology_cpu *cpu = &topology->cpus[claims->logical[slot]];
        const struct cpumask *mask = &topology->masks[cpu->mask[kind]];

        for (uint32_t other = 0; other < count; other++)
            if (claims->logical[other] != MEASURED_NONE &&
                cpumask_has(mask, claims->logical[other]))
                cpumask_set(&claims->claimed[slot], other);
    }
    return true;
}

bool claims_equal(const struct claims *a, const struct claims *b)
{
    if (a->kind != b->kind)
        return false;
    for (uint32_t slot = 0; slot < a->slot_count; slot++)
        if (!cpumask_equal(&a->claimed[slot], &b->claimed[slot]))
            return false;
    return true;
}

bool claims_is_first(const struct claims *claims, uint32_t slot)
{
    return cpumask_first(&claims->claimed[slot]) == slot &&
           cpumask_count(&claims->claimed[slot]) >= 2;
}

/* `mask` holds CPU numbers of the profile. */
static bool holds_exactly(const struct claims *claims, const struct cpumask *mask,
                          const struct cpumask *slots)
{
    for (uint32_t slot = 0; slot < claims->slot_count; slot++) {
        bool is_held = claims->logical[slot] != MEASURED_NONE &&
                       cpumask_has(mask, claims->logical[slot]);

        if (is_held != cpumask_has(slots, slot))
            return false;
    }
    return true;
}

static const struct topology_cpu *first_cpu(const struct claims *claims,
                                            const struct cpumask *slots)
{
    uint32_t logical = claims->logical[cpumask_first(slots)];

    return logical == MEASURED_NONE ? NULL : &claims->topology->cpus[logical];
}

bool claims_has_narrower(const struct claims *claims, enum topology_mask kind,
                         const struct cpumask *slots)
{
    const struct topology *topology = claims->topology;
    const struct topology_cpu *cpu = first_cpu(claims, slots);

    for (uint32_t narrower = 0; cpu && narrower < (uint32_t)kind; narrower++)
        if (claims_has_kind(topology, narrower) &&
            holds_exactly(claims, &topology->masks[cpu->mask[narrower]], slots))
            return true;
    return false;
}

bool claims_has_cache(const struct claims *claims, const struct cpumask *slots)
{
    const struct topology_cpu *cpu = first_cpu(claims, slots);

    for (uint32_t i = 0; cpu && i < cpu->cache_count; i++)
        if (holds_exactly(claims, &claims->topology->masks[cpu->caches[i].shared_mask], slots))
            return true;
    return false;
}

bool claims_is_node(const struct claims *claims, const struct cpumask *slots)
{
    for (uint32_t i = 0; i < claims->topology->node_count; i++)
        if (holds_exactly(claims, &claims->topology->nodes[i].cpus, slots))
            return true;
    return false;
}
