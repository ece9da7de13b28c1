/* What was measured about the machine's topology, as plain data: filled by
 * kernel/measure, judged by groups.c and agreement.c, told by kernel/report.
 * A part that did not run is a NULL pointer. Times are picoseconds (_ps) of
 * TSC cycles at `tsc_hz`; MEASURED_NONE stands where nothing was measured. */
#ifndef KERNEL_STATS_MEASURED_RESULTS_H
#define KERNEL_STATS_MEASURED_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/cpumask.h"
#include "kernel/topology/topology.h"

#define MEASURED_NONE UINT32_MAX

/* The CPUs that took part. Every other number in this file called `slot`, and
 * every mask, is an index into this list. */
struct measured_cpu {
    uint32_t fact;    /* index into machine_facts.cpus */
    uint32_t cpu;     /* logical number of the newest profile that was built */
    uint32_t apic_id;
};

/* How far apart two CPUs are by the declared masks of the newest profile: the
 * smallest mask that holds both. */
enum distance_class {
    DISTANCE_SMT,
    DISTANCE_CLUSTER,
    DISTANCE_LLC,
    DISTANCE_DIE,
    DISTANCE_PACKAGE,
    DISTANCE_MACHINE, /* no mask holds both */
    DISTANCE_CLASSES,
};

/* A median with its interquartile range, and how many values they stand for. */
struct measured_spread {
    uint32_t median_ps, iqr_ps, count;
};

/* --- pair latency -------------------------------------------------------------- */

struct measured_latency {
    uint32_t cpu_count;
    /* [from * cpu_count + to]: half a round trip of one cache line. `from` owns the
     * page the line lies in, writes first and holds the clock. */
    uint32_t *median_ps;
    uint32_t *iqr_ps;
    uint32_t pairs_possible, pairs_measured; /* directed */
    uint32_t pairs_timed_out;  /* the partner did not answer within the bound */
    uint32_t pairs_left_out;   /* budget spent before their turn */
    uint32_t samples_per_pair; /* each of `round_trips_per_sample`; the median is of these */
    uint32_t round_trips_per_sample;
    bool is_sampled;           /* not all pairs were asked for */
    uint32_t sampled_per_class; /* at least so many partners per CPU and declared class */
    uint64_t seed;             /* of the choice of pairs */
    struct measured_spread by_class[DISTANCE_CLASSES];
};

/* --- groups from the latency matrix (groups.c) ----------------------------------- */

enum groups_verdict {
    GROUPS_SEPARATED,   /* the levels below are there */
    GROUPS_UNIFORM,     /* one group: no border was measured, and one would have been seen */
    GROUPS_CANNOT_TELL, /* too few pairs, or distributions that overlap */
};

/* A set of CPUs that are nearer to each other than to any other CPU. */
struct measured_group {
    struct cpumask slots;
    uint32_t parent;    /* index of the next wider group; MEASURED_NONE: the machine */
    uint32_t depth;     /* 1 for the widest groups below the machine */
    uint32_t inside_ps; /* median between members that are in no common narrower group */
    uint32_t inside_high_ps;  /* and the upper end of all values inside, outliers apart */
    uint32_t outside_low_ps;  /* lower end of the values from members to other CPUs */
    uint32_t outside_ps;      /* median of those to the CPUs of the parent */
    uint32_t inside_pairs, outside_pairs;
};

/* One level: every CPU is in exactly one of its groups. A group without a border
 * inside stays whole at the finer levels. */
struct measured_level {
    uint32_t *group_of;   /* per slot: number of the group at this level, from 0 */
    uint32_t group_count; /* single CPUs included */
    uint32_t inside_ps, outside_ps; /* medians over the groups that are new at this level */
};

struct measured_groups {
    enum groups_verdict verdict;
    const char *reason;   /* of GROUPS_CANNOT_TELL; else NULL */
    uint32_t cpu_count;
    struct measured_group *groups; /* widest first */
    uint32_t group_count;
    struct measured_level *levels; /* widest first: packages before cores */
    uint32_t level_count;
    uint32_t outliers;    /* pairs that were left out as disturbed */
    uint32_t unchecked_group_pairs; /* sampled matrices: groups that no pair connects */
    uint32_t all_median_ps, all_iqr_ps;
};

