/* What the parts of a measurement share: the job, the clock that bounds them, and how
 * to run something on two CPUs. */
#ifndef KERNEL_MEASURE_MEASURING_H
#define KERNEL_MEASURE_MEASURING_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/measure/measure.h"
#include "kernel/smp/smp.h"

enum {
    LINE_BYTES = 64,
    MEASURING_MAX_SAMPLES = 1024,
};

struct measuring {
    const struct measure_job *job;
    struct measured_results *results;
    struct arena *arena;
    uint64_t start_cycles, end_cycles;
    uint32_t part, part_count; /* for the progress lines */
    int64_t samples[MEASURING_MAX_SAMPLES];
    struct cpumask pair;       /* indexes of facts */
};

/* After everything before it: what is timed cannot begin earlier. */
static inline uint64_t measuring_stamp(void)
{
    __asm__ volatile("lfence" ::: "memory");
    return tsc_read();
}

static inline void measuring_flush(const void *line)
{
    __asm__ volatile("clflush (%0)" : : "r"(line) : "memory");
}

bool measuring_has_time(struct measuring *measuring);
void measuring_tell(struct measuring *measuring, uint64_t done, uint64_t total);

/* Runs `function` on one or two slots at once. False: one did not finish in time. */
bool measuring_on(struct measuring *measuring, uint32_t slot, smp_function function,
                  void *context);
bool measuring_on_pair(struct measuring *measuring, uint32_t slot_a, uint32_t slot_b,
                       smp_function function, void *context);

/* A time for one try: short on hardware, longer where a virtual CPU may not be running. */
uint64_t measuring_limit(const struct measuring *measuring, uint64_t hardware_us,
                         uint64_t virtual_us);

uint32_t measuring_fact(const struct measuring *measuring, uint32_t slot);
int32_t measuring_node(const struct measuring *measuring, uint32_t slot);
/* Memory on the node of that CPU, or the largest piece there is. */
const struct measure_memory *measuring_memory(const struct measuring *measuring, uint32_t slot);

/* The parts. False: the arena or the memory is too small. */
bool measure_tsc(struct measuring *measuring);
bool measure_latency(struct measuring *measuring);
bool measure_groups(struct measuring *measuring);
bool measure_contention(struct measuring *measuring);
bool measure_llc(struct measuring *measuring);
bool measure_migration(struct measuring *measuring);
bool measure_noise(struct measuring *measuring);
bool measure_cycles(struct measuring *measuring);

#endif
