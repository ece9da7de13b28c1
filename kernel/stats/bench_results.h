/* What the clear_page bench has to tell: the plan, what every cell measured, the
 * verdicts, what each kernel would pick here, and the notes that go before all
 * of it. Filled by kernel/bench (image) and host/cmd_bench.c; told by kernel/report. */
#ifndef KERNEL_STATS_BENCH_RESULTS_H
#define KERNEL_STATS_BENCH_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/variants.h"

/* State of the extent's lines when the clock starts. [clear 3.5] */
enum bench_state {
    BENCH_STATE_DIRTY,        /* non-zero pattern stored by this CPU, caches as that left them */
    BENCH_STATE_COLD,         /* the same, then flushed out of every cache */
    BENCH_STATE_DIRTY_REMOTE, /* pattern stored by another CPU */
    BENCH_STATE_ZERO,         /* cleared before: the trap of [clear 2.5], as a control */
    BENCH_STATE_COUNT,
};

/* Which CPUs clear at the same time. */
enum bench_placement {
    BENCH_PLACE_ONE,      /* one CPU, all others halted */
    BENCH_PLACE_PER_CORE, /* one thread of each core */
    BENCH_PLACE_SIBLINGS, /* both threads of one core */
    BENCH_PLACE_PER_LLC,  /* one thread under each last-level cache */
    BENCH_PLACE_ALL,      /* every thread */
    BENCH_PLACE_COUNT,
};

/* One condition under which the variants are compared. */
struct bench_setting {
    uint64_t region_bytes;
    uint64_t extent_bytes;    /* what one call clears */
    uint64_t page_bytes;      /* size of the mapping's pages: 4K, 2M, 1G */
    uint64_t pass_bytes;      /* cleared by one variant in one block, in all its sweeps */
    int32_t node;             /* of the memory; -1: not known */
    enum bench_placement placement;
    uint32_t cpu_count;       /* that clear at once */
    uint32_t sample_calls;    /* neighbouring extents in one timed sample, one call each */
    uint32_t pass_samples;    /* timed samples in one pass, of all its sweeps */
    uint32_t sweeps;          /* times that a pass goes over its extents */
    uint32_t turn_samples;    /* of them one after the other, then it is another variant's turn */
    enum bench_state state;
    bool is_primary;          /* its comparisons with the pick were declared before the run */
    uint32_t blocks;          /* planned; more when the spread asked for them */
    uint32_t block_capacity;  /* the most that `blocks` may become */
    uint32_t first_cell, cell_count; /* in bench_results.cells */
};

/* Samples of one sweep: each at a place of its own in the region. */
static inline uint32_t bench_sweep_samples(const struct bench_setting *setting)
{
    return setting->pass_samples / setting->sweeps;
}

/* Why a sample is marked. Only marks that do not depend on the measured value
 * may exclude one (SMI … FIRST). [clear 4.3] */
enum bench_flag {
    BENCH_FLAG_SMI,         /* the SMI count moved during the sample */
    BENCH_FLAG_FREQUENCY,   /* core clock more than 1 % off the block's median */
    BENCH_FLAG_THERMAL,     /* a thermal or power limit was logged */
    BENCH_FLAG_OVERFLOW,    /* a counter wrapped */
    BENCH_FLAG_PREEMPTED,   /* hosted: another thread got the CPU meanwhile */
    BENCH_FLAG_FIRST,       /* first extent of a pass, announced as warm-up */
    BENCH_FLAG_UNEXPLAINED, /* longer than three medians and nothing says why: kept */
    BENCH_FLAG_COUNT,
};
const char *bench_flag_name(enum bench_flag flag);          /* "smi", "unexplained", … */
const char *bench_state_name(enum bench_state state);       /* "dirty", "cold", … */
const char *bench_placement_name(enum bench_placement place); /* "one", "per-core", … */

/* One variant's pass in one block. Cycles are of the TSC, for one extent, in
 * 1/256 cycle: with many CPUs it is the time divided by what all cleared. */
