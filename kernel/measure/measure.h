/* Measures what the masks claim: latencies, contention, cache sharing, migration,
 * clocks, noise, and CPUs going away and coming back. */
#ifndef KERNEL_MEASURE_MEASURE_H
#define KERNEL_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"
#include "kernel/smp/smp.h"
#include "kernel/stats/measured_results.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

/* Memory of one node that may be written, for the lines that CPUs exchange. */
struct measure_memory {
    int32_t node;   /* -1: not known */
    uint8_t *bytes; /* write-back, aligned to a page */
    uint64_t size_bytes;
};

/* Costs added on purpose to show that they are found. NULL functions: none. */
struct measure_inject {
    const void *context;
    uint32_t (*pair_ns)(const void *context, uint32_t cpu_a, uint32_t cpu_b);
    uint32_t (*contend_percent)(const void *context, uint32_t cpu_a, uint32_t cpu_b);
    const char *text;
};

struct measure_job {
    const struct machine_facts *facts;
    const struct topology *topologies[RULE_PROFILE_COUNT]; /* NULL: not built */
    const struct topology *topology;  /* the newest of them */
    const struct smp_cpu *started;    /* as facts->cpus: how each CPU's last start went */
    const struct cpumask *cpus;       /* indexes into facts->cpus; those that run are taken */
    const struct measure_memory *memory;
    uint32_t memory_count;            /* the largest piece first */
    uint64_t seed, budget_ms;
    bool has_latency, has_cycles;
    uint32_t cycles;
    uint16_t pm_timer_port;           /* 0: none */
    bool is_pm_timer_32bit;
    struct measure_inject inject;
    void (*progress)(void *context, uint32_t percent, uint64_t left_ms);
    void *progress_context;
};

/* Fills *results; parts that were not asked for, or had no time, are NULL. False: the
 * arena or the memory is too small, *why says which. */
bool measure_run(const struct measure_job *job, struct arena *arena,
                 struct measured_results *results, const char **why);

#endif
