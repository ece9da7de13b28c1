/* A node of the tree is a group when the upper end of the values inside stays
 * below the lower end of those to the rest of its context and to its neighbour in
 * the tree, by a gap that grows with the noise and with the smallness of the
 * group: the nearest of many pairs is always nearer than the others. */
#include "kernel/stats/groups_borders.h"

#include "kernel/stats/measured_results.h"

enum {
    MIN_GAP = 72,            /* 5 % between the ends … */
    MIN_GAP_SMALL = 140,     /* and so much more, divided by the values inside */
    MIN_STEP = 164,          /* 12 % between the medians */
    GAP_SIGMAS_X10 = 15,     /* of the noise, for many values inside */
    GAP_SMALL_X10 = 45,      /* and so much more, divided by their number */
    WEAK_DIVISOR = 3,        /* a weak group needs a third of the noise's part */
    WEAK_MIN_GROUPS = 3,     /* weak groups count when there are so many of them … */
    WEAK_COVERAGE_X4 = 3,    /* and they hold three quarters of the context */
    SIGMA_MIN_VALUES = 6,
    TRIM_MIN_VALUES = 6,
    TRIM_SHARE = 20,         /* one value in twenty, at least one */
    MAX_ROUNDS = 8,
};

uint32_t borders_trim(uint32_t value_count, uint32_t member_count)
{
    uint32_t share = value_count < TRIM_MIN_VALUES ? 0 : value_count / TRIM_SHARE + 1;
    uint32_t most = member_count / 2;

    return share < most ? share : most;
}

static void add_between(const struct borders *borders, uint32_t first_a, uint32_t end_a,
                        uint32_t first_b, uint32_t end_b, struct value_set *set)
{
    const uint32_t *order = borders->tree.order;

    for (uint32_t a = first_a; a < end_a; a++)
        for (uint32_t b = first_b; b < end_b; b++)
            value_set_add(set, pair_value(borders->values, order[a], order[b]));
}

void borders_inside(const struct borders *borders, uint32_t node, struct value_set *set)
{
    uint32_t first = borders->tree.nodes[node].first;
    uint32_t end = first + borders->tree.nodes[node].size;

    set->count = 0;
    for (uint32_t a = first; a < end; a++)
        add_between(borders, a, a + 1, a + 1, end, set);
    value_set_sort(set);
}

void borders_outside(const struct borders *borders, uint32_t node, uint32_t context,
                     struct value_set *set)
{
    const struct tree_node *inner = &borders->tree.nodes[node];
    const struct tree_node *outer = &borders->tree.nodes[context];
    uint32_t first = inner->first, end = inner->first + inner->size;

    set->count = 0;
    add_between(borders, first, end, outer->first, first, set);
    add_between(borders, first, end, end, outer->first + outer->size, set);
    value_set_sort(set);
}

/* Values to the neighbour in the tree, which is the nearest set outside. */
static void collect_across(struct borders *borders, uint32_t node)
{
    borders_outside(borders, node, borders->tree.nodes[node].parent, &borders->across);
}

void borders_widest(struct borders *borders, uint32_t node)
{
    borders_outside(borders, borders->tree.nodes[node].left, node, &borders->widest);
}

