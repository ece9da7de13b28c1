/* The clear_page bench in the image: memory, clocks and CPUs for the engine. */
#ifndef KERNEL_BENCH_BENCH_H
#define KERNEL_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"
#include "kernel/bench/windows.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_places.h"
#include "kernel/stats/bench_setup.h"
#include "kernel/stats/bench_tables.h"

struct bench_job {
    const struct machine_facts *facts;
    const char *const *profiles;  /* oldest first */
    uint32_t profile_count;
    const struct bench_memory *memory; /* of each node; the first is what most settings use */
    uint32_t memory_count;
    uint32_t at[ENGINE_PLACE_COUNT]; /* CPUs, indexes into facts->cpus; FACTS_NO_CPU: none */
    bool has_remote_node;         /* at[ENGINE_AT_REMOTE] is of another node */
    uint32_t map;                 /* bit 0: 4K, 1: 2M, 2: 1G; 0: the largest pages there are */
    const struct bench_group *groups; /* more than one CPU each; may be none */
    uint32_t group_count;
    enum bench_table table;       /* sets sizes and extents that the wishes leave open */
    struct plan_request wishes;   /* sizes, extents, chosen_variants, blocks, budget, seed, node */
    void (*progress)(void *context, uint32_t percent, uint64_t left_us);
    void *progress_context;
};

/* Plans, verifies and judges on the boot CPU, times on at[ENGINE_AT_CLEARING].
 * False: *why says what was missing or wrong; *results then holds what there is. Takes
 * all memory before it times. */
bool bench_run(const struct bench_job *job, struct arena *arena, struct bench_results *results,
               const char **why);

#endif
