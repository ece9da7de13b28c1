/* Counter passes of the bench: after the timed blocks, never in them. */
#ifndef KERNEL_BENCH_COUNTERS_H
#define KERNEL_BENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"
#include "kernel/bench/pmu.h"
#include "kernel/bench/pmu_uncore.h"
#include "kernel/stats/bench_counters.h"

struct counters {
    struct pmu pmu;
    struct pmu_group groups[PMU_MAX_GROUPS];
    uint32_t group_count;
    struct pmu_uncores uncores;
    struct bench_counters told;
};

/* Looks for counters on the CPU it runs on; `cpu` are that CPU's facts. */
void counters_find(struct counters *counters, const struct machine_facts *facts,
                   const struct cpu_facts *cpu);

/* Counts every variant of the declared settings, pass by pass, until `end_us` of the
 * engine's clock. False: the arena is full. */
bool counters_run(struct counters *counters, struct engine *engine, uint64_t end_us,
                  struct arena *arena);

#endif