/* --- agreement with the declared masks (agreement.c) ------------------------------ */

enum agreement {
    AGREEMENT_YES,
    AGREEMENT_WIDER,       /* a border was measured inside the claimed mask */
    AGREEMENT_NARROWER,    /* CPUs outside the claimed mask are as near as those inside */
    AGREEMENT_CROSSING,    /* the claimed mask cuts through measured groups and joins others */
    AGREEMENT_CANNOT_TELL,
    AGREEMENT_NOT_TESTED,  /* every claimed mask is a single CPU, or was not measured */
};

/* One line per kind of mask and set of profiles that claim the same. */
struct agreement_row {
    enum topology_mask kind;
    uint32_t rules;          /* bit i: rule_profiles[i] */
    enum agreement agreement;
    uint32_t claimed_count;  /* claimed masks of two CPUs or more */
    uint32_t contradicted_count;
    /* The clearest contradiction, or the first claim when there is none. */
    struct cpumask claimed_slots;  /* the claimed mask */
    struct cpumask measured_slots; /* the measured group it was compared with */
    uint32_t near_ps, far_ps;      /* medians on the two sides of the border */
    uint32_t near_high_ps, far_low_ps; /* the ends that face each other */
    bool is_node_border;           /* wider, and a memory node ends there: sub-NUMA clusters */
};

struct measured_agreement {
    struct agreement_row *rows;
    uint32_t row_count;
};

/* --- SMT contention ------------------------------------------------------------------ */

enum contention_verdict { CONTENTION_SHARED_CORE, CONTENTION_OWN_CORE, CONTENTION_CANNOT_TELL };

struct measured_contention_pair {
    uint32_t slot, partner_slot;
    bool is_claimed_sibling;         /* by the newest profile */
    uint64_t alone_cycles;           /* median for `iterations` of the kernel, partner idle */
    uint64_t busy_cycles;            /* the same with the partner in the same kernel */
    uint32_t throughput_permille;    /* alone / busy * 1000 */
    enum contention_verdict verdict;
};

struct measured_contention {
    struct measured_contention_pair *pairs;
    uint32_t pair_count;
    uint32_t iterations, samples;
};

/* --- LLC sharing ----------------------------------------------------------------------- */

enum llc_verdict { LLC_SHARED, LLC_NOT_SHARED, LLC_CANNOT_TELL };

/* `slot` reads `bytes`; then `reader_slot` reads the same lines. */
struct measured_llc_pair {
    uint32_t slot, reader_slot;
    bool is_claimed_shared;
    uint32_t own_ps_per_line;     /* `slot` reads again what it has just read */
    uint32_t partner_ps_per_line; /* `reader_slot` reads what `slot` has read */
    uint32_t memory_ps_per_line;  /* `reader_slot` reads lines that were flushed */
    enum llc_verdict verdict;
};

struct measured_llc_sharing {
    struct measured_llc_pair *pairs;
    uint32_t pair_count;
    uint64_t bytes;  /* half of the declared LLC, more than the declared L2 */
};

/* --- migration ---------------------------------------------------------------------------- */

/* CPU `from` writes `bytes`, CPU `to` reads them: cost per 64-byte line. */
struct measured_migration_row {
    enum distance_class distance;
    uint64_t bytes;
    uint32_t pair_count;
    uint32_t ps_per_line, iqr_ps_per_line; /* median over pairs and repeats */
    uint32_t cycles_x16_per_line;          /* TSC cycles, sixteenths */
    uint32_t stay_ps_per_line;             /* the writer reads it itself: the cost of not moving */
};

struct measured_migration {
    struct measured_migration_row *rows;
    uint32_t row_count;
    uint32_t repeats;
    uint64_t llc_bytes; /* declared; 0: not known, sizes then end at 64 MiB */
};

/* --- time-stamp counters -------------------------------------------------------------------- */

