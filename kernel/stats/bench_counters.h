/* What performance counters say about the variants, and whether it agrees with what is
 * known: how many lines were cleared. Counted in passes of their own, never in those
 * that are timed. */
#ifndef KERNEL_STATS_BENCH_COUNTERS_H
#define KERNEL_STATS_BENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"

struct bench_results;

enum { BENCH_COUNTERS_MAX_EVENTS = 48 };

/* One row of the counters' table; a generic name means another thing on every CPU. */
struct bench_counted_event {
    const char *generic;   /* "cache-misses" */
    const char *name;      /* "LONGEST_LAT_CACHE.MISS" */
    uint32_t event, umask;
    uint32_t pass;         /* events of one pass were counted over the same instants */
    bool is_fixed;         /* in a fixed or free-running counter: no select code */
    const char *unit;      /* "core", or what CPUs share: "L3", "UMC" */
};

/* One variant under one setting. */
struct bench_counted {
    uint32_t cell;         /* index into bench_results.cells */
    uint64_t lines;        /* of 64 bytes, cleared by each pass */
    uint64_t counts[BENCH_COUNTERS_MAX_EVENTS]; /* UINT64_MAX: not counted, or it wrapped */
};

/* The number of a thing per cleared line, known before and counted. */
struct bench_closure {
    uint32_t cell, event;  /* indexes into cells and events */
    const char *quantity;  /* "instructions", "stores", "fills", "streaming", "dram-reads" … */
    uint64_t low_milli, high_milli, seen_milli; /* per line, in 1/1000 */
    bool is_met;
};

struct bench_counters {
    const char *pmu;       /* what was found: "AMD PerfMonV2: 6 counters of 48 bits" */
    const char *why_none;  /* NULL, or why nothing was counted */
    const char *memory;    /* what counts DRAM traffic; NULL: nothing does, says why_no_memory */
    const char *why_no_memory;
    struct bench_counted_event events[BENCH_COUNTERS_MAX_EVENTS];
    uint32_t event_count;
    uint32_t passes;       /* per variant */
    struct bench_counted *cells;
    uint32_t cell_count;
    uint32_t left_out;     /* variants that the budget left no time for */
    struct bench_closure *closures;
    uint32_t closure_count;
};

/* Compares the counts of extents of 2 MiB and more with what is known of each variant.
 * False: the arena is full. [clear 3.8.5] */
bool bench_closure_check(const struct bench_results *results, struct bench_counters *counters,
                         struct arena *arena);

#endif
