/* Placements from masks. */
#include "kernel/stats/bench_places.h"

enum group_rule { FIRST_OF_EACH, ALL_OF_BOOT, EVERYONE };

static const struct {
    enum bench_placement kind;
    enum group_rule rule;
    enum topology_mask mask;
} places[] = {
    { BENCH_PLACE_SIBLINGS, ALL_OF_BOOT, TOPOLOGY_SMT },
    { BENCH_PLACE_PER_LLC, FIRST_OF_EACH, TOPOLOGY_LLC },
    { BENCH_PLACE_PER_CORE, FIRST_OF_EACH, TOPOLOGY_SMT },
    { BENCH_PLACE_ALL, EVERYONE, TOPOLOGY_SMT },
};

static const struct cpumask *mask_of(const struct topology *topology, uint32_t cpu,
                                     enum topology_mask kind)
{
    return &topology->masks[topology->cpus[cpu].mask[kind]];
}

static bool is_usable(const struct topology *topology, uint32_t cpu, const struct cpumask *allowed)
{
    const struct topology_cpu *self = &topology->cpus[cpu];
    return self->is_online && self->fact != FACTS_NO_CPU && cpumask_has(allowed, self->fact);
}

/* True when no usable CPU of a lower number is in the same mask. */
static bool is_first(const struct topology *topology, uint32_t cpu, enum topology_mask kind,
                     const struct cpumask *allowed)
{
    const struct cpumask *mask = mask_of(topology, cpu, kind);
    CPUMASK_FOR_EACH(other, mask)
        if (is_usable(topology, other, allowed))
            return other == cpu;
    return true;
}

static uint32_t boot_cpu_of(const struct topology *topology)
{
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
        if (topology->cpus[cpu].is_online && topology->cpus[cpu].fact == 0)
            return cpu;
    return CPUMASK_NONE;
}

static bool is_member(const struct topology *topology, uint32_t cpu, uint32_t place,
                      uint32_t boot_cpu, const struct cpumask *allowed)
{
    switch (places[place].rule) {
    case FIRST_OF_EACH:
        return is_first(topology, cpu, places[place].mask, allowed);
    case ALL_OF_BOOT:
        return boot_cpu != CPUMASK_NONE &&
               cpumask_has(mask_of(topology, boot_cpu, places[place].mask), cpu);
    case EVERYONE:
        break;
    }
    return true;
}

static bool is_known(const struct bench_group *groups, uint32_t count, const struct cpumask *cpus)
{
    for (uint32_t i = 0; i < count; i++)
        if (cpumask_equal(&groups[i].cpus, cpus))
            return true;
    return false;
}

bool bench_places_make(const struct topology *topology, uint32_t fact_count,
                       const struct cpumask *allowed, struct arena *arena,
                       struct bench_group *groups, uint32_t *group_count)
{
    uint32_t boot_cpu = boot_cpu_of(topology);
    *group_count = 0;
    for (uint32_t place = 0; place < sizeof places / sizeof places[0]; place++) {
        struct bench_group *group = &groups[*group_count];
        group->kind = places[place].kind;
        if (!cpumask_init(&group->cpus, fact_count, arena))
            return false;
        for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
            if (is_usable(topology, cpu, allowed) &&
                is_member(topology, cpu, place, boot_cpu, allowed))
                cpumask_set(&group->cpus, topology->cpus[cpu].fact);
        if (cpumask_count(&group->cpus) >= 2 && !is_known(groups, *group_count, &group->cpus))
            ++*group_count;
    }
    return true;
}