struct measured_tsc_cpu {
    uint32_t slot;
    bool has_offset;
    int64_t offset_cycles;            /* this CPU's TSC minus the boot CPU's */
    uint64_t offset_bound_cycles;     /* the true offset is within +- this */
    uint64_t max_warp_cycles;         /* how far time went back between two CPUs in turn; 0: never */
    uint32_t warp_count;
};

struct measured_tsc {
    struct measured_tsc_cpu *cpus;
    uint32_t cpu_count;
    uint64_t warp_reads;              /* per CPU */
    const char *second_clock;         /* "acpi-pm-timer" or "pit"; NULL: none */
    bool has_rate;
    uint64_t rate_hz;                 /* by the second clock, over rate_window_us */
    uint64_t rate_window_us;
    int32_t rate_deviation_ppm;       /* rate_hz against the rate this run uses */
    bool is_invariant;                /* leaf 0x80000007 EDX[8] on every CPU */
};

/* --- offline/online cycles --------------------------------------------------------------------- */

enum cycle_set { CYCLE_HALF, CYCLE_ALL_BUT_BOOT, CYCLE_SETS };

struct measured_duration {
    uint32_t count;
    uint64_t min_ns, max_ns, average_ns, deviation_ns; /* standard deviation of the population */
};

struct measured_cycle_cpu {
    uint32_t slot;
    uint32_t attempts;                 /* cycles in which it was sent offline */
    struct measured_duration start;    /* INIT to check-in of this CPU; at most the last 4,096 */
    uint64_t median_ns, p95_ns;
    uint32_t failures;                 /* cycles in which it did not come back in time */
    uint32_t first_failed_cycle;       /* from 1; 0: none */
};

struct measured_cycle_set {
    enum cycle_set set;
    uint32_t cpu_count;                /* CPUs sent offline in each cycle */
    uint32_t cycles_asked, cycles_done;
    uint32_t cycles_incomplete;        /* at least one CPU was missing */
    struct measured_duration whole;    /* first INIT to the last check-in */
};

struct measured_cycles {
    struct measured_cycle_set sets[CYCLE_SETS];
    struct measured_cycle_cpu *cpus;   /* both sets together */
    uint32_t cpu_count;
};

/* --- noise ------------------------------------------------------------------------------------- */

enum { NOISE_BINS = 10 };

enum smi_coincidence {
    SMI_NO_COUNTER,   /* the CPU has no SMI counter: the gap is unexplained */
    SMI_NOT_COUNTED,  /* the counter did not move over the longest gap */
    SMI_COUNTED,
};

struct measured_noise_cpu {
    uint32_t slot;
    uint32_t bin_counts[NOISE_BINS];
    uint64_t gap_count, longest_gap_ns, longest_gap_at_ns; /* from the start of the scan */
    uint64_t observed_ns;
    uint64_t shortest_step_ns_x16;     /* between two reads with nothing in between */
    bool has_smi_count;
    uint32_t smi_count;                /* during the scan */
    enum smi_coincidence longest_gap_smi;
};

struct measured_noise {
    struct measured_noise_cpu *cpus;
    uint32_t cpu_count;
    /* A gap of g ns with bin_start_ns[i] <= g < bin_start_ns[i + 1] is in bin i;
     * shorter steps are not gaps, the last bin has no end. */
    uint64_t bin_start_ns[NOISE_BINS];
};

/* --- everything ----------------------------------------------------------------------------------- */

struct measured_results {
    struct measured_cpu *cpus;
    uint32_t cpu_count;
    uint64_t tsc_hz;
    bool is_virtual;          /* a hypervisor was seen: no verdict about hardware is given */
    bool is_injected;         /* inject= changed samples: verdicts are labelled */
    const char *injected;     /* the option's value */
    uint64_t budget_ms, spent_ms;
    bool is_budget_spent;     /* something was cut or left out for lack of time */
    const struct measured_latency *latency;
    const struct measured_groups *groups;
    const struct measured_agreement *agreement;
    const struct measured_contention *contention;
    const struct measured_llc_sharing *llc_sharing;
    const struct measured_migration *migration;
    const struct measured_tsc *tsc;
    const struct measured_cycles *cycles;
    const struct measured_noise *noise;
};

#endif
