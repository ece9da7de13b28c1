/* What is measured beside the timed blocks: start-up cost of the string instructions,
 * gaps that nothing of ours makes, and what clearing costs whoever reads next. */
#ifndef KERNEL_STATS_BENCH_AFTER_H
#define KERNEL_STATS_BENCH_AFTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BENCH_STARTUP_LENGTHS = 5,  /* 1, 2, 4, 8, 16 pages in one call */
    BENCH_STARTUP_VARIANTS = 4,
    BENCH_CONSUMER_ROWS = 24,
    BENCH_READERS = 3,
    BENCH_VICTIMS = 2,
};

/* t = a + b * pages, by least squares over the medians. Cycles of the TSC in 1/256. */
struct bench_startup {
    uint32_t variant;
    uint64_t cycles_q8[BENCH_STARTUP_LENGTHS]; /* of one call */
    int64_t start_cycles_q8;    /* a: the harness is part of it */
    int64_t page_cycles_q8;     /* b */
};
uint32_t bench_startup_pages(uint32_t index);
void bench_startup_fit(struct bench_startup *startup);

/* A CPU that does nothing but read the TSC. [clear 3.4.8] */
struct bench_gaps {
    uint64_t observed_us, limit_us; /* gaps as long as the limit count; observed 0: not run */
    uint64_t count, longest_us, sum_us;
    bool has_smi_count;
    uint64_t smi_count;
};

/* Who reads what was cleared. */
enum bench_reader { BENCH_READER_SAME, BENCH_READER_SIBLING, BENCH_READER_OTHER_CORE };
const char *bench_reader_name(enum bench_reader reader); /* "same-cpu", … */

/* A working set that is read before and after the clear. */
enum bench_victim { BENCH_VICTIM_L2, BENCH_VICTIM_LLC };
const char *bench_victim_name(enum bench_victim victim); /* "half-l2", "half-llc" */

/* One variant clearing one extent. Cycles are medians, for a line of 64 bytes, in 1/256. */
struct bench_consumer {
    uint32_t variant;
    uint64_t extent_bytes;
    uint64_t clear_cycles_q8;
    bool has_reader[BENCH_READERS];
    uint64_t read_cycles_q8[BENCH_READERS];
    bool has_victim[BENCH_VICTIMS];
    uint64_t victim_bytes[BENCH_VICTIMS];
    uint64_t victim_before_q8[BENCH_VICTIMS], victim_after_q8[BENCH_VICTIMS];
    /* Against the kernel's pick with the same extent: bytes that may be read until what
     * clearing gained is lost again. */
    enum { BREAK_EVEN_NONE, BREAK_EVEN_AT, BREAK_EVEN_BEYOND, BREAK_EVEN_NEVER_AHEAD }
        break_even[BENCH_READERS];
    uint64_t break_even_bytes[BENCH_READERS];
};
/* NONE: one of them has no such reader; BEYOND: reading the whole extent does not use
 * the gain up; NEVER_AHEAD: clearing is not faster to begin with. */
void bench_consumer_compare(struct bench_consumer *row, const struct bench_consumer *pick);

struct bench_after {
    struct bench_gaps before, after;
    struct bench_startup startups[BENCH_STARTUP_VARIANTS];
    uint32_t startup_count;
    struct bench_consumer consumers[BENCH_CONSUMER_ROWS];
    uint32_t consumer_count;
    uint32_t consumer_blocks;
    uint32_t left_out;          /* rows that the budget left no time for */
};

#endif
