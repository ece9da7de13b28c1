/* What performance counters can count on which CPU: the table made from
 * pmu-events.csv by pmu-events.awk when the image is built. */
#ifndef KERNEL_BENCH_PMU_EVENTS_H
#define KERNEL_BENCH_PMU_EVENTS_H

#include <stdint.h>

#include "kernel/facts/machine_facts.h"

enum {
    PMU_MAX_FAMILIES = 8, PMU_MAX_RANGES = 8,
    PMU_MSR_OFFCORE = 1,                 /* pmu_event.extra_msr: 0x1A6 or 0x1A7, chosen with the counter */
    PMU_FAMILY_15H_LOW = 1 << 15,        /* pmu_event.counters: 0 to 2 on family 15h, any elsewhere */
};

struct pmu_range {
    uint8_t first, last;  /* 0, 0: not used, unless it is the first */
};

/* CPUs that share a list of events. */
struct pmu_model {
    const char *vendor;
    struct pmu_range families[PMU_MAX_FAMILIES], models[PMU_MAX_RANGES];
    uint8_t first_stepping, last_stepping;
    uint8_t core_type;    /* leaf 0x1A EAX[31:24]; 0: any */
    uint8_t version;      /* not 0: Intel's architectural events, from that version on */
};

struct pmu_event {
    const char *generic;  /* "cache-misses", "ct:l2-rfo-all": the row's name in the report */
    const char *name;     /* what it counts here: "LONGEST_LAT_CACHE.MISS" */
    uint16_t event;       /* there are a thousand of these: the fields are no wider than needed */
    uint8_t umask, cmask, is_edge, is_inverted;
    int8_t missing_bit;   /* leaf 0xA EBX: 1 says that the event is not there; -1: not asked */
    uint8_t model;        /* index into pmu_models */
    uint8_t extra;        /* index into pmu_extras: what extra_msr gets, or what else AMD's shared
                           * selects hold */
    uint16_t counters;    /* bit n: counter n can; 0: all can */
    uint16_t extra_msr;   /* to be set as well, 0: none */
};

extern const struct pmu_model pmu_models[];
extern const uint32_t pmu_model_count;
extern const struct pmu_event pmu_events[];
extern const uint32_t pmu_event_count;
extern const uint64_t pmu_extras[]; /* the first one is 0 */

/* The event of that name on this CPU: its model's, else the architectural one, else
 * NULL. */
const struct pmu_event *pmu_event_find(const struct machine_facts *facts,
                                       const struct cpu_facts *cpu, const char *generic);

#endif
