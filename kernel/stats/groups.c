/* From the marks in the tree to groups, levels and a verdict. */
#include "kernel/stats/groups.h"

#include "kernel/stats/groups_borders.h"
#include "kernel/stats/groups_tree.h"
#include "kernel/stats/groups_values.h"

/* Nodes of the tree that are groups, the machine apart, and the other way round. */
struct numbering {
    uint32_t *group_of_node;
    uint32_t *node_of_group;
};

static bool is_listed(const struct borders *borders, uint32_t node)
{
    return borders->is_group[node] && node + 1 < borders->tree.node_count;
}

static uint32_t depth_of(const struct borders *borders, uint32_t node)
{
    uint32_t depth = 0;

    for (; node + 1 < borders->tree.node_count; node = borders->context[node])
        depth += borders->is_group[node];
    return depth;
}

/* Widest first: parents have higher node numbers than what is below them, but size is
 * what a reader expects, so depth decides and the node number only among equals. */
static bool number_groups(struct numbering *numbering, const struct borders *borders,
                          struct measured_groups *out, struct arena *scratch)
{
    uint32_t nodes = borders->tree.node_count, deepest = 0;

    numbering->group_of_node = ARENA_NEW(scratch, uint32_t, nodes);
    numbering->node_of_group = ARENA_NEW(scratch, uint32_t, nodes);
    if (!numbering->group_of_node || !numbering->node_of_group)
        return false;
    for (uint32_t i = 0; i < nodes; i++) {
        numbering->group_of_node[i] = MEASURED_NONE;
        if (is_listed(borders, i) && depth_of(borders, i) > deepest)
            deepest = depth_of(borders, i);
    }
    out->level_count = deepest;
    for (uint32_t depth = 1; depth <= deepest; depth++)
        for (uint32_t cpu = 0; cpu < out->cpu_count; cpu++)
            for (uint32_t i = cpu; i + 1 < nodes; i = borders->context[i])
                if (is_listed(borders, i) && depth_of(borders, i) == depth &&
                    numbering->group_of_node[i] == MEASURED_NONE) {
                    numbering->group_of_node[i] = out->group_count;
                    numbering->node_of_group[out->group_count++] = i;
                }
    return true;
}

/* Values between members that are in no common narrower group. */
static void inside_of_group(const struct borders *borders, uint32_t node, struct value_set *set)
{
    const struct tree_node *tree_node = &borders->tree.nodes[node];
    const uint32_t *order = borders->tree.order;

    set->count = 0;
    for (uint32_t i = 0; i < tree_node->size; i++)
        for (uint32_t j = i + 1; j < tree_node->size; j++) {
            uint32_t a = order[tree_node->first + i], b = order[tree_node->first + j];

            if (borders->context[a] != borders->context[b] || borders->context[a] == node)
                value_set_add(set, pair_value(borders->values, a, b));
        }
    value_set_sort(set);
}

static bool fill_group(struct borders *borders, const struct numbering *numbering, uint32_t index,
                       struct measured_groups *out, struct arena *arena)
{
    struct measured_group *group = &out->groups[index];
    uint32_t node = numbering->node_of_group[index];
    const struct tree_node *tree_node = &borders->tree.nodes[node];
    struct value_set *inside = &borders->inside, *outside = &borders->outside;

    if (!cpumask_init(&group->slots, out->cpu_count, arena))
        return false;
    for (uint32_t i = 0; i < tree_node->size; i++)
        cpumask_set(&group->slots, borders->tree.order[tree_node->first + i]);
    group->parent = numbering->group_of_node[borders->context[node]];
    group->depth = depth_of(borders, node);
    borders_inside(borders, node, inside);
    borders_outside(borders, node, borders->context[node], outside);
    group->inside_pairs = inside->count;
    group->outside_pairs = outside->count;
    group->inside_high_ps =
        value_set_high(inside, borders_trim(inside->count, tree_node->size - 1));
    group->outside_low_ps = value_set_low(outside, borders_trim(outside->count, tree_node->size));
    group->outside_ps = value_set_quantile(outside, 500);
    inside_of_group(borders, node, inside);
    group->inside_ps = inside->count ? value_set_quantile(inside, 500) : group->inside_high_ps;
    return true;
}

static bool has_groups_inside(const struct borders *borders, uint32_t node)
{
    const struct tree_node *tree_node = &borders->tree.nodes[node];

    return borders->has_group_below[tree_node->left] || borders->has_group_below[tree_node->right];
}

