/* What speaks against the groups that were found: a set that looks like a group
 * but overlaps with its surroundings, two parts that are nearer than the rest but
 * were not joined, and parts between which every value was left out. Any of them
 * turns the answer into "cannot tell". */
#include "kernel/stats/groups_borders.h"
#include "kernel/stats/measured_results.h"

enum {
    OVERLAP_ABOVE_PERMILLE = 880, /* an outside value exceeds an inside one so often … */
    OVERLAP_NEAREST_PERMILLE = 850, /* and one to the nearest CPU outside: no gradient, … */
    OVERLAP_NEAREST_FEW = 920,    /* which takes more to show with few values */
    OVERLAP_FEW = 10,
    OVERLAP_STEP = 200,           /* and the medians are 14 % apart, */
    OVERLAP_STEP_BESIDE = 72,     /* or 5 % beside groups that were found */
    OVERLAP_Z_SQUARED = 12,       /* rank-sum test at 3.5 standard deviations */
    NEAR_SIGMAS = 5, NEAR_STEP = 269,
    FAR_SIGMAS = 6, FAR_STEP = 512,
    /* Between the ends of all values, beyond which a border may hide in the spread: */
    UNIFORM_STEP = 1353,          /* a factor of 2.5, as on large meshes; */
    SOME_CPUS = 16,
    SOME_CPUS_STEP = 694,         /* 60 % with fewer CPUs, or when the noise is not known; */
    FEW_CPUS = 8,
    FEW_CPUS_STEP = 444,          /* 35 % where ranks cannot show an overlap */
    SAMPLE_UNCHECKED_SHARE = 50,  /* one in so many pairs of parts may lack a measured pair */
};

static const char overlap_reason[] =
    "the times inside a likely group and those to other CPUs overlap";
static const char near_reason[] =
    "some CPUs are nearer to each other than the rest, but not clearly a group";
static const char lost_reason[] = "no undisturbed pair connects some CPUs";
static const char few_reason[] = "fewer than three CPUs, nothing to compare with";
static const char unconnected_reason[] = "a CPU has no measured pair";
static const char spread_reason[] = "the times are spread too widely to exclude a border";
static const char noise_reason[] = "the two directions of a pair differ too much to see a border";

/* Rank-sum statistic against its standard deviation without ties. */
static bool is_significant(uint64_t n1, uint64_t n2, uint32_t above_permille)
{
    uint64_t excess = above_permille - 500;

    return excess * excess * 12 * n1 * n2 >=
           (uint64_t)OVERLAP_Z_SQUARED * 1000000 * (n1 + n2 + 1);
}

/* A part of a context: a group directly below it, or a CPU in none. Walked by
 * position in the tree's order. */
static uint32_t part_at(const struct borders *borders, uint32_t context, uint32_t position)
{
    uint32_t part = borders->tree.order[position]; /* a CPU is the node of that number */

    while (borders->context[part] != context)
        part = borders->context[part];
    return part;
}

static void collect(const struct borders *borders, uint32_t a, uint32_t b, struct value_set *set)
{
    const struct tree_node *node_a = &borders->tree.nodes[a], *node_b = &borders->tree.nodes[b];
    const uint32_t *order = borders->tree.order;

    for (uint32_t i = 0; i < node_a->size; i++)
        for (uint32_t j = 0; j < node_b->size; j++)
            value_set_add(set, pair_value(borders->values, order[node_a->first + i],
                                          order[node_b->first + j]));
}

struct fences {
    bool has_groups;
    uint32_t near_log;  /* nearer is no longer the same population */
    uint32_t loose_log; /* the same between two CPUs in no group */
    uint32_t far_log;   /* farther was disturbed */
};

typedef const char *(*pair_test)(struct borders *borders, uint32_t a, uint32_t b,
                                 const struct fences *fences);

