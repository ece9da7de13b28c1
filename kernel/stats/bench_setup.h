/* From facts and wishes to a plan that can be run, and from measured cells to
 * verdicts: the steps around the engine that need no hardware. */
#ifndef KERNEL_STATS_BENCH_SETUP_H
#define KERNEL_STATS_BENCH_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_results.h"
#include "kernel/stats/plan.h"
#include "kernel/stats/verdict.h"
#include "kernel/stats/void_conditions.h"

enum { BENCH_SETUP_DELTA_PPM = 20000 }; /* 2 % of time [clear 4.4] */

struct bench_setup {
    const struct machine_facts *facts;
    const struct void_registers *registers;  /* per facts->cpus[], or NULL */
    uint64_t xcr0;                           /* as the bench will have it */
    const char *const *profiles;             /* oldest first; the last pick is the reference */
    uint32_t profile_count;
    bool is_hosted;
    uint64_t tsc_hz;
    struct plan_request request;             /* variants, wishes, memory; the rest is filled here */
    bool *is_runnable;                       /* made here */
    struct verdict_scratch *scratch;         /* made here */
};

/* Fills *results up to the plan. False: nothing can be run; *why says why. */
bool bench_setup_plan(struct bench_setup *setup, struct arena *arena,
                      struct bench_results *results, const char **why);

/* After the engine: plausibility and verdicts. */
void bench_setup_judge(const struct bench_setup *setup, struct arena *arena,
                       struct bench_results *results);

#endif
