/* What is read around each timed sample: the SMI count, the core's own clock, the
 * thermal state. Which of them a CPU has is found out once. */
#ifndef KERNEL_BENCH_CLOCKS_H
#define KERNEL_BENCH_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"
#include "kernel/facts/machine_facts.h"

struct clocks {
    bool has_smi_count;    /* MSR 0x34 */
    bool has_core_clock;   /* APERF and MPERF */
    bool has_thermal;      /* IA32_THERM_STATUS */
    uint64_t tsc_hz;
};

/* Nothing is read under a hypervisor: what it shows there is not the machine's. */
void clocks_find(struct clocks *clocks, const struct machine_facts *facts,
                 const struct cpu_facts *cpu, uint64_t tsc_hz);

/* timed_pass() with the reads between the samples. */
void clocks_time_pass(const struct clocks *clocks, const struct timed_pass *pass,
                      struct engine_marks *marks);

#endif
