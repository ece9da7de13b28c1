/* The clear_page bench in the image: memory, clocks and CPUs for the engine. */
#ifndef KERNEL_BENCH_BENCH_H
#define KERNEL_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_places.h"
#include "kernel/stats/bench_setup.h"

struct bench_job {
    const struct machine_facts *facts;
    const char *const *profiles;  /* oldest first */
    uint32_t profile_count;
    uint64_t physical, bytes;     /* one granted range for the regions */
    uint32_t map;                 /* bit 0: 4K, 1: 2M, 2: 1G; 0: the largest pages there are */
    const struct bench_group *groups; /* more than one CPU each; may be none */
    uint32_t group_count;
    struct plan_request wishes;   /* sizes, extents, chosen_variants, blocks, budget, seed, node */
    void (*progress)(void *context, uint32_t percent, uint64_t left_us);
    void *progress_context;
};

/* Plans, verifies, times and judges on the boot CPU. False: *why says what was missing
 * or wrong; *results then holds what there is. Takes all memory before it times. */
bool bench_run(const struct bench_job *job, struct arena *arena, struct bench_results *results,
               const char **why);

#endif
