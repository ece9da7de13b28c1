/* One topology in the making: what the steps of topology_build() share. */
#ifndef KERNEL_TOPOLOGY_BUILD_H
#define KERNEL_TOPOLOGY_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/topology/groups.h"
#include "kernel/topology/leaves.h"
#include "kernel/topology/masks.h"
#include "kernel/topology/nodes.h"
#include "kernel/topology/numbering.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

struct build {
    const struct leaves *leaves;
    const struct rule_profile *rules;
    struct arena *arena;
    struct topology *out;
    struct numbering numbering;
    struct nodes nodes;
    struct mask_table *masks;
    struct groups *groups;    /* scratch of all steps and profiles */
    uint32_t *order;          /* logical numbers of the online CPUs as they come up */
    uint32_t *position;       /* by logical number: place in `order` */
    uint32_t online_count;
    bool *has_smt, *has_mp;   /* by logical number, when that CPU came up [rules 4.1] */
    uint32_t cores_per_package; /* reworked: CPP [rules 3.8] */
};

/* The rows of an online CPU. */
static inline const struct cpu_leaves *build_leaves(const struct build *build, uint32_t cpu)
{
    return &build->leaves->cpus[build->out->cpus[cpu].fact];
}

/* The boot CPU's rows; NULL when it is not among the recorded CPUs. */
static inline const struct cpu_leaves *build_boot_leaves(const struct build *build)
{
    return build->out->cpus[0].is_online ? build_leaves(build, 0) : NULL;
}

/* The vendor as the profile sees it: one it has no code for is "other". */
static inline enum cpu_vendor build_vendor(const struct build *build, uint32_t cpu)
{
    enum cpu_vendor vendor = build_leaves(build, cpu)->vendor;

    return build->rules->vendors >> vendor & 1 ? vendor : VENDOR_OTHER;
}

/* Notes that a rule asked for a row which was not recorded; true when it was there. */
bool build_needs(struct build *build, uint32_t cpu, enum leaf_row row, uint32_t leaf);

void build_note(struct build *build, enum note_kind kind, uint32_t cpu, uint32_t leaf,
                uint32_t subleaf, uint32_t a, uint32_t b);

/* Notes that a kernel would switch TOPOEXT on (family 0x15). It cannot be replayed: the
 * leaves that come with it were not there to read. [rules 2.4 A2] */
void build_note_topoext_off(struct build *build, uint32_t cpu);

/* order(n); order(0) is malformed and taken as 0, with the note `kind`. */
unsigned build_order(struct build *build, uint32_t cpu, uint32_t n, enum note_kind kind);

/* The two pipelines. */
bool identify_classic(struct build *build);
bool identify_reworked(struct build *build);

/* Ids of the caches that leaf 4 lists, below `count` rows: LLCID and, where the
 * profile has it, L2ID; PKG where there is no cache. [rules 2.8, 3.7] */
void leaf4_ids(struct build *build, uint32_t cpu, uint32_t count);

/* Links all CPUs: masks, counters, primary threads. [rules 4] */
bool link_build(struct build *build);

/* Thread counters and "cpu cores", from the masks. [rules 4.9] */
bool counters_build(struct build *build);

/* Directories cpuN/cache/indexI. [rules 6] */
bool caches_build(struct build *build);

#endif
