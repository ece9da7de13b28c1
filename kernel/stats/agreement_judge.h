/* Judges the claimed masks of one kind and profile against measured groups. */
#ifndef KERNEL_STATS_AGREEMENT_JUDGE_H
#define KERNEL_STATS_AGREEMENT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/agreement_claims.h"
#include "kernel/stats/groups_values.h"
#include "kernel/stats/measured_results.h"
#include "kernel/topology/rules.h"

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

/* Fills comparing->row from comparing->claims. */
void agreement_judge(struct comparing *comparing, const struct pair_values *values);

#endif