struct bench_block {
    uint64_t median_cycles_q8;               /* of the used samples */
    uint64_t all_median_cycles_q8;           /* of all samples, marked ones too */
    uint64_t q1_cycles_q8, q3_cycles_q8, p95_cycles_q8, p99_cycles_q8;
    uint64_t min_cycles_q8, max_cycles_q8;   /* of the used samples */
    uint32_t sample_count, used_count;
    uint32_t flag_counts[BENCH_FLAG_COUNT];
    uint64_t core_hz;                        /* 0: not known */
};

struct bench_cell {
    uint32_t setting;         /* index into bench_results.settings */
    uint32_t variant;         /* index into bench_results.variants */
    bool is_repeat;           /* second arm of the A against A control */
    bool is_pick;             /* what the newest kernel would take here */
    struct bench_block *blocks;
    uint32_t block_count;     /* done */
    /* Over the blocks' medians: */
    uint64_t min_cycles_q8, q1_cycles_q8, median_cycles_q8, q3_cycles_q8, max_cycles_q8;
    uint64_t low_cycles_q8, high_cycles_q8;  /* 95 % interval of the median, by ranks */
    uint64_t mean_cycles_q8;
    uint64_t sd_ppm;          /* standard deviation of the blocks over their mean: "pstdev" */
    uint64_t bytes_per_s;     /* from the median; 0: the TSC rate is not known */
    uint64_t low_bytes_per_s, high_bytes_per_s;
    uint64_t page_cycles_q8;  /* TSC cycles for 4 KiB */
    uint64_t core_hz;         /* median of the blocks; 0: not known */
    uint64_t page_core_cycles_q8; /* 0: core clock not known */
    uint32_t flag_counts[BENCH_FLAG_COUNT];
    uint32_t sample_count, used_count;
    int32_t autocorrelation_ppm; /* lag 1 of the blocks' medians */
    const char *implausible;  /* NULL, or the published range it is outside of [clear 2.6] */
    /* With several CPUs, per CPU in bytes/s: least, most; 0 with one. */
    uint64_t cpu_min_bytes_per_s, cpu_max_bytes_per_s;
};

/* One block has a value and no spread: what follows from a spread is missing, not 0. */
static inline bool bench_has_spread(uint32_t blocks)
{
    return blocks >= 2;
}


enum bench_outcome {
    BENCH_DIFFERENT,
    BENCH_EQUIVALENT,
    BENCH_INCONCLUSIVE,
    BENCH_NO_VERDICT,         /* a void condition: see `why` */
};
const char *bench_outcome_name(enum bench_outcome outcome); /* "DIFFERENT", … */

enum bench_comparison { BENCH_PRIMARY, BENCH_EXPLORATORY, BENCH_SAME_AGAINST_SAME };
const char *bench_comparison_name(enum bench_comparison kind); /* "primary", … */

/* Time of cell b over time of cell a, block by block. Ratios are in parts per
 * million: 1,000,000 is equal, below it b is faster. */
struct bench_verdict {
    uint32_t cell_a, cell_b;
    enum bench_comparison kind;
    bool is_core_cycles;      /* compared in core cycles, because the clocks differed */
    uint32_t blocks;
    uint64_t ratio_ppm;       /* exp of the Hodges-Lehmann shift of the log ratios */
    uint64_t low95_ppm, high95_ppm, low99_ppm, high99_ppm;
    uint64_t median_ratio_ppm;
    uint64_t delta_ppm;       /* practical difference, fixed before the run: 20,000 is 2 % */
    uint64_t noise_floor_ppm; /* half width of the A against A interval, 0: none was run */
    uint64_t mde_ppm;         /* smallest difference this run could have shown */
    uint32_t blocks_needed;   /* for an MDE of delta; 0 when it is below delta already */
    uint64_t p_ppm;           /* sign-flip test */
    uint64_t holm_p_ppm;      /* after Holm over the primary comparisons; equals p_ppm elsewhere */
    enum bench_outcome outcome;
    const char *why;          /* NULL, or why there is no verdict or it is inconclusive */
};

