/* Vendor, family and model of a CPU as the manuals compute them. */
#ifndef KERNEL_STATS_CPU_MODEL_H
#define KERNEL_STATS_CPU_MODEL_H

#include <stdint.h>

#include "kernel/facts/machine_facts.h"

enum cpu_vendor { CPU_INTEL, CPU_AMD, CPU_HYGON, CPU_CENTAUR, CPU_ZHAOXIN, CPU_OTHER };

struct cpu_model {
    enum cpu_vendor vendor;
    uint32_t family, model, stepping;
    uint32_t signature; /* leaf 1 EAX */
};

struct cpu_model cpu_model_of(const struct machine_facts *facts, const struct cpu_facts *cpu);

#endif
