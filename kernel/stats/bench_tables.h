/* The tables that the lists have known since 2020: what each of them measures, and the
 * values that were published for a family. [clear 2.1, 2.2] */
#ifndef KERNEL_STATS_BENCH_TABLES_H
#define KERNEL_STATS_BENCH_TABLES_H

#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/stats/plan.h"

/* In the order of the option's words. */
enum bench_table {
    BENCH_TABLE_NONE,
    BENCH_TABLE_SIZES,   /* size by variant, with pstdev and speedup: the patches of 2020 */
    BENCH_TABLE_WALK,    /* 128 GiB in pages of 1G, with counters: the same */
    BENCH_TABLE_CHUNKS,  /* bytes per call from 4K to 1G: the series of 2022 */
};

const char *bench_table_name(enum bench_table table); /* "none", "sizes", … */

/* Sizes and extents of that table, unless they are asked for. Returns the bits of `map`
 * that it needs (0: none), `map` when that is asked for. */
uint32_t bench_table_apply(enum bench_table table, uint32_t map, struct plan_request *request);

/* A published value for this CPU's family. */
struct bench_published {
    const char *family;      /* "Rome" */
    const char *source;      /* "A. Arora, 14 Oct 2020" */
    uint32_t hundredths;
    uint32_t to_hundredths;  /* 0: one value, else a range up to here was posted */
    const char *unit;        /* "GiB/s", or "MB/s" as it was posted */
};

/* False: none is known for that variant there. `row_bytes` is the size, or the bytes of
 * one call with BENCH_TABLE_CHUNKS. */
bool bench_published_find(const struct machine_facts *facts, const struct cpu_facts *cpu,
                          enum bench_table table, const char *variant, uint64_t row_bytes,
                          struct bench_published *out);

#endif
