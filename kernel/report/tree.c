/* An object is a set that lies in the one above, that all its members agree on, and
 * that no set of another level cuts. Such sets nest whatever the firmware says. */
#include "kernel/report/tree.h"

enum { NODE_SET = 0x80000000, NO_SET = UINT32_MAX };

const struct topology_cache *tree_cache(const struct topology_cpu *cpu, enum tree_level level)
{
    uint32_t cache_level = 1 + (uint32_t)(TREE_L1 - level);

    for (uint32_t i = 0; i < cpu->cache_count; i++) {
        if (cpu->caches[i].level == cache_level && cpu->caches[i].type[0] != 'I')
            return &cpu->caches[i];
    }
    return NULL;
}

const struct topology_node *tree_node(const struct topology *topology, uint32_t cpu)
{
    uint32_t likely = (uint32_t)topology->cpus[cpu].node; /* nodes are mostly numbered without gaps */

    if (likely < topology->node_count && topology->nodes[likely].node == likely &&
        cpumask_has(&topology->nodes[likely].cpus, cpu))
        return &topology->nodes[likely];
    for (uint32_t i = 0; i < topology->node_count; i++) {
        if (cpumask_has(&topology->nodes[i].cpus, cpu))
            return &topology->nodes[i];
    }
    return NULL;
}

/* Equal masks of a topology have one index, so sets are compared by number. */
static uint32_t set_number(const struct topology *topology, uint32_t number,
                           enum tree_level level)
{
    const struct topology_cpu *cpu = topology->cpus + number;
    const struct topology_cache *cache;
    const struct topology_node *node;

    if (!cpu->is_online)
        return NO_SET;
    switch (level) {
    case TREE_PACKAGE: return cpu->mask[TOPOLOGY_PACKAGE];
    case TREE_DIE:
        return cpu->mask[TOPOLOGY_DIE] == cpu->mask[TOPOLOGY_PACKAGE] ? NO_SET
                                                                      : cpu->mask[TOPOLOGY_DIE];
    case TREE_CORE: return cpu->mask[TOPOLOGY_SMT];
    case TREE_NODE:
        node = tree_node(topology, number);
        return node ? NODE_SET + (uint32_t)(node - topology->nodes) : NO_SET;
    default:
        cache = tree_cache(cpu, level);
        return cache ? cache->shared_mask : NO_SET;
    }
}

static const struct cpumask *numbered_set(const struct topology *topology, uint32_t set)
{
    return set >= NODE_SET ? &topology->nodes[set - NODE_SET].cpus : &topology->masks[set];
}

const struct cpumask *tree_set(const struct topology *topology, uint32_t cpu,
                               enum tree_level level)
{
    uint32_t set = set_number(topology, cpu, level);

    return set == NO_SET ? NULL : numbered_set(topology, set);
}

/* No set that holds `cpu` cuts `set`: each lies in it, around it, or reaches out of
 * the scope and is no object itself. `last` holds the sets that were found to be such
 * last: neighbours mostly have the same. */
static bool is_uncut_at(const struct topology *topology, const struct cpumask *set,
                        const struct cpumask *scope, uint32_t cpu, uint32_t last[TREE_COUNT])
{
    for (int level = 0; level < TREE_COUNT; level++) {
        uint32_t index = set_number(topology, cpu, (enum tree_level)level), first;
        const struct cpumask *other;

        if (index == NO_SET || index == last[level])
            continue;
        other = numbered_set(topology, index);
        first = cpumask_first(other);
        if (first != cpu && first != CPUMASK_NONE && cpumask_has(set, first))
            continue; /* looked at when it was the first's turn */
        if (!cpumask_is_subset(other, set) && !cpumask_is_subset(set, other) &&
            cpumask_is_subset(other, scope))
            return false;
        last[level] = index;
    }
    return true;
}

static bool is_object(const struct topology *topology, uint32_t number, enum tree_level level,
                      const struct cpumask *scope)
{
    uint32_t set_index = set_number(topology, number, level);
    uint32_t last[TREE_COUNT];
    const struct cpumask *set;

    if (set_index == NO_SET)
        return false;
    for (int i = 0; i < TREE_COUNT; i++)
        last[i] = NO_SET;
    set = numbered_set(topology, set_index);
    if (!cpumask_has(set, number) || !cpumask_is_subset(set, scope))
        return false;
    CPUMASK_FOR_EACH(cpu, set) {
        if (cpu >= topology->cpu_count || set_number(topology, cpu, level) != set_index ||
            !is_uncut_at(topology, set, scope, cpu, last))
            return false;
    }
    return true;
}

enum tree_level tree_next_level(const struct topology *topology, uint32_t cpu,
                                const struct cpumask *scope, uint32_t used)
{
    enum tree_level best = TREE_COUNT;
    uint32_t best_count = 0;

    for (int level = 0; level < TREE_COUNT; level++) {
        const struct cpumask *set = tree_set(topology, cpu, (enum tree_level)level);
        uint32_t count = set ? cpumask_count(set) : 0;

        if (used >> level & 1 || count <= best_count ||
            (level == TREE_NODE && cpumask_equal(set, scope)))
            continue;
        if (is_object(topology, cpu, (enum tree_level)level, scope)) {
            best = (enum tree_level)level;
            best_count = count;
        }
    }
    return best;
}

void tree_seen_init(struct tree_seen *seen)
{
    seen->mask = (struct cpumask){seen->words, sizeof(seen->words) / sizeof(seen->words[0])};
    cpumask_clear(&seen->mask);
}

bool tree_node_is_object(const struct topology *topology, uint32_t node)
{
    uint32_t first = cpumask_first(&topology->nodes[node].cpus);

    return first != CPUMASK_NONE && first < topology->cpu_count &&
           tree_node(topology, first) == &topology->nodes[node] &&
           is_object(topology, first, TREE_NODE, &topology->online);
}
