/* The list of scheduler levels and the raw masks in them. The level above MC has
 * the mask of the NUMA node, whatever its name says. [rules 9.1, 9.2] */
#include "kernel/topology/domains_levels.h"

#include <string.h>

#include "kernel/lib/bits.h"

enum {
    DISTANCE_VALUES = 256, /* a SLIT entry is a byte */
    NEAR_DISTANCE = 30,
    NEAR_DISTANCE_OF_ZEN = 32,
    FAMILY_ZEN = 0x17,
};

struct level_builder {
    const struct domain_rules *rules;
    struct topology *topology;
    struct mask_table *table;
    struct arena *arena;
    uint32_t *node_index;     /* per CPU: index into topology->nodes, or UINT32_MAX */
    uint32_t *node_mask;      /* per node: index of the mask of its online CPUs */
    const uint32_t *distances;
    uint32_t near_distance;   /* the largest one across which tasks are woken */
};

static uint32_t *new_indexes(struct level_builder *builder, uint32_t count)
{
    uint32_t *list = ARENA_NEW(builder->arena, uint32_t, count + 1);

    for (uint32_t i = 0; list && i < count; i++)
        list[i] = UINT32_MAX;
    return list;
}

static struct topology_level *add_level(struct level_builder *builder, const char *name)
{
    struct topology *topology = builder->topology;
    struct topology_level *level = &topology->levels[topology->level_count];

    level->name = name;
    level->mask = new_indexes(builder, topology->cpu_count);
    level->span = new_indexes(builder, topology->cpu_count);
    if (!level->mask || !level->span)
        return NULL;
    topology->level_count++;
    return level;
}

static bool add_mask_level(struct level_builder *builder, const char *name,
                           enum topology_mask kind)
{
    struct topology_level *level = add_level(builder, name);

    if (!level)
        return false;
    CPUMASK_FOR_EACH(cpu, &builder->topology->online)
        level->mask[cpu] = builder->topology->cpus[cpu].mask[kind];
    return true;
}

static bool add_node_level(struct level_builder *builder, const char *name)
{
    struct topology_level *level = add_level(builder, name);

    if (!level)
        return false;
    CPUMASK_FOR_EACH(cpu, &builder->topology->online)
        if (builder->node_index[cpu] != UINT32_MAX)
            level->mask[cpu] = builder->node_mask[builder->node_index[cpu]];
    return true;
}

static bool map_nodes(struct level_builder *builder)
{
    struct topology *topology = builder->topology;
    struct cpumask *masks = ARENA_NEW(builder->arena, struct cpumask,
                                      topology->node_count + 1);

    builder->node_index = new_indexes(builder, topology->cpu_count);
    builder->node_mask = new_indexes(builder, topology->node_count);
    if (!masks || !builder->node_index || !builder->node_mask)
        return false;
    for (uint32_t node = 0; node < topology->node_count; node++)
        if (!cpumask_init(&masks[node], builder->table->cpu_count, builder->arena))
            return false;
    CPUMASK_FOR_EACH(cpu, &topology->online)
        for (uint32_t node = 0; node < topology->node_count; node++)
            if (topology->nodes[node].node == (uint32_t)topology->cpus[cpu].node) {
                builder->node_index[cpu] = node;
                cpumask_set(&masks[node], cpu);
            }
    for (uint32_t node = 0; node < topology->node_count; node++) {
        builder->node_mask[node] = masks_of(builder->table, &masks[node]);
        if (builder->node_mask[node] == MASKS_NONE)
            return false;
    }
    return true;
}

static bool has_cpus(const struct level_builder *builder, uint32_t node)
{
    return cpumask_first(&builder->table->masks[builder->node_mask[node]]) != CPUMASK_NONE;
}

/* Marks the distances that the profile makes levels of; the smallest is local. */
static void mark_distances(const struct level_builder *builder, bool *is_used)
{
    uint32_t count = builder->topology->node_count;
    enum domain_distances from = builder->rules->distances;

    for (uint32_t a = 0; a < (from == DISTANCES_OF_NODE_0 && count ? 1 : count); a++)
        for (uint32_t b = 0; b < count; b++) {
            uint32_t distance = builder->distances[a * count + b];

            if (from == DISTANCES_OF_CPU_NODES && (!has_cpus(builder, a) || !has_cpus(builder, b)))
                continue;
            if (distance < DISTANCE_VALUES)
                is_used[distance] = true;
        }
}

/* The CPUs of all nodes within `distance` of `node`. */
static uint32_t mask_within(struct level_builder *builder, uint32_t node, uint32_t distance,
                            struct cpumask *scratch)
{
    uint32_t count = builder->topology->node_count;

