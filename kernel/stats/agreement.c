/* Claimed masks against measured groups. Three ways to disagree:
 *
 *     claimed  [0 1 2 3 4 5 6 7]     wider: a border was measured inside
 *     measured [0 1 2 3][4 5 6 7]
 *
 *     claimed  [0 1][2 3]            narrower: no border where one is claimed
 *     measured [0 1  2 3]
 *
 *     claimed  [0 1][2 3]            crossing
 *     measured [0 2][1 3]
 *
 * A border inside a mask counts only for kinds that claim a shared core or cache, and
 * only when no cache of the profile has the same border and no profile has a narrower
 * mask there: that one profile does not see the threads is no fault of the cache. */
#include "kernel/stats/agreement.h"

#include "kernel/stats/agreement_claims.h"
#include "kernel/stats/groups.h"
#include "kernel/stats/groups_values.h"

enum {
    SEEN_ABOVE_PERMILLE = 900,  /* of the values across exceed one inside: the border is there */
    SEEN_STEP = 100,            /* and the medians are 7 % apart */
    SAME_ABOVE_PERMILLE = 700,  /* up to here both are one population … */
    SAME_STEP = 120,            /* with medians within 8 %, */
    EQUAL_STEP = 50,            /* or within 3 %, however small the noise */
    SAME_MIN_VALUES = 4,
};

struct comparing {
    const struct measured_results *results;
    const struct measured_groups *groups;
    struct value_set inside, across; /* scratch */
    struct arena *arena;
    struct claims profiles[RULE_PROFILE_COUNT]; /* of no kind in particular */
    bool has_profile[RULE_PROFILE_COUNT];
    struct agreement_row *row;
    const struct claims *claims;
};

static bool claims_sharing(enum topology_mask kind)
{
    return kind == TOPOLOGY_SMT || kind == TOPOLOGY_CLUSTER || kind == TOPOLOGY_LLC;
}

/* How much a row is about: the worst answer of its masks stands for all. */
static uint32_t weight(enum agreement agreement)
{
    static const uint8_t weights[] = {
        [AGREEMENT_NOT_TESTED] = 0, [AGREEMENT_YES] = 1,   [AGREEMENT_CANNOT_TELL] = 2,
        [AGREEMENT_NARROWER] = 3,   [AGREEMENT_WIDER] = 4, [AGREEMENT_CROSSING] = 5,
    };

    return weights[agreement];
}

/* Keeps the worst answer, and of equal ones the first. */
static bool note(struct comparing *comparing, enum agreement agreement,
                 const struct cpumask *claimed)
{
    struct agreement_row *row = comparing->row;

    row->contradicted_count += weight(agreement) >= weight(AGREEMENT_NARROWER);
    if (weight(agreement) <= weight(row->agreement))
        return false;
    row->agreement = agreement;
    cpumask_copy(&row->claimed_slots, claimed);
    return true;
}

static void note_group(struct comparing *comparing, const struct measured_group *group)
{
    struct agreement_row *row = comparing->row;

    cpumask_copy(&row->measured_slots, &group->slots);
    row->near_ps = group->inside_ps;
    row->near_high_ps = group->inside_high_ps;
    row->far_ps = group->outside_ps;
    row->far_low_ps = group->outside_low_ps;
}

/* Threads that contend share a core although nothing says so: the border around them
 * is a core's, and the contention has its own finding. */
static bool is_hidden_core(const struct measured_contention *contention,
                           const struct cpumask *slots)
{
    for (uint32_t i = 0; contention && i < contention->pair_count; i++) {
        const struct measured_contention_pair *pair = &contention->pairs[i];

        if (!pair->is_claimed_sibling && pair->verdict == CONTENTION_SHARED_CORE &&
            cpumask_has(slots, pair->slot) && cpumask_has(slots, pair->partner_slot))
            return true;
    }
    return false;
}

static bool is_explained(const struct comparing *comparing, const struct cpumask *measured)
{
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (comparing->has_profile[i] &&
            claims_has_narrower(&comparing->profiles[i], comparing->claims->kind, measured))
            return true;
    return claims_has_cache(comparing->claims, measured) ||
           is_hidden_core(comparing->results->contention, measured);
}

/* What one measured group says about one claimed mask; AGREEMENT_NOT_TESTED: nothing. */
static enum agreement relation(const struct comparing *comparing, const struct cpumask *claimed,
                               const struct cpumask *measured)
{
    if (!cpumask_intersects(claimed, measured))
        return AGREEMENT_NOT_TESTED;
    if (cpumask_equal(claimed, measured))
        return AGREEMENT_YES;
    if (cpumask_is_subset(claimed, measured))
        return AGREEMENT_NOT_TESTED;
    if (!cpumask_is_subset(measured, claimed))
        return AGREEMENT_CROSSING;
    if (!claims_sharing(comparing->claims->kind) || is_explained(comparing, measured))
        return AGREEMENT_NOT_TESTED;
    return AGREEMENT_WIDER;
}

