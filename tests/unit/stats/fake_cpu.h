/* A machine made of a few CPUID leaves and MSRs, for the tests of kernel/stats. */
#ifndef TESTS_UNIT_STATS_FAKE_CPU_H
#define TESTS_UNIT_STATS_FAKE_CPU_H

#include <string.h>

#include "kernel/facts/machine_facts.h"

enum { FAKE_CPUS = 8, FAKE_ROWS = 16, FAKE_MSRS = 16 };

struct fake_machine {
    struct machine_facts facts;
    struct cpu_facts cpus[FAKE_CPUS];
    uint32_t number[FAKE_CPUS];
    struct cpuid_row rows[FAKE_CPUS][FAKE_ROWS];
    struct msr_row msrs[FAKE_CPUS][FAKE_MSRS];
};

static inline void fake_leaf(struct fake_machine *machine, uint32_t leaf, uint32_t subleaf,
                             uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
{
    for (uint32_t cpu = 0; cpu < machine->facts.cpu_count; cpu++)
        machine->rows[cpu][machine->cpus[cpu].row_count++] =
            (struct cpuid_row){ leaf, subleaf, eax, ebx, ecx, edx };
}

static inline void fake_msr(struct fake_machine *machine, uint32_t cpu, uint32_t address,
                            uint64_t value)
{
    machine->msrs[cpu][machine->cpus[cpu].msr_count++] =
        (struct msr_row){ .address = address, .value = value };
}

/* `vendor` has 12 characters; `signature` is leaf 1 EAX. Leaves 0x0 and 0x80000000
 * say that 0xD and 0x80000008 are the highest. */
static inline void fake_machine_init(struct fake_machine *machine, uint32_t cpu_count,
                                     const char *vendor)
{
    uint32_t words[3];
    memset(machine, 0, sizeof *machine);
    machine->facts.cpus = machine->cpus;
    machine->facts.cpu_count = cpu_count;
    machine->facts.number = machine->number;
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
        machine->number[cpu] = cpu;
        machine->cpus[cpu].state = CPU_ONLINE;
        machine->cpus[cpu].rows = machine->rows[cpu];
        machine->cpus[cpu].msrs = machine->msrs[cpu];
    }
    memcpy(words, vendor, sizeof words);
    fake_leaf(machine, 0, 0, 0xd, words[0], words[2], words[1]);
    fake_leaf(machine, 0x80000000, 0, 0x80000008, 0, 0, 0);
}

#endif
