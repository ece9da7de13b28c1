/* Sizes of the caches that the newest profile declares for a CPU. */
#ifndef KERNEL_MEASURE_CACHES_H
#define KERNEL_MEASURE_CACHES_H

#include <stdint.h>

#include "kernel/topology/topology.h"

/* The largest data or unified cache of the highest level; 0: none declared. */
uint64_t caches_last_bytes(const struct topology_cpu *cpu);
/* The level below it; 0: none. */
uint64_t caches_middle_bytes(const struct topology_cpu *cpu);

#endif
