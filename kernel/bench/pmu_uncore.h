/* Counters that CPUs share: of a last-level cache, of AMD's data fabric and of the memory
 * controllers. A CPU counts those of its own cache and package. [clear 3.7] */
#ifndef KERNEL_BENCH_PMU_UNCORE_H
#define KERNEL_BENCH_PMU_UNCORE_H

#include "kernel/bench/pmu.h"

enum {
    PMU_UNCORE_UNITS = 2,     /* the last-level cache and one that sees DRAM */
    PMU_UNCORE_ROWS = 2,
    PMU_UNCORE_SLOTS = 32,    /* counters of one pass */
};

enum pmu_uncore_kind { PMU_UNCORE_L3, PMU_UNCORE_FABRIC, PMU_UNCORE_UMC, PMU_UNCORE_IMC };

/* One unit. A row is the sum of its counters, of all controllers and channels. */
struct pmu_uncore {
    enum pmu_uncore_kind kind;
    const char *name;         /* "UMC" */
    const struct pmu_event *rows[PMU_UNCORE_ROWS];
    uint32_t row_count;
    uint32_t slots, passes;   /* counters of a pass; passes until every row is whole */
    uint32_t per_controller;  /* UMC: counters of each */
    uint32_t read_offset, write_offset; /* IMC: in the first controller's registers */
    const volatile uint8_t *bar;
    uint32_t before[PMU_UNCORE_SLOTS];
};

struct pmu_uncores {
    struct pmu_uncore units[PMU_UNCORE_UNITS];
    uint32_t count;
    bool has_memory;          /* one of them sees DRAM */
    char text[160];           /* what sees DRAM, or why nothing does */
};

/* What the CPU that it runs on reaches, with the registers of `pmu`. A unit of which one
 * counter is enabled is left alone entirely. */
void pmu_uncore_find(struct pmu *pmu, struct pmu_uncores *found);

/* One pass of a unit: counts from 0. False: an access faulted, everything is as it was. */
bool pmu_uncore_start(struct pmu *pmu, struct pmu_uncore *unit, uint32_t pass);

/* Adds to `rows` what the pass counted. Afterwards every register is as the start found it. */
bool pmu_uncore_stop(struct pmu *pmu, struct pmu_uncore *unit, uint32_t pass, uint64_t *rows);

/* --- for the files of it ---------------------------------------------------------------- */

/* The free-running counters of Intel's client parts. False: `found->text` says why not. */
bool pmu_imc_find(const struct pmu *pmu, struct pmu_uncores *found);
uint32_t pmu_imc_read(const struct pmu_uncore *unit, uint32_t slot);

#endif
