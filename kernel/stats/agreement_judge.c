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
#include "kernel/stats/agreement_judge.h"

enum {
    SEEN_ABOVE_PERMILLE = 900,  /* of the values across exceed one inside: the border is there */
    SEEN_STEP = 100,            /* and the medians are 7 % apart */
    SAME_ABOVE_PERMILLE = 700,  /* up to here both are one population … */
    SAME_STEP = 120,            /* with medians within 8 %, */
    EQUAL_STEP = 50,            /* or within 3 %, however small the noise */
    SAME_MIN_VALUES = 4,
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

/* The measured group that contradicts the mask most clearly, else one that is equal to
 * it: two caches behind one claimed mask contradict it even where it is a package. */
static enum agreement judge_borders(const struct comparing *comparing,
                                    const struct cpumask *claimed,
                                    const struct measured_group **witness)
{
    enum agreement worst = AGREEMENT_NOT_TESTED;

    for (uint32_t i = 0; i < comparing->groups->group_count; i++) {
        const struct measured_group *group = &comparing->groups->groups[i];
        enum agreement found = relation(comparing, claimed, &group->slots);

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
void agreement_judge(struct comparing *comparing, const struct pair_values *values)
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
