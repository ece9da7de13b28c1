/* What one Linux generation would conclude from a machine's facts: numbers,
 * ids, masks, caches, nodes, scheduler levels. Plain data; built by
 * topology_build(), told by kernel/report, compared on the desk. */
#ifndef KERNEL_TOPOLOGY_TOPOLOGY_H
#define KERNEL_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"
#include "kernel/topology/masks.h"
#include "kernel/topology/notes.h"

enum { TOPOLOGY_NO_ID = 0xFFFF }; /* the kernels' BAD_APICID, as cluster_id shows it */

/* One per-CPU mask of a profile; the sysfs names are in topology_names.c. */
enum topology_mask {
    TOPOLOGY_SMT,     /* thread_siblings_list, core_cpus_list */
    TOPOLOGY_CLUSTER, /* cluster_cpus_list */
    TOPOLOGY_LLC,     /* not in sysfs: the MC level */
    TOPOLOGY_DIE,     /* die_cpus_list */
    TOPOLOGY_PACKAGE, /* core_siblings_list, package_cpus_list */
    TOPOLOGY_MASK_KINDS,
};

struct topology_cache {
    uint32_t index;       /* of cpuN/cache/indexI */
    uint32_t level;
    const char *type;     /* "Data", "Instruction" or "Unified" */
    uint64_t size_bytes;  /* sysfs prints KiB: size_bytes / 1024 and "K" */
    uint32_t ways;        /* 0: not known */
    uint32_t line_bytes;
    uint32_t sets;
    uint32_t partitions;  /* physical_line_partition */
    uint32_t sharing;     /* APIC ids that share it, as the row says */
    bool has_id;          /* the file exists in this profile */
    uint32_t id;
    uint32_t shared_mask; /* index into topology.masks */
};

enum {
    TOPOLOGY_NO_CUID = 0xFF,   /* "no compute unit" */
    TOPOLOGY_DOMAINS = 7,      /* SMT, CORE, MODULE, TILE, DIE, DIEGRP, PKG [rules 3.1] */
};

/* How a CPU got its ids: what the checks compare. Values that a pipeline does
 * not have stay 0 (cu_id, l2_id: "none"). */
struct topology_ident {
    uint32_t cid, eid;          /* initial APIC id by CPUID; id in use for arithmetic */
    uint32_t hwid;              /* register's, or the best the rows say [leaves.h] */
    bool is_hwid_read;          /* the APIC register itself was recorded */
    uint32_t cu_id, amd_node, l2_id;
    uint32_t leaf_used;         /* extended leaf the ids come from: 0xB, 0x1F, 0x80000026; 0 none */
    uint32_t siblings;          /* classic: G_SIB when this CPU came up */
    uint32_t max_cores;         /* classic: MAXC */
    uint8_t shift[TOPOLOGY_DOMAINS];   /* reworked: this CPU's own sh[] */
    uint32_t count[TOPOLOGY_DOMAINS];  /* reworked: this CPU's own nc[] */
    uint32_t nodes_per_package; /* AMD, Hygon */
    bool has_topoext;           /* TOPOEXT(boot) when this CPU was linked */
};

/* One logical CPU. CPUs that are possible but not online have is_online false
 * and neither masks nor caches. */
struct topology_cpu {
    uint32_t fact;        /* index into machine_facts.cpus, or FACTS_NO_CPU */
    bool is_online;
    uint32_t apic_id;     /* FWID: what the MADT says (hardware id without a MADT) */
    uint32_t package_id, core_id, die_id, cluster_id, llc_id;
    int32_t node;
    uint32_t mask[TOPOLOGY_MASK_KINDS]; /* index into topology.masks */
    struct topology_cache *caches;
    uint32_t cache_count;
    uint32_t booted_cores;              /* "cpu cores" of /proc/cpuinfo */
    bool is_primary;                    /* primary thread [rules 4.9] */
    struct topology_ident ident;        /* of online CPUs */
};

struct topology_node {
    uint32_t node;
    struct cpumask cpus;
    uint64_t memory_bytes;  /* SRAT memory entries of the node; 0: none or not known */
};

/* One scheduler level (SMT, CLS, MC, DIE or PKG, NODE, NUMA), lowest first. */
struct topology_level {
    const char *name;
    uint32_t *mask;         /* per logical CPU: index into topology.masks; raw level mask */
    uint32_t *span;         /* per logical CPU: the domain actually built, or UINT32_MAX */
    bool is_numa_overlap;   /* NUMA levels, which the span check skips */
    bool is_far;            /* a NUMA level that tasks do not cross to wake others */
    /* CPUs whose span of the level below was not inside this one's: the kernel
     * says so and widens this one. No words: there are none. [rules 9.4] */
    struct cpumask unnested;
};

enum span_result { SPAN_NOT_CHECKED, SPAN_SANE, SPAN_INSANE };

struct rule_profile;

struct topology {
    const struct rule_profile *rules;
    uint32_t nr_cpu_ids;          /* width of hex maps: possible CPUs */
    struct topology_cpu *cpus;    /* by logical number, nr_cpu_ids of them */
    uint32_t cpu_count;
    struct cpumask online;
    /* Every distinct mask once; CPUs hold indexes. */
    struct cpumask *masks;
    uint32_t mask_count;
    struct mask_table *mask_table; /* where they are kept; levels may add to it */
    struct topology_node *nodes;
    uint32_t node_count;
    uint32_t *distances;          /* node_count * node_count, row by row */
    struct topology_level *levels;
    uint32_t level_count;
    enum span_result span;
    uint32_t span_cpu_a, span_cpu_b; /* the first pair that failed */
    const char *span_level;
    uint32_t span_empty_count;    /* empty level masks that the single pass cannot name */
    bool is_slit_form_refused;    /* a SLIT that the SNC fix-up cannot use [rules 9.5] */
    bool is_numa_in_package;
    uint32_t max_smt_threads;     /* __max_smt_threads */
    uint32_t threads_per_core;    /* reworked profiles: TPC; classic: G_SIB at the end */
    uint32_t nodes_per_package;   /* by SRAT [rules 3.8]; 0 before linux-7.2 */
    bool has_madt;                /* numbers come from the MADT, not from the source */
    struct topology_notes notes;
};

/* Builds the profiles whose bit [rules_bit()] is set in `profiles` into
 * out[index of the profile]. The machine is decoded once and every distinct
 * mask is stored once for all of them: much cheaper than building one by one. */
bool topology_build_all(const struct machine_facts *facts, uint32_t profiles,
                        struct arena *arena, struct topology *out);

/* False only when the arena is full. */
bool topology_build(const struct machine_facts *facts, const struct rule_profile *rules,
                    struct arena *arena, struct topology *out);

#endif