/* What a kernel picks on this CPU, and why. [clear 1.4] */
struct bench_choice {
    const char *profile;      /* "linux-6.1" */
    const char *variant;      /* "stosb" */
    const char *primitive;    /* "clear_page(), one 4 KiB page a call" */
    const char *why;          /* "ERMS: CPUID 7.0 EBX[9] is 1" */
    uint64_t max_extent_bytes; /* 4096 where a call clears one page */
};

/* Something to know before the numbers. */
struct bench_note {
    const char *id;           /* stable word: "hypervisor", "memory-type", "microcode-mixed" … */
    bool is_void;             /* no verdict is given because of it */
    const char *text;         /* one sentence with the values */
};

/* A sample that carries a mark, for the list (bounded: the counts are complete). */
struct bench_marked {
    uint32_t cell, block, sample;
    uint64_t cycles;
    uint32_t flags;           /* bit i: enum bench_flag i */
};

/* A variant that this CPU cannot run, and what it lacks. */
struct bench_skip {
    uint32_t variant;
    const char *why;          /* "CPUID 7.0 ECX[28] (MOVDIR64B) is 0" */
};

/* Another program's bench, run in turn with the blocks (hosted). */
struct bench_peer_row {
    const char *function;     /* as that program calls it */
    const char *variant;      /* ours with the same store loop; NULL: none */
    uint64_t region_bytes, page_bytes;
    const uint64_t *cycles_q8; /* TSC cycles for unit_bytes, per block, in 1/256; 0: it failed */
    uint32_t block_count;
};
struct bench_peer {
    const char *name, *version;
    uint64_t unit_bytes;
    struct bench_peer_row *rows;
    uint32_t row_count;
};

struct bench_counters;        /* kernel/stats/bench_counters.h */
struct bench_after;           /* kernel/stats/bench_after.h */

struct bench_results {
    bool is_hosted;           /* measured in Linux user space, not in the image */
    bool is_twin;             /* hosted: it took turns with another run, block by block */
    const char *place;        /* "coretruth bench, Linux user space, THP 2M", "image" */
    uint64_t seed;
    uint64_t budget_us, planned_us, used_us;
    uint64_t reserve_us;      /* of the budget: not for blocks but for what comes after them */
    uint64_t delta_ppm;
    uint64_t tsc_hz;          /* 0: not known */
    const char *plan_text;    /* what the budget and the memory left out; NULL: nothing */
    const struct clear_variant *variants;
    uint32_t variant_count;
    struct bench_skip *skips;
    uint32_t skip_count;
    struct bench_setting *settings;
    uint32_t setting_count;
    struct bench_cell *cells; /* grouped by setting, in the variants' order */
    uint32_t cell_count;
    struct bench_verdict *verdicts;
    uint32_t verdict_count;
    struct bench_choice *choices;
    uint32_t choice_count;
    struct bench_note *notes; /* void conditions first */
    uint32_t note_count;
    struct bench_marked *marked;
    uint32_t marked_count, marked_capacity;
    /* The harness around an empty body: TSC cycles for one extent, in 1/256, in
     * samples of harness_calls calls. Printed, never subtracted. */
    uint64_t harness_median_q8, harness_q1_q8, harness_q3_q8;
    uint32_t harness_calls;
    uint64_t retaken_passes;  /* most samples were preempted: run again, in turns the whole block */
    uint64_t warm_up_runs;    /* of the variant itself on a scratch extent, before each pass */
    const struct bench_peer *peer; /* NULL: none was run beside */
    struct bench_after *after; /* NULL: only the blocks were run */
    uint32_t table;           /* enum bench_table: the known table that was asked for */
    uint32_t pick;            /* index of the variant that the newest kernel would take */
    struct bench_counters *counters; /* NULL: the counters were not looked for */
    /* Each variant once before timing: did another CPU read zeros everywhere? */
    bool *is_verified;        /* per variant; NULL: not checked */
    bool is_verified_by_other_cpu;
};

#endif