static uint32_t gap_log(const struct measured_group *group)
{
    return log2_of(group->outside_low_ps) - log2_of(group->inside_high_ps);
}

/* The measured group that is equal to the mask, or contradicts it most clearly. A mask
 * that was measured is right, whatever else lies inside it. */
static enum agreement judge_borders(const struct comparing *comparing,
                                    const struct cpumask *claimed,
                                    const struct measured_group **witness)
{
    enum agreement worst = AGREEMENT_NOT_TESTED;

    for (uint32_t i = 0; i < comparing->groups->group_count; i++) {
        const struct measured_group *group = &comparing->groups->groups[i];
        enum agreement found = relation(comparing, claimed, &group->slots);

        if (found == AGREEMENT_YES) {
            *witness = group;
            return AGREEMENT_YES;
        }
        if (weight(found) > weight(worst) ||
            (found != AGREEMENT_NOT_TESTED && found == worst && gap_log(group) > gap_log(*witness))) {
            worst = found;
            *witness = group;
        }
    }
    return worst;
}

/* The narrowest measured group that holds the mask; MEASURED_NONE: the machine. */
static uint32_t context_of(const struct measured_groups *groups, const struct cpumask *claimed)
{
    uint32_t context = MEASURED_NONE;

    for (uint32_t i = 0; i < groups->group_count; i++)
        if (cpumask_is_subset(claimed, &groups->groups[i].slots))
            context = i;
    return context;
}

static uint32_t common_group(const struct measured_groups *groups, uint32_t a, uint32_t b)
{
    uint32_t common = MEASURED_NONE;

    for (uint32_t i = 0; i < groups->group_count; i++)
        if (cpumask_has(&groups->groups[i].slots, a) && cpumask_has(&groups->groups[i].slots, b))
            common = i;
    return common;
}

/* Values of the level at which the mask would have its border: pairs of CPUs that no
 * narrower measured group joins. */
static void collect(struct comparing *comparing, const struct pair_values *values,
                    const struct cpumask *claimed)
{
    uint32_t context = context_of(comparing->groups, claimed);
    uint32_t first = cpumask_first(claimed);

    for (uint32_t a = first; a != CPUMASK_NONE; a = cpumask_next(claimed, a))
        for (uint32_t b = 0; b < values->cpu_count; b++) {
            bool is_inside = cpumask_has(claimed, b);

            if (b == a || (is_inside && b < a) ||
                common_group(comparing->groups, a, b) != context)
                continue;
            value_set_add(is_inside ? &comparing->inside : &comparing->across,
                          pair_value(values, a, b));
        }
}

/* No measured border settles it: are the values across the claimed border larger? */
static enum agreement judge_values(struct comparing *comparing, bool is_doubtful)
{
    struct value_set *inside = &comparing->inside, *across = &comparing->across;

    value_set_sort(inside);
    value_set_sort(across);
    if (!inside->count)
        return AGREEMENT_NOT_TESTED;
    if (!across->count)
        return is_doubtful ? AGREEMENT_CANNOT_TELL : AGREEMENT_YES;

    uint32_t above = value_sets_above(inside, across);
    int32_t step = (int32_t)log2_of(value_set_quantile(across, 500)) -
                   (int32_t)log2_of(value_set_quantile(inside, 500));

    if (above >= SEEN_ABOVE_PERMILLE && step >= SEEN_STEP)
        return AGREEMENT_YES;
    if (!is_doubtful && across->count >= SAME_MIN_VALUES &&
        (step <= EQUAL_STEP || (step <= SAME_STEP && above <= SAME_ABOVE_PERMILLE)))
        return AGREEMENT_NARROWER;
    return AGREEMENT_CANNOT_TELL;
}

static void note_values(struct comparing *comparing, const struct cpumask *claimed)
{
    struct agreement_row *row = comparing->row;
    uint32_t context = context_of(comparing->groups, claimed);

    if (!comparing->inside.count || !comparing->across.count)
        return;
    row->near_ps = value_set_quantile(&comparing->inside, 500);
    row->near_high_ps = value_set_high(&comparing->inside, 0);
    row->far_ps = value_set_quantile(&comparing->across, 500);
    row->far_low_ps = value_set_low(&comparing->across, 0);
    if (context != MEASURED_NONE)
        cpumask_copy(&row->measured_slots, &comparing->groups->groups[context].slots);
    else
        for (uint32_t slot = 0; slot < comparing->results->cpu_count; slot++)
            cpumask_set(&row->measured_slots, slot);
}

