/* Average linkage over logarithms, with the nearest partner of each set kept, so
 * that a join costs about one pass over the sets. Pairs that were not measured
 * have no vote. */
#include "kernel/stats/groups_tree.h"

#include "kernel/stats/measured_results.h"

struct link {
    uint64_t sum;   /* of logarithms */
    uint32_t count; /* of measured pairs; 0: infinitely far */
};

struct joining {
    uint32_t cpu_count;
    struct link *links;  /* [row * cpu_count + column], both halves kept */
    uint32_t *node_of;   /* per row: the node it stands for */
    bool *is_active;
    uint32_t *nearest;   /* per active row: the row it is nearest to */
};

static bool is_nearer(const struct link *a, const struct link *b)
{
    if (!a->count || !b->count)
        return a->count > b->count;
    return a->sum * b->count < b->sum * a->count;
}

static struct link *link_of(const struct joining *joining, uint32_t row, uint32_t column)
{
    return &joining->links[(size_t)row * joining->cpu_count + column];
}

static void find_nearest(struct joining *joining, uint32_t row)
{
    uint32_t best = MEASURED_NONE;

    for (uint32_t column = 0; column < joining->cpu_count; column++)
        if (column != row && joining->is_active[column] &&
            (best == MEASURED_NONE ||
             is_nearer(link_of(joining, row, column), link_of(joining, row, best))))
            best = column;
    joining->nearest[row] = best;
}

static uint32_t nearest_row(const struct joining *joining)
{
    uint32_t best = MEASURED_NONE;

    for (uint32_t row = 0; row < joining->cpu_count; row++)
        if (joining->is_active[row] &&
            (best == MEASURED_NONE ||
             is_nearer(link_of(joining, row, joining->nearest[row]),
                       link_of(joining, best, joining->nearest[best]))))
            best = row;
    return best;
}

/* Row `gone` becomes part of row `kept`. */
static void merge_rows(struct joining *joining, uint32_t kept, uint32_t gone)
{
    joining->is_active[gone] = false;
    for (uint32_t row = 0; row < joining->cpu_count; row++) {
        if (!joining->is_active[row] || row == kept)
            continue;
        struct link *link = link_of(joining, kept, row);

        link->sum += link_of(joining, gone, row)->sum;
        link->count += link_of(joining, gone, row)->count;
        *link_of(joining, row, kept) = *link;
    }
    for (uint32_t row = 0; row < joining->cpu_count; row++)
        if (joining->is_active[row] &&
            (row == kept || joining->nearest[row] == kept || joining->nearest[row] == gone))
            find_nearest(joining, row);
        else if (joining->is_active[row] &&
                 is_nearer(link_of(joining, row, kept),
                           link_of(joining, row, joining->nearest[row])))
            joining->nearest[row] = kept;
}

static bool joining_init(struct joining *joining, const struct pair_values *values,
                         struct arena *arena)
{
    uint32_t count = joining->cpu_count = values->cpu_count;

    joining->links = ARENA_NEW(arena, struct link, (size_t)count * count);
    joining->node_of = ARENA_NEW(arena, uint32_t, count);
    joining->is_active = ARENA_NEW(arena, bool, count);
    joining->nearest = ARENA_NEW(arena, uint32_t, count);
    if (!joining->links || !joining->node_of || !joining->is_active || !joining->nearest)
        return false;
    for (uint32_t a = 0; a < count; a++) {
        joining->node_of[a] = a;
        joining->is_active[a] = true;
        for (uint32_t b = 0; b < count; b++)
            if (pair_value(values, a, b) != MEASURED_NONE)
                *link_of(joining, a, b) = (struct link){log2_of(pair_value(values, a, b)), 1};
    }
    for (uint32_t row = 0; row < count; row++)
        find_nearest(joining, row);
    return true;
}

static void join(struct groups_tree *tree, struct joining *joining)
{
    while (tree->node_count < 2 * joining->cpu_count - 1) {
        uint32_t kept = nearest_row(joining), gone = joining->nearest[kept];
        uint32_t left = joining->node_of[kept], right = joining->node_of[gone];
        uint32_t joined = tree->node_count++;

        tree->nodes[joined] = (struct tree_node){left, right, MEASURED_NONE, 0,
                                                 tree->nodes[left].size + tree->nodes[right].size};
        tree->nodes[left].parent = tree->nodes[right].parent = joined;
        joining->node_of[kept] = joined;
        merge_rows(joining, kept, gone);
    }
}

/* Parents come before children when walked from the end. */
static void place(struct groups_tree *tree, uint32_t cpu_count)
{
    for (uint32_t i = tree->node_count; i-- > cpu_count;) {
        struct tree_node *node = &tree->nodes[i];

        tree->nodes[node->left].first = node->first;
        tree->nodes[node->right].first = node->first + tree->nodes[node->left].size;
    }
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        tree->order[tree->nodes[cpu].first] = cpu;
}

bool groups_tree_build(struct groups_tree *tree, const struct pair_values *values,
                       struct arena *arena)
{
    struct joining joining;
    uint32_t count = values->cpu_count;

    tree->nodes = ARENA_NEW(arena, struct tree_node, 2 * (size_t)count - 1);
    tree->order = ARENA_NEW(arena, uint32_t, count);
    tree->node_count = count;
    if (!tree->nodes || !tree->order || !joining_init(&joining, values, arena))
        return false;
    for (uint32_t cpu = 0; cpu < count; cpu++)
        tree->nodes[cpu] = (struct tree_node){MEASURED_NONE, MEASURED_NONE, MEASURED_NONE, 0, 1};
    join(tree, &joining);
    place(tree, count);
    return true;
}