/* The part of the machine that holds `cpu` at a depth: its group there, or the
 * narrowest one when no border was measured inside it, or the CPU alone. */
static uint32_t part_of(const struct borders *borders, uint32_t cpu, uint32_t depth)
{
    uint32_t group = borders->context[cpu];

    while (depth_of(borders, group) > depth)
        group = borders->context[group];
    if (depth_of(borders, group) < depth && has_groups_inside(borders, group))
        return cpu;
    return group;
}

static uint32_t median_of(const struct measured_groups *groups, uint32_t depth, bool is_inside,
                          struct value_set *set)
{
    set->count = 0;
    for (uint32_t i = 0; i < groups->group_count; i++)
        if (groups->groups[i].depth == depth)
            value_set_add(set, is_inside ? groups->groups[i].inside_ps :
                                           groups->groups[i].outside_ps);
    value_set_sort(set);
    return set->count ? value_set_quantile(set, 500) : MEASURED_NONE;
}

static bool fill_level(struct borders *borders, uint32_t depth, struct measured_groups *out,
                       struct arena *arena)
{
    struct measured_level *level = &out->levels[depth - 1];
    uint32_t cpus = out->cpu_count;

    level->group_of = ARENA_NEW(arena, uint32_t, cpus);
    if (!level->group_of)
        return false;
    for (uint32_t cpu = 0; cpu < cpus; cpu++) {
        uint32_t earlier = 0;

        while (earlier < cpu && part_of(borders, earlier, depth) != part_of(borders, cpu, depth))
            earlier++;
        level->group_of[cpu] = earlier < cpu ? level->group_of[earlier] : level->group_count++;
    }
    level->inside_ps = median_of(out, depth, true, &borders->inside);
    level->outside_ps = median_of(out, depth, false, &borders->inside);
    return true;
}

static bool fill(struct borders *borders, struct measured_groups *out, struct arena *arena,
                 struct arena *scratch)
{
    struct numbering numbering;

    if (!number_groups(&numbering, borders, out, scratch))
        return false;
    out->groups = ARENA_NEW(arena, struct measured_group, out->group_count + 1);
    out->levels = ARENA_NEW(arena, struct measured_level, out->level_count + 1);
    if (!out->groups || !out->levels)
        return false;
    for (uint32_t i = 0; i < out->group_count; i++)
        if (!fill_group(borders, &numbering, i, out, arena))
            return false;
    for (uint32_t depth = 1; depth <= out->level_count; depth++)
        if (!fill_level(borders, depth, out, arena))
            return false;
    return true;
}

static void fill_all_values(struct borders *borders, struct measured_groups *out)
{
    struct value_set *all = &borders->inside;

    borders_inside(borders, borders->tree.node_count - 1, all);
    out->all_median_ps = all->count ? value_set_quantile(all, 500) : MEASURED_NONE;
    out->all_iqr_ps = all->count ? value_set_quantile(all, 750) - value_set_quantile(all, 250) :
                                   MEASURED_NONE;
}

bool groups_find(const uint32_t *median_ps, uint32_t cpu_count, bool is_sampled,
                 struct arena *arena, struct arena *scratch, struct measured_groups *out)
{
    struct pair_values values;
    struct borders borders;

    *out = (struct measured_groups){.cpu_count = cpu_count};
    if (!pair_values_init(&values, median_ps, cpu_count, scratch) ||
        !borders_init(&borders, &values, is_sampled, scratch))
        return false;
    borders_find(&borders);
    out->reason = borders_doubt(&borders);
    out->outliers = values.outliers;
    out->unchecked_group_pairs = borders.unchecked_part_pairs;
    if (!fill(&borders, out, arena, scratch))
        return false;
    fill_all_values(&borders, out);
    out->verdict = out->reason ? GROUPS_CANNOT_TELL :
                   out->group_count ? GROUPS_SEPARATED : GROUPS_UNIFORM;
    if (out->reason)
        out->level_count = 0; /* the clear groups stay listed, a partition would be a guess */
    return true;
}

uint32_t groups_narrowest(const struct measured_groups *groups, uint32_t slot)
{
    uint32_t narrowest = MEASURED_NONE;

    for (uint32_t i = 0; i < groups->group_count; i++)
        if (cpumask_has(&groups->groups[i].slots, slot))
            narrowest = i;
    return narrowest;
}