/* Masks that no measured border settles are judged together: they are one claim. */
static void judge(struct comparing *comparing, const struct pair_values *values)
{
    const struct claims *claims = comparing->claims;
    bool is_doubtful = comparing->groups->verdict == GROUPS_CANNOT_TELL;
    uint32_t undecided = MEASURED_NONE;

    comparing->inside.count = comparing->across.count = 0;
    for (uint32_t slot = 0; slot < claims->slot_count; slot++) {
        const struct cpumask *claimed = &claims->claimed[slot];
        const struct measured_group *witness = NULL;

        if (!claims_is_first(claims, slot))
            continue;
        comparing->row->claimed_count++;

        enum agreement found = judge_borders(comparing, claimed, &witness);

        if (is_doubtful && weight(found) > weight(AGREEMENT_CANNOT_TELL))
            found = AGREEMENT_CANNOT_TELL;
        if (found == AGREEMENT_NOT_TESTED) {
            collect(comparing, values, claimed);
            undecided = undecided == MEASURED_NONE ? slot : undecided;
        } else if (note(comparing, found, claimed)) {
            note_group(comparing, witness);
        }
    }
    if (undecided != MEASURED_NONE &&
        note(comparing, judge_values(comparing, is_doubtful), &claims->claimed[undecided]))
        note_values(comparing, &claims->claimed[undecided]);
}

static bool add_row(struct comparing *comparing, struct measured_agreement *out,
                    const struct pair_values *values, uint32_t rules_bit)
{
    struct agreement_row *row = comparing->row = &out->rows[out->row_count++];

    *row = (struct agreement_row){.kind = comparing->claims->kind, .rules = rules_bit,
                                  .agreement = AGREEMENT_NOT_TESTED,
                                  .near_ps = MEASURED_NONE, .far_ps = MEASURED_NONE,
                                  .near_high_ps = MEASURED_NONE, .far_low_ps = MEASURED_NONE};
    if (!cpumask_init(&row->claimed_slots, values->cpu_count, comparing->arena) ||
        !cpumask_init(&row->measured_slots, values->cpu_count, comparing->arena))
        return false;
    judge(comparing, values);
    row->is_node_border = row->agreement == AGREEMENT_WIDER &&
                          claims_is_node(comparing->claims, &row->measured_slots);
    return true;
}

/* Rows of one kind: profiles with equal masks share one. */
static bool compare_kind(struct comparing *comparing, const struct pair_values *values,
                         const struct topology *const topologies[], enum topology_mask kind,
                         struct measured_agreement *out, struct arena *scratch)
{
    struct claims claims[RULE_PROFILE_COUNT];
    struct agreement_row *rows[RULE_PROFILE_COUNT] = {0};

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t same = 0;

        if (!topologies[i] || !claims_has_kind(topologies[i], kind))
            continue;
        if (!claims_init(&claims[i], comparing->results, topologies[i], kind, scratch))
            return false;
        while (same < i && !(rows[same] && claims_equal(&claims[same], &claims[i])))
            same++;
        if (same < i) {
            rows[same]->rules |= 1u << i;
            continue;
        }
        comparing->claims = &claims[i];
        if (!add_row(comparing, out, values, 1u << i))
            return false;
        rows[i] = comparing->row;
    }
    return true;
}

bool agreement_build(const struct measured_results *results,
                     const struct topology *const topologies[RULE_PROFILE_COUNT],
                     struct arena *arena, struct arena *scratch, struct measured_agreement *out)
{
    struct pair_values values;
    struct comparing comparing = {.results = results, .groups = results->groups, .arena = arena};
    size_t pairs = (size_t)results->cpu_count * results->cpu_count;

    *out = (struct measured_agreement){
        .rows = ARENA_NEW(arena, struct agreement_row, RULE_PROFILE_COUNT * TOPOLOGY_MASK_KINDS)};
    comparing.inside = (struct value_set){ARENA_NEW(scratch, uint32_t, pairs), 0, (uint32_t)pairs};
    comparing.across = (struct value_set){ARENA_NEW(scratch, uint32_t, pairs), 0, (uint32_t)pairs};
    if (!out->rows || !comparing.inside.ps || !comparing.across.ps ||
        !pair_values_init(&values, results->latency->median_ps, results->cpu_count, scratch))
        return false;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        comparing.has_profile[i] = topologies[i];
        if (topologies[i] && !claims_init(&comparing.profiles[i], results, topologies[i],
                                          TOPOLOGY_SMT, scratch))
            return false;
    }
    for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
        if (!compare_kind(&comparing, &values, topologies, kind, out, scratch))
            return false;
    return true;
}