static uint32_t sigma_of(const struct value_set *set)
{
    return set->count < SIGMA_MIN_VALUES ? 0 : value_set_sigma(set);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t noise_near(const struct borders *borders, const struct value_set *set)
{
    return borders->noise_at[noise_bin_of(log2_of(value_set_quantile(set, 500)))];
}

static uint32_t noise(const struct borders *borders)
{
    uint32_t local = larger(sigma_of(&borders->widest), sigma_of(&borders->outside));
    uint32_t usual = larger(noise_near(borders, &borders->inside),
                            noise_near(borders, &borders->outside));

    return larger(local, usual);
}

static bool is_above(uint32_t low_ps, uint32_t high_ps, uint32_t least)
{
    return log2_of(high_ps) >= log2_of(low_ps) + least;
}

/* From the upper end inside to the lower end of the rest of the context and of the
 * neighbour in the tree; 0: they overlap. */
static uint32_t gap_of(const struct borders *borders, uint32_t index)
{
    const struct tree_node *node = &borders->tree.nodes[index];
    const struct value_set *inside = &borders->inside, *outside = &borders->outside;
    const struct value_set *across = &borders->across;
    uint32_t neighbour = borders->tree.nodes[node->parent].size - node->size;
    uint32_t least_members = neighbour < node->size ? neighbour : node->size;
    uint32_t high = value_set_high(inside, borders_trim(inside->count, node->size - 1));
    uint32_t low = value_set_low(outside, borders_trim(outside->count, node->size));

    if (across->count) {
        uint32_t near = value_set_low(across, borders_trim(across->count, least_members));

        low = near < low ? near : low;
    }
    return low > high ? log2_of(low) - log2_of(high) : 0;
}

/* The gap that is needed when a `part` of the noise must lie in it. */
static uint32_t needed_gap(const struct borders *borders, uint32_t part)
{
    uint32_t count = borders->inside.count;
    uint32_t sigmas_x10 = GAP_SIGMAS_X10 + GAP_SMALL_X10 / count;

    return larger(MIN_GAP + MIN_GAP_SMALL / count / part, noise(borders) * sigmas_x10 / 10 / part);
}

static bool is_separated(struct borders *borders, uint32_t index, uint32_t part)
{
    borders_inside(borders, index, &borders->inside);
    borders_outside(borders, index, borders->context[index], &borders->outside);
    collect_across(borders, index);
    borders_widest(borders, index);
    if (!borders->inside.count || !borders->outside.count ||
        (!borders->across.count && !borders->is_sampled))
        return false;
    if (borders->inside.count == 1 && part == 1 && noise(borders) > PAIR_VALUES_NOISY)
        return false; /* where values are off by much, one low value makes no group */

    const struct value_set *widest =
        borders->widest.count ? &borders->widest : &borders->inside;

    return is_above(value_set_quantile(widest, 500),
                    value_set_quantile(&borders->outside, 500), MIN_STEP) &&
           gap_of(borders, index) >= needed_gap(borders, part);
}

/* Contexts follow the marks; a node comes after its parent when walked from the end. */
static void update_contexts(struct borders *borders)
{
    const struct groups_tree *tree = &borders->tree;

    for (uint32_t i = tree->node_count - 1; i-- > 0;) {
        uint32_t parent = tree->nodes[i].parent;

        borders->context[i] = borders->is_group[parent] ? parent : borders->context[parent];
    }
    for (uint32_t i = 0; i < tree->node_count; i++)
        borders->has_group_below[i] =
            borders->is_group[i] || (tree->nodes[i].size > 1 &&
                                     (borders->has_group_below[tree->nodes[i].left] ||
                                      borders->has_group_below[tree->nodes[i].right]));
}

/* Parents come first, so each node is judged in its final context. */
static void mark_strong(struct borders *borders)
{
    for (uint32_t i = borders->tree.node_count - 1; i-- > 0;) {
        uint32_t parent = borders->tree.nodes[i].parent;

        borders->context[i] = borders->is_group[parent] ? parent : borders->context[parent];
        if (!borders->is_group[i] && borders->tree.nodes[i].size > 1 &&
            is_separated(borders, i, 1))
            borders->is_group[i] = true;
    }
    update_contexts(borders);
}

/* Of weakly separated nodes above each other, the one with the widest gap. */
static bool is_widest_gap(const struct borders *borders, uint32_t node)
{
    const struct tree_node *nodes = borders->tree.nodes;
    uint32_t gap = borders->weak_gap[node];

    for (uint32_t up = nodes[node].parent; up != borders->context[node]; up = nodes[up].parent)
        if (borders->weak_gap[up] > gap)
            return false;
    for (uint32_t i = borders->values->cpu_count; i < node; i++)
        if (borders->weak_gap[i] >= gap && nodes[i].first >= nodes[node].first &&
            nodes[i].first < nodes[node].first + nodes[node].size)
            return false;
    return true;
}

/* A group of the context, or a node that will be one when there are enough. */
static bool is_candidate(const struct borders *borders, uint32_t node, uint32_t context)
{
    if (borders->context[node] != context)
        return false;
    return borders->is_group[node] ||
           (borders->weak_gap[node] && is_widest_gap(borders, node));
}

static bool mark_weak_of(struct borders *borders, uint32_t context)
{
    uint32_t groups = 0, members = 0;
    bool is_changed = false;

    for (uint32_t i = 0; i < context; i++)
        if (is_candidate(borders, i, context)) {
            groups++;
            members += borders->tree.nodes[i].size;
        }
    if (groups < WEAK_MIN_GROUPS ||
        members * 4 < borders->tree.nodes[context].size * WEAK_COVERAGE_X4)
        return false;
    for (uint32_t i = 0; i < context; i++)
        if (!borders->is_group[i] && is_candidate(borders, i, context))
            borders->is_group[i] = is_changed = true;
    return is_changed;
}

static bool mark_weak(struct borders *borders)
{
    bool is_changed = false;

    for (uint32_t i = 0; i + 1 < borders->tree.node_count; i++)
        borders->weak_gap[i] = borders->tree.nodes[i].size > 1 && !borders->has_group_below[i] &&
                                       is_separated(borders, i, WEAK_DIVISOR) ?
                                   gap_of(borders, i) : 0;
    for (uint32_t i = borders->tree.node_count; i-- > 0;)
        if (borders->is_group[i] && borders->tree.nodes[i].size > 1)
            is_changed |= mark_weak_of(borders, i);
    update_contexts(borders);
    return is_changed;
}

bool borders_init(struct borders *borders, const struct pair_values *values, bool is_sampled,
                  struct arena *scratch)
{
    uint32_t count = values->cpu_count;
    struct value_set *sets[] = {&borders->inside, &borders->outside, &borders->across,
                                &borders->widest};

    *borders = (struct borders){.values = values, .is_sampled = is_sampled};
    for (uint32_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        sets[i]->capacity = values->pair_count + 1;
        sets[i]->ps = ARENA_NEW(scratch, uint32_t, sets[i]->capacity);
        if (!sets[i]->ps)
            return false;
    }
    borders->is_group = ARENA_NEW(scratch, bool, 2 * (size_t)count);
    borders->context = ARENA_NEW(scratch, uint32_t, 2 * (size_t)count);
    borders->weak_gap = ARENA_NEW(scratch, uint32_t, 2 * (size_t)count);
    borders->has_group_below = ARENA_NEW(scratch, bool, 2 * (size_t)count);
    return borders->is_group && borders->context && borders->weak_gap &&
           borders->has_group_below && groups_tree_build(&borders->tree, values, scratch);
}

void borders_find(struct borders *borders)
{
    uint32_t machine = borders->tree.node_count - 1;

    borders->is_group[machine] = true;
    borders->context[machine] = machine;
    borders_measure_noise(borders);
    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        mark_strong(borders);
        if (!mark_weak(borders))
            return;
    }
}
