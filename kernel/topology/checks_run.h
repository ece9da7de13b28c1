/* What every check works with: the machine, the built profiles, and the few ways
 * to report. Only kernel/topology/checks*.c include this. */
#ifndef KERNEL_TOPOLOGY_CHECKS_RUN_H
#define KERNEL_TOPOLOGY_CHECKS_RUN_H

#include "kernel/lib/textbuf.h"
#include "kernel/topology/checks.h"
#include "kernel/topology/leaves.h"
#include "kernel/topology/rules.h"

enum {
    CHECKS_TEXT_BYTES = 480,
    CHECKS_GROUPS_MAX = 16,
};

struct check_run {
    const struct machine_facts *facts;
    struct leaves leaves;                /* the rows, decoded */
    const struct topology *topologies;   /* by profile */
    uint32_t profiles;                   /* bit per built profile */
    /* Profiles by generation, bit per profile: without dies; classic with dies;
     * numbered from registered APIC ids. */
    uint32_t era_4x, era_classic, era_reworked;
    const struct topology *newest;       /* NULL: none was built */
    uint32_t *number;                    /* per fact: logical number in the newest profile */
    struct findings *findings;
    struct arena *arena;
    const struct check *check;           /* the one that runs */
};

/* A subject's checks, one array per file. */
struct check_group {
    const struct check *checks;
    uint32_t count;
};
extern const struct check_group checks_of_ids, checks_of_leaves, checks_of_rows, checks_of_masks,
    checks_of_levels, checks_of_madt, checks_of_srat, checks_of_packages, checks_of_features,
    checks_of_msrs, checks_of_mtrrs, checks_of_clock, checks_of_rsdp,
    checks_of_start, checks_of_memory, checks_of_watchdog;

#define CHECK_GROUP(name, list) \
    const struct check_group name = {(list), sizeof(list) / sizeof((list)[0])}

/* NULL when the profile was not built. */
const struct topology *checks_topology(const struct check_run *run, uint32_t profile);

/* A finding of the running check, or NULL when there is no room for it. */
struct finding *checks_report(struct check_run *run, uint32_t rules, const char *source,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds a CPU to a finding, which may be NULL: by its place in the facts, or by the
 * number that one profile gives it. */
void checks_mark(const struct check_run *run, struct finding *finding, uint32_t fact);
void checks_mark_cpu(const struct check_run *run, struct finding *finding,
                     const struct topology *topology, uint32_t cpu);

/* The number to print for a CPU. */
uint32_t checks_number(const struct check_run *run, const struct topology *topology, uint32_t cpu);

/* Profiles whose rules noted this kind. */
uint32_t checks_noted(const struct check_run *run, enum note_kind kind);
/* The first note of the newest profile that has one; *where is that profile. */
const struct topology_note *checks_note(const struct check_run *run, enum note_kind kind,
                                        const struct topology **where);
/* Marks the CPUs of all notes of a kind in all profiles. */
void checks_mark_noted(const struct check_run *run, struct finding *finding, enum note_kind kind);

/* A finding of the newest profile's first note of a kind, or NULL; the format takes
 * the note's a and b; the entry's offset is added to the source. */
struct finding *checks_report_note(struct check_run *run, enum note_kind kind, const char *source,
                                   const char *format);

/* A row that was recorded and that the CPU's largest leaf covers. */
bool checks_row(const struct check_run *run, uint32_t fact, uint32_t leaf, uint32_t subleaf,
                struct cpuid_regs *regs);

/* "CPU 3" or "CPUs 0-2,5". */
void checks_put_cpus(struct textbuf *out, const struct cpumask *cpus);

/* Values of all CPUs, grouped: what differs between CPUs that should agree. */
struct check_values {
    uint64_t *value;         /* per group */
    struct cpumask *cpus;    /* per group, by printed number */
    uint32_t count;          /* at most CHECKS_GROUPS_MAX */
    uint32_t other_count;    /* CPUs with yet other values */
    uint32_t none_count;     /* CPUs that have no value */
};
typedef bool (*check_value)(const struct check_run *run, uint32_t fact, const void *context,
                            uint64_t *value);

/* False: the arena is full. CPUs of different kind (leaf 0x1A) on hybrid parts are
 * only compared when `kind` is the kind asked for; -1 is all. */
bool checks_group(struct check_run *run, check_value value, const void *context, int kind,
                  struct check_values *groups);

enum { CHECKS_UNREADABLE = -1 }; /* as a value: reading it faulted */

/* "0x1: CPU 0; 0x2: CPUs 1-3". */
void checks_put_groups(struct textbuf *out, const struct check_values *groups);
/* Marks the CPUs that do not have the most common value. */
void checks_mark_groups(struct finding *finding, const struct check_values *groups);

/* Core types of a hybrid part [intel/vol2 CPUID 1AH]: how many, and each one's. */
uint32_t checks_kinds(const struct check_run *run, int *kinds, uint32_t capacity);

#endif
