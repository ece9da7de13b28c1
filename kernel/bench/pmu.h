/* Performance counters of one CPU: which there are, which events fit into one pass, and
 * the register accesses to count them. Nothing is multiplexed: a pass counts what its
 * counters hold from its start to its end. Registers are reached through functions, so
 * that tests can look at every access. */
#ifndef KERNEL_BENCH_PMU_H
#define KERNEL_BENCH_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/pmu_events.h"
#include "kernel/facts/machine_facts.h"

enum {
    PMU_MAX_COUNTERS = 32,
    PMU_MAX_SLOTS = 16,       /* events of one pass */
    PMU_MAX_GROUPS = 16,
    PMU_MAX_TOUCHED = 64,     /* registers that one pass changes */
    PMU_FIXED_COUNTERS = 3,   /* instructions, core cycles, cycles at the TSC rate */
};

/* On the CPU whose counters are meant. False: the access faulted. */
struct pmu_registers {
    void *context;
    bool (*read)(void *context, uint32_t address, uint64_t *value);
    bool (*write)(void *context, uint32_t address, uint64_t value);
    /* A register of PCI 00:00.0, and device registers that are only read; NULL: no room. */
    bool (*read_host_bridge)(void *context, uint32_t offset, uint32_t *value);
    const volatile uint8_t *(*map)(void *context, uint64_t physical, uint64_t bytes);
};

/* One event in its counter. */
struct pmu_slot {
    const struct pmu_event *event;
    uint32_t counter;
    bool is_fixed;
    uint32_t event_code;      /* of the second offcore register it is another one */
    uint32_t extra_msr;       /* 0: none */
};

/* What one pass counts. The first base_count slots are the same in every group. */
struct pmu_group {
    struct pmu_slot slots[PMU_MAX_SLOTS];
    uint32_t count, base_count;
};

struct pmu;

struct pmu_driver {
    const char *name;         /* "Intel architectural" */
    /* Programs and starts the counters from 0. False: an access faulted. */
    bool (*start)(struct pmu *pmu, const struct pmu_group *group);
    /* Stops and reads them; a counter that wrapped reads UINT64_MAX. */
    bool (*stop)(struct pmu *pmu, const struct pmu_group *group, uint64_t *counts);
};

struct pmu {
    const struct pmu_driver *driver;
    struct pmu_registers registers;
    const struct machine_facts *facts;
    const struct cpu_facts *cpu;
    uint32_t version;         /* Intel: CPUID 0xA; AMD: 2 with PerfMonV2, 1 with six counters, 0 */
    uint32_t counters;        /* bit n: general counter n */
    uint32_t fixed;           /* bit n: fixed counter n, of the first three */
    uint32_t width;           /* bits */
    bool is_full_width;       /* Intel: 0x4C1 + n takes all bits */
    char text[120];           /* what was found, or why nothing can be counted */
    struct { uint32_t address; uint64_t before; } touched[PMU_MAX_TOUCHED];
    uint32_t touched_count;
};

/* False: pmu->text says why nothing is counted. A CPU on which somebody else, such as
 * the firmware, counts is left alone entirely. */
bool pmu_find(struct pmu *pmu, const struct machine_facts *facts, const struct cpu_facts *cpu,
              const struct pmu_registers *registers);

/* Distributes the events of these names that the CPU has, in their order. Returns the
 * number of groups. */
uint32_t pmu_plan(const struct pmu *pmu, const char *const *names, uint32_t name_count,
                  struct pmu_group *groups);

bool pmu_start(struct pmu *pmu, const struct pmu_group *group);
/* Afterwards every register is as pmu_start() found it. */
bool pmu_stop(struct pmu *pmu, const struct pmu_group *group, uint64_t *counts);

/* --- for the drivers ------------------------------------------------------------------ */

extern const struct pmu_driver pmu_intel, pmu_amd;
bool pmu_find_intel(struct pmu *pmu);
bool pmu_find_amd(struct pmu *pmu);

/* Writes and remembers what was there before. */
bool pmu_set(struct pmu *pmu, uint32_t address, uint64_t value);
/* Writes what was there back, last one first. */
bool pmu_restore(struct pmu *pmu);
/* Is that bit set in a register? One that faults has none. */
bool pmu_is_set(const struct pmu *pmu, uint32_t address, uint64_t bits, uint64_t *value);
/* Does the register keep a value? Some emulators take every write and forget it. */
bool pmu_keeps(struct pmu *pmu, uint32_t address, uint64_t value);
/* False, with the sentence "firmware uses …" in pmu->text. */
bool pmu_say_used(struct pmu *pmu, uint32_t address, uint64_t value);

/* Select register bits that both vendors share. [intel/vol3 21.2.1], [amd/vol2 13.2.1] */
#define PMU_SELECT_KERNEL (1ull << 17)
#define PMU_SELECT_ENABLE (1ull << 22)
uint64_t pmu_select(const struct pmu_slot *slot);

#endif
