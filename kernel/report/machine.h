/* What a person calls the machine: the names and numbers that CPUID, the firmware
 * and the memory map give it. */
#ifndef KERNEL_REPORT_MACHINE_H
#define KERNEL_REPORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"

struct machine_cpu {
    char vendor[13];       /* "GenuineIntel"; empty: leaf 0 is absent */
    char brand[49];        /* without the blanks around it; empty: no brand leaves */
    bool has_signature;    /* leaf 1 */
    uint32_t signature;    /* leaf 1 EAX */
    uint32_t family, model, stepping;
    bool has_microcode;    /* MSR 0x8B was read */
    uint32_t microcode;
    bool is_virtual;       /* leaf 1 ECX[31] */
    char hypervisor[13];   /* leaf 0x40000000; empty: not recorded */
};

void machine_describe_cpu(const struct machine_facts *facts, const struct cpu_facts *cpu,
                          struct machine_cpu *out);

/* True when the boot CPU says that it runs under a hypervisor or an emulator. */
bool machine_is_virtual(const struct machine_facts *facts);

/* CPUs of one outcome. */
uint32_t machine_count_cpus(const struct machine_facts *facts, enum cpu_state state);

/* "performance" or "efficiency" where the CPU says that its machine has several kinds
 * of core; NULL where it does not. */
const char *machine_core_type(const struct machine_facts *facts, const struct cpu_facts *cpu);

/* "IntelCore" or "IntelAtom" by leaf 0x1A; NULL: the CPU does not say it. */
const char *machine_intel_core_type(const struct machine_facts *facts,
                                    const struct cpu_facts *cpu);

/* Kinds of memory in the map, as the firmware listed it. */
struct memory_kind {
    const char *name;
    const char *use;       /* what is done with it: "measured", or why it is left alone */
    uint64_t bytes;
    uint32_t range_count;
};
enum { MACHINE_MAX_MEMORY_KINDS = 16 };
/* Fills kinds[] in a fixed order, empty ones left out; returns their number. */
uint32_t machine_memory_kinds(const struct machine_facts *facts,
                              struct memory_kind kinds[MACHINE_MAX_MEMORY_KINDS]);

#endif