    cpumask_clear(scratch);
    for (uint32_t b = 0; b < count; b++)
        if (builder->distances[node * count + b] <= distance)
            cpumask_or(scratch, &builder->table->masks[builder->node_mask[b]]);
    return masks_of(builder->table, scratch);
}

static bool add_numa_level(struct level_builder *builder, uint32_t distance)
{
    struct topology *topology = builder->topology;
    struct topology_level *level = add_level(builder, "NUMA");
    uint32_t *node_mask = new_indexes(builder, topology->node_count);
    struct cpumask scratch;

    if (!level || !node_mask ||
        !cpumask_init(&scratch, builder->table->cpu_count, builder->arena))
        return false;
    level->is_numa_overlap = true;
    level->is_far = distance > builder->near_distance;
    for (uint32_t node = 0; node < topology->node_count; node++) {
        node_mask[node] = mask_within(builder, node, distance, &scratch);
        if (node_mask[node] == MASKS_NONE)
            return false;
    }
    CPUMASK_FOR_EACH(cpu, &topology->online)
        if (builder->node_index[cpu] != UINT32_MAX)
            level->mask[cpu] = node_mask[builder->node_index[cpu]];
    return true;
}

static bool add_numa_levels(struct level_builder *builder)
{
    bool is_used[DISTANCE_VALUES] = {false};
    bool is_local = true;

    if (builder->topology->distances)
        mark_distances(builder, is_used);
    if (builder->rules->has_node_level && !add_node_level(builder, "NODE"))
        return false;
    for (uint32_t distance = 0; distance < DISTANCE_VALUES; distance++) {
        if (!is_used[distance])
            continue;
        if (!is_local && !add_numa_level(builder, distance))
            return false;
        is_local = false;
    }
    return true;
}

static bool is_hybrid(const struct machine_facts *facts, const struct topology *topology)
{
    struct cpuid_regs regs = {0};

    if (topology->cpu_count > 0 && topology->cpus[0].fact != FACTS_NO_CPU &&
        facts_max_basic_leaf(facts, &facts->cpus[topology->cpus[0].fact]) >= 7)
        facts_cpuid(facts, &facts->cpus[topology->cpus[0].fact], 7, 0, &regs);
    return bits_test(regs.edx, 15);
}

static uint32_t near_distance(const struct machine_facts *facts, const struct domain_rules *rules,
                              const struct topology *topology)
{
    struct cpuid_regs vendor = {0}, version = {0};
    uint32_t family;

    if (!rules->last_zen_family || !topology->cpu_count ||
        topology->cpus[0].fact == FACTS_NO_CPU)
        return NEAR_DISTANCE;
    facts_cpuid(facts, &facts->cpus[topology->cpus[0].fact], 0, 0, &vendor);
    facts_cpuid(facts, &facts->cpus[topology->cpus[0].fact], 1, 0, &version);
    family = bits_get(version.eax, 11, 8);
    if (family == 0xF)
        family += bits_get(version.eax, 27, 20);
    bool is_amd = memcmp(&vendor.ebx, "Auth", 4) == 0 && memcmp(&vendor.edx, "enti", 4) == 0;
    bool is_zen = is_amd && family >= FAMILY_ZEN && family <= rules->last_zen_family;
    return is_zen ? NEAR_DISTANCE_OF_ZEN : NEAR_DISTANCE;
}

bool domains_list_levels(const struct machine_facts *facts, const struct domain_rules *rules,
                         struct topology *topology, struct arena *arena)
{
    struct level_builder builder = {rules, topology, topology->mask_table, arena, NULL, NULL,
                                    topology->distances,
                                    near_distance(facts, rules, topology)};
    bool is_hybrid_list = rules->has_hybrid_list && is_hybrid(facts, topology);
    bool has_smt = !rules->drops_unused_smt || topology->threads_per_core > 1;
    bool has_cluster = rules->has_cluster_level && !is_hybrid_list;
    bool has_package = is_hybrid_list || !topology->is_numa_in_package;

    topology->level_count = 0;
    topology->levels = ARENA_NEW(arena, struct topology_level, 5 + DISTANCE_VALUES);
    if (rules->averages_snc_distances)
        builder.distances = domains_distances(facts, topology, arena,
                                              &topology->is_slit_form_refused);
    if (!topology->levels || (topology->distances && !builder.distances) || !map_nodes(&builder))
        return false;
    return (!has_smt || add_mask_level(&builder, "SMT", TOPOLOGY_SMT)) &&
           (!has_cluster || add_mask_level(&builder, "CLS", TOPOLOGY_CLUSTER)) &&
           add_mask_level(&builder, "MC", TOPOLOGY_LLC) &&
           (!has_package || add_node_level(&builder, rules->package_level)) &&
           add_numa_levels(&builder);
}
