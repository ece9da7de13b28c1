/* Which cells of a run are compared, and what becomes of each comparison when
 * clocks, interrupts of the firmware or the control speak against a verdict. */
#ifndef KERNEL_STATS_COMPARISONS_H
#define KERNEL_STATS_COMPARISONS_H

#include <stdint.h>

#include "kernel/stats/bench_results.h"
#include "kernel/stats/verdict.h"

/* In every setting: same against same, then the pick (or the first variant, when
 * the pick is not measured) against every other. results->verdicts must have room
 * for one per cell; results->delta_ppm and the cells' summaries have to be there. */
void comparisons_decide(struct bench_results *results, struct verdict_scratch *scratch);

/* The most blocks that a comparison of this setting needs to show a difference of
 * delta. By the spread alone, never by the difference itself, so that running on
 * until it is reached does not favour a verdict. */
uint32_t comparisons_blocks_needed(const struct bench_results *results, uint32_t setting);

#endif
