/* Faults and costs injected on purpose, so that tests can show that they are found:
 * inject=KIND:key=value,key=value. A run with one is marked in the report. */
#ifndef KERNEL_OPTIONS_INJECT_H
#define KERNEL_OPTIONS_INJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/input_error.h"

enum { INJECT_MAX_IDS = 16, INJECT_MAX_RANGES = 64, INJECT_NO_GROUP = UINT32_MAX };

enum inject_kind {
    INJECT_SILENT,  /* silent:apic=N        never started: it does not answer */
    INJECT_STUCK,   /* stuck:apic=N         the local APIC takes no message to it */
    INJECT_LATE,    /* late:apic=N,ms=T     checks in T ms late */
    INJECT_FAULT,   /* fault:apic=N,in=PART takes an exception in that part of the run */
    INJECT_SLOW,    /* slow:cpus=A/B/C,ns=T a transfer between two groups costs T ns more */
    INJECT_STRAY_STORE, /* stray-store:at=A   changes the byte at physical address A */
    INJECT_CONTEND, /* contend:cpus=A/B,percent=P  a CPU loses P percent of its speed while
                       another CPU of its group is busy */
    INJECT_SPURIOUS, /* spurious:apic=N     the spurious vectors of the local APIC and an 8259 */
    INJECT_INTERRUPT, /* interrupt:apic=N,vector=V  a message that nobody asked for */
    INJECT_CACHES_OFF, /* caches-off:apic=N   runs with CR0.CD set */
};

/* Where an injected exception happens; capture when it is not said. */
enum inject_part {
    INJECT_IN_CAPTURE,  /* in=capture  while the CPU is read */
    INJECT_IN_MASKS,    /* in=masks    the boot CPU only: while conclusions are drawn */
    INJECT_IN_LATENCY,  /* in=latency  the CPU's first part in a measurement */
    INJECT_IN_BENCH,    /* in=bench    the CPU's first part in clearing pages */
    INJECT_IN_REPORT,   /* in=report   the boot CPU only: while the report is written */
    INJECT_IN_END,      /* in=end      the boot CPU only: after the last page */
};

/* CPUs first ... last belong to group `group` (numbered from 0 as written). */
struct inject_range {
    uint32_t first, last, group;
};

struct inject {
    enum inject_kind kind;
    uint32_t apic_ids[INJECT_MAX_IDS];
    uint32_t apic_id_count;
    struct inject_range ranges[INJECT_MAX_RANGES]; /* logical CPU numbers */
    uint32_t range_count;
    uint32_t ms, ns, percent, vector;
    uint64_t address;       /* physical */
    enum inject_part part;
};

/* Reads "KIND:key=value,...". A piece without "=" goes on with the list before it, so
 * cpus=0,2/1,3,ns=60 is {0,2}, {1,3}. `offset` is where `text` stands in the input. */
bool inject_parse(struct inject *inject, const char *text, uint64_t offset,
                  struct input_error *error);

bool inject_has_apic_id(const struct inject *inject, uint32_t apic_id);
/* The group of a CPU, or INJECT_NO_GROUP for one that is not named. */
uint32_t inject_group(const struct inject *inject, uint32_t cpu);
/* Nanoseconds that this injection adds to a transfer between two CPUs: 0 unless it
 * is `slow` and both are named, in different groups. */
uint32_t inject_pair_ns(const struct inject *inject, uint32_t cpu_a, uint32_t cpu_b);

#endif