/* `node` is the context or lies in it, wider than its parts. */
static const char *each_part_pair(struct borders *borders, uint32_t node, uint32_t context,
                                  const struct fences *fences, pair_test test)
{
    uint32_t p = borders->tree.nodes[node].first, end = p + borders->tree.nodes[node].size;

    while (p < end) {
        uint32_t a = part_at(borders, context, p);

        p += borders->tree.nodes[a].size;
        for (uint32_t q = p; q < end;) {
            uint32_t b = part_at(borders, context, q);
            const char *reason = test(borders, a, b, fences);

            if (reason)
                return reason;
            q += borders->tree.nodes[b].size;
        }
    }
    return NULL;
}

static const char *add_pair(struct borders *borders, uint32_t a, uint32_t b,
                            const struct fences *fences)
{
    (void)fences;
    collect(borders, a, b, &borders->across);
    return NULL;
}

/* Values between the parts of `node`, into `across`. */
static void collect_parts(struct borders *borders, uint32_t node, uint32_t context)
{
    borders->across.count = 0;
    each_part_pair(borders, node, context, NULL, add_pair);
    value_set_sort(&borders->across);
}

/* How often a value to the nearest CPU outside exceeds one of `across`. In a gradient
 * that CPU is as near as those inside, behind a border it is not. */
static uint32_t nearest_above(struct borders *borders, uint32_t node)
{
    const struct tree_node *context = &borders->tree.nodes[borders->context[node]];
    const struct tree_node *inner = &borders->tree.nodes[node];
    struct value_set *set = &borders->widest;
    uint32_t least = 1000;

    for (uint32_t p = context->first; p < context->first + context->size; p++) {
        if (p >= inner->first && p < inner->first + inner->size)
            continue;
        set->count = 0;
        collect(borders, borders->tree.order[p], node, set);
        value_set_sort(set);

        uint32_t above = value_sets_above(&borders->across, set);

        if (set->count && above < least)
            least = above;
    }
    return least;
}

static bool has_group_in(const struct borders *borders, uint32_t context)
{
    for (uint32_t i = borders->values->cpu_count; i < context; i++)
        if (borders->is_group[i] && borders->context[i] == context)
            return true;
    return false;
}

static bool is_overlapping_group(struct borders *borders, uint32_t node)
{
    struct value_set *inside = &borders->across, *outside = &borders->outside;

    collect_parts(borders, node, borders->context[node]);
    borders_outside(borders, node, borders->context[node], outside);
    if (!inside->count || !outside->count)
        return false;

    uint32_t above = value_sets_above(inside, outside);
    uint32_t step = has_group_in(borders, borders->context[node]) ? OVERLAP_STEP_BESIDE :
                                                                    OVERLAP_STEP;

    return above >= OVERLAP_ABOVE_PERMILLE && is_significant(inside->count, outside->count, above) &&
           log2_of(value_set_quantile(outside, 500)) >=
               log2_of(value_set_quantile(inside, 500)) + step &&
           nearest_above(borders, node) >= (inside->count < OVERLAP_FEW ?
                                                OVERLAP_NEAREST_FEW : OVERLAP_NEAREST_PERMILLE);
}

static bool has_overlap(struct borders *borders)
{
    for (uint32_t i = 0; i + 1 < borders->tree.node_count; i++)
        if (borders->tree.nodes[i].size > 1 && !borders->is_group[i] &&
            is_overlapping_group(borders, i))
            return true;
    return false;
}

static const char *check_pair(struct borders *borders, uint32_t a, uint32_t b,
                              const struct fences *fences)
{
    struct value_set *set = &borders->inside;
    bool is_loose = borders->tree.nodes[a].size == 1 && borders->tree.nodes[b].size == 1;

    set->count = 0;
    collect(borders, a, b, set);
    borders->part_pairs++;
    if (!set->count) {
        borders->unchecked_part_pairs++;
        return fences->has_groups && !borders->is_sampled ? lost_reason : NULL;
    }
    value_set_sort(set);
    if (log2_of(value_set_quantile(set, 500)) < (is_loose ? fences->loose_log : fences->near_log))
        return near_reason;
    return fences->has_groups && log2_of(set->ps[0]) > fences->far_log ? lost_reason : NULL;
}

