/* Several CPUs clearing at once, from one common start by the TSC. */
#ifndef KERNEL_BENCH_TOGETHER_H
#define KERNEL_BENCH_TOGETHER_H

#include <stdint.h>

#include "kernel/bench/clear_page.h"
#include "kernel/lib/cpumask.h"
#include "kernel/smp/smp.h"
#include "kernel/stats/bench_results.h"

/* One CPU's part; each CPU writes only its own. */
struct together_share {
    uint32_t slot;          /* which slice of the region; UINT32_MAX: takes no part */
    uint64_t start_cycles, end_cycles;
    bool is_done;
} __attribute__((aligned(64)));

struct together {
    struct together_share *shares;  /* by CPU index */
    uint32_t share_count;
};

/* Each CPU of `cpus` makes its slice of the region dirty, waits for the common start,
 * and clears it once, extent by extent in order. Returns the TSC cycles from the start
 * to the last CPU's end, for one extent of all, in 1/256; 0: some CPU did not finish. */
uint64_t together_clear(struct together *together, const struct cpumask *cpus,
                        const struct bench_setting *setting, const struct timed_pass *pass,
                        uint64_t tsc_hz, struct bench_cell *cell);

#endif
