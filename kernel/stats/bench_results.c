/* The words for what the bench knows as numbers. */
#include "kernel/stats/bench_results.h"

const char *bench_flag_name(enum bench_flag flag)
{
    static const char *const names[BENCH_FLAG_COUNT] = {
        [BENCH_FLAG_SMI] = "smi",           [BENCH_FLAG_FREQUENCY] = "frequency",
        [BENCH_FLAG_THERMAL] = "thermal",   [BENCH_FLAG_OVERFLOW] = "overflow",
        [BENCH_FLAG_PREEMPTED] = "preempted", [BENCH_FLAG_FIRST] = "first",
        [BENCH_FLAG_UNEXPLAINED] = "unexplained",
    };
    return flag < BENCH_FLAG_COUNT ? names[flag] : "unknown";
}

const char *bench_state_name(enum bench_state state)
{
    static const char *const names[BENCH_STATE_COUNT] = {
        [BENCH_STATE_DIRTY] = "dirty",
        [BENCH_STATE_COLD] = "cold",
        [BENCH_STATE_DIRTY_REMOTE] = "dirty-remote",
        [BENCH_STATE_ZERO] = "zero",
    };
    return state < BENCH_STATE_COUNT ? names[state] : "unknown";
}

const char *bench_placement_name(enum bench_placement place)
{
    static const char *const names[BENCH_PLACE_COUNT] = {
        [BENCH_PLACE_ONE] = "one",         [BENCH_PLACE_PER_CORE] = "per-core",
        [BENCH_PLACE_SIBLINGS] = "siblings", [BENCH_PLACE_PER_LLC] = "per-llc",
        [BENCH_PLACE_ALL] = "all",
    };
    return place < BENCH_PLACE_COUNT ? names[place] : "unknown";
}

const char *bench_outcome_name(enum bench_outcome outcome)
{
    switch (outcome) {
    case BENCH_DIFFERENT: return "DIFFERENT";
    case BENCH_EQUIVALENT: return "EQUIVALENT";
    case BENCH_INCONCLUSIVE: return "INCONCLUSIVE";
    case BENCH_NO_VERDICT: return "NO VERDICT";
    }
    return "unknown";
}

const char *bench_comparison_name(enum bench_comparison kind)
{
    switch (kind) {
    case BENCH_PRIMARY: return "primary";
    case BENCH_EXPLORATORY: return "exploratory";
    case BENCH_SAME_AGAINST_SAME: return "same-against-same";
    }
    return "unknown";
}
