/* Finds groups of CPUs in a matrix of transfer times: sets whose members are
 * nearer to each other than to anybody else, by more than the noise explains.
 * Where the distributions overlap it says so instead of guessing. */
#ifndef KERNEL_STATS_GROUPS_H
#define KERNEL_STATS_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/stats/measured_results.h"

/* `median_ps` is [from * cpu_count + to], MEASURED_NONE where nothing was measured;
 * cpu_count is at least 1. `is_sampled`: pairs were left out on purpose, so that two
 * groups without a measured pair between them are no reason for doubt. `scratch` may
 * be reset afterwards. False: an arena is full. */
bool groups_find(const uint32_t *median_ps, uint32_t cpu_count, bool is_sampled,
                 struct arena *arena, struct arena *scratch, struct measured_groups *out);

/* The narrowest measured group that holds `slot`, or MEASURED_NONE. */
uint32_t groups_narrowest(const struct measured_groups *groups, uint32_t slot);

#endif