/* Median of the values inside the groups directly below a context; 0: there is none. */
static uint32_t inside_log(struct borders *borders, uint32_t context)
{
    struct value_set *medians = &borders->outside;

    medians->count = 0;
    for (uint32_t i = borders->values->cpu_count; i < context; i++)
        if (borders->is_group[i] && borders->context[i] == context) {
            borders_inside(borders, i, &borders->inside);
            value_set_add(medians, value_set_quantile(&borders->inside, 500));
        }
    value_set_sort(medians);
    return medians->count ? log2_of(value_set_quantile(medians, 500)) : 0;
}

/* All values between the parts of a context are one population, apart from gradients,
 * which its quartiles show. CPUs in no group must not be as near as those in one. */
static const char *check_context(struct borders *borders, uint32_t context)
{
    struct fences fences;
    struct value_set *across = &borders->across;

    uint32_t unchecked = borders->unchecked_part_pairs, pairs = borders->part_pairs;
    const char *reason;

    collect_parts(borders, context, context);
    if (!across->count)
        return NULL;

    uint32_t sigma = value_set_sigma(across);
    uint32_t near = sigma * NEAR_SIGMAS, far = sigma * FAR_SIGMAS;
    uint32_t median_log = log2_of(value_set_quantile(across, 500));
    uint32_t grouped_log = inside_log(borders, context);

    near = near > NEAR_STEP ? near : NEAR_STEP;
    fences.has_groups = grouped_log != 0;
    fences.near_log = median_log > near ? median_log - near : 0;
    fences.loose_log = (median_log + grouped_log) / 2;
    if (fences.loose_log < fences.near_log)
        fences.loose_log = fences.near_log;
    fences.far_log = log2_of(value_set_quantile(across, 750)) + (far > FAR_STEP ? far : FAR_STEP);
    reason = each_part_pair(borders, context, context, &fences, check_pair);
    unchecked = borders->unchecked_part_pairs - unchecked;
    pairs = borders->part_pairs - pairs;
    if (!reason && fences.has_groups && unchecked * SAMPLE_UNCHECKED_SHARE > pairs)
        reason = lost_reason; /* a set that the sample did not connect is no group */
    return reason;
}

static const char *check_connected(struct borders *borders)
{
    uint32_t count = borders->values->cpu_count;

    if (count < 3)
        return few_reason;
    for (uint32_t a = 0; a < count; a++) {
        borders_outside(borders, a, borders->tree.node_count - 1, &borders->outside);
        if (!borders->outside.count)
            return unconnected_reason;
    }
    return NULL;
}

/* Nothing was found: would it have been? */
static const char *check_power(struct borders *borders)
{
    uint32_t machine = borders->tree.node_count - 1;
    uint32_t count = borders->values->cpu_count;
    const struct tree_node *node = &borders->tree.nodes[machine];

    if (borders->has_group_below[node->left] || borders->has_group_below[node->right])
        return NULL;
    if (borders->values->has_noise && borders->values->noise_log > PAIR_VALUES_NOISY)
        return noise_reason;
    borders_inside(borders, machine, &borders->inside);

    uint32_t trim = borders_trim(borders->inside.count, count - 1);
    uint32_t step = log2_of(value_set_high(&borders->inside, trim)) -
                    log2_of(value_set_low(&borders->inside, trim));

    bool is_limited = count < SOME_CPUS || !borders->values->has_noise;
    uint32_t most = count < FEW_CPUS ? FEW_CPUS_STEP : is_limited ? SOME_CPUS_STEP : UNIFORM_STEP;

    return step > most ? spread_reason : NULL;
}

const char *borders_doubt(struct borders *borders)
{
    const char *reason = check_connected(borders);

    if (!reason && has_overlap(borders))
        reason = overlap_reason;
    if (!reason)
        reason = check_power(borders);
    for (uint32_t i = borders->tree.node_count; i-- > borders->values->cpu_count && !reason;)
        if (borders->is_group[i])
            reason = check_context(borders, i);
    return reason;
}
