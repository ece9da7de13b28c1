/* The plan of a run: which variants are compared under which conditions, in how
 * many blocks, so that it fits the memory and the time budget. Deterministic:
 * the same request gives the same plan. */
#ifndef KERNEL_STATS_PLAN_H
#define KERNEL_STATS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/stats/bench_results.h"
#include "kernel/stats/shift.h"

enum {
    PLAN_DEFAULT_BLOCKS = 30,
    PLAN_EXTENDED_BLOCKS = SHIFT_MAX_PAIRS, /* that a wide spread may lead to, doubling */
    PLAN_MIN_BLOCKS = 8,     /* fewer cannot reach p < 0.01 [clear 4.2] */
    PLAN_MAX_BLOCKS = SHIFT_MAX_PAIRS,
    PLAN_MAX_SAMPLES = 4096, /* of one pass */
};

/* CPUs that clear at the same time, and their words for the report. */
struct plan_placement {
    enum bench_placement kind;
    uint32_t cpu_count;
};

/* Memory of another node than the one most settings are about. */
struct plan_memory {
    int32_t node;
    uint64_t usable_bytes;
    const uint64_t *pages;            /* as plan_request.pages */
    uint32_t page_count;
};

struct plan_request {
    const struct clear_variant *variants;
    uint32_t variant_count;
    const bool *is_runnable;          /* per variant */
    uint64_t chosen_variants;         /* bit i: variants[i]; 0: the plan chooses */
    uint32_t pick;                    /* index of the newest kernel's pick */
    const uint64_t *sizes;            /* region sizes; count 0: the plan chooses */
    uint32_t size_count;
    const uint64_t *extents;
    uint32_t extent_count;
    const uint64_t *pages;            /* page sizes of mappings that can be had, smallest first */
    uint32_t page_count;
    bool is_every_page;               /* asked for by name: each size is a setting of its own */
    const struct plan_placement *placements; /* the first one is "one" */
    uint32_t placement_count;
    const struct plan_memory *others; /* one setting each */
    uint32_t other_count;
    bool has_remote_cpu;              /* one of another node: it can make lines dirty */
    enum bench_state state;
    int32_t node;
    uint32_t blocks;                  /* 0: PLAN_DEFAULT_BLOCKS, fewer when time is short */
    uint64_t budget_us;
    uint64_t reserve_us;              /* of the budget, for what is measured after the blocks */
    uint64_t seed;
    uint64_t usable_bytes;            /* largest contiguous piece of memory */
    uint64_t cache_bytes;             /* L2 + L3 in reach of one CPU; 0: not known */
    uint64_t assumed_bytes_per_s;     /* preparing and clearing together, one CPU */
};

/* Fills plan, settings and cells (their blocks allocated) of *out. False: the
 * arena is full, or nothing that was asked for can be run; *why says which. */
bool plan_build(const struct plan_request *request, struct arena *arena,
                struct bench_results *out, const char **why);

/* Time of one block of all settings, by the assumed rate. */
uint64_t plan_block_us(const struct plan_request *request, const struct bench_results *plan);

#endif
