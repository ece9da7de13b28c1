/* Rows of agreement: each kind of mask once for all profiles that claim the same. */
#include "kernel/stats/agreement.h"

#include "kernel/stats/agreement_claims.h"
#include "kernel/stats/agreement_judge.h"
#include "kernel/stats/groups_values.h"

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
    agreement_judge(comparing, values);
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
