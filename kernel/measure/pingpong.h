/* One cache line that two CPUs hand to each other and back. */
#ifndef KERNEL_MEASURE_PINGPONG_H
#define KERNEL_MEASURE_PINGPONG_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/atomic.h"
#include "kernel/smp/smp.h"

struct pingpong {
    _Atomic uint32_t *line;    /* alone in its pair of cache lines, zero at the start */
    uint32_t from_fact;        /* writes first and holds the clock */
    uint32_t sample_count, round_trips;
    uint64_t limit_cycles;     /* for all of it */
    bool is_polite;            /* PAUSE while waiting, as a virtual CPU should */
    struct smp_barrier barrier;
    int64_t *samples;          /* cycles of `round_trips` round trips each */
    uint32_t done_count;       /* samples that were finished in time */
};

/* Runs on both CPUs; the context is the struct. */
void pingpong_run(uint32_t cpu, void *context);

#endif
