/* This computer under Linux as a machine for the bench's engine: memory with
 * pages of a known size, a CPU to stay on, clocks, and the recorded CPUID. */
#ifndef HOST_BENCH_MACHINE_H
#define HOST_BENCH_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"

enum bench_pages { BENCH_PAGES_4K, BENCH_PAGES_2M, BENCH_PAGES_1G, BENCH_PAGES_COUNT };

struct bench_machine {
    struct machine_facts facts;    /* this CPU only */
    uint64_t xcr0;
    uint32_t cpu;                  /* that the bench is pinned to */
    bool has_other_cpu;
    uint32_t other_cpu;
    bool has_at[ENGINE_PLACE_COUNT]; /* CPUs that may be used and are that to ours */
    uint32_t at[ENGINE_PLACE_COUNT];
    uint64_t tsc_hz;
    uint64_t cache_bytes;          /* L2 + L3; 0: not told */
    uint64_t usable_bytes;
    uint8_t *memory[BENCH_PAGES_COUNT];
    uint64_t memory_bytes[BENCH_PAGES_COUNT];
    const char *pages_how[BENCH_PAGES_COUNT]; /* "transparent huge pages", … */
    bool is_quiet;                 /* no progress lines */
    struct engine_machine engine;
};

/* Pins to `cpu` (-1: the one this runs on), records CPUID, measures the TSC rate.
 * False: printed why. */
bool bench_machine_open(struct bench_machine *machine, int cpu, struct arena *arena);

/* Memory of that page size for regions up to `bytes`, touched. False: this system
 * cannot give it. */
bool bench_machine_map(struct bench_machine *machine, enum bench_pages pages, uint64_t bytes);

uint64_t bench_machine_page_bytes(enum bench_pages pages);

#endif
