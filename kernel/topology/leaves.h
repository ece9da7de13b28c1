/* The CPUID fields that the rules look at, taken out of the recorded rows once
 * for all profiles. [rules 1] */
#ifndef KERNEL_TOPOLOGY_LEAVES_H
#define KERNEL_TOPOLOGY_LEAVES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"

enum cpu_vendor {
    VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD, VENDOR_HYGON, VENDOR_CENTAUR, VENDOR_ZHAOXIN,
};

enum { LEAVES_ROWS_MAX = 64 }; /* a leaf that lists more sub-leaves is malformed */

/* Leaves with sub-leaves: the rows before the first of type 0. */
enum leaf_list { LIST_LEAF_B, LIST_LEAF_1F, LIST_LEAF_80000026, LIST_LEAF_4, LIST_LEAF_8000001D,
                 LIST_COUNT };

struct leaf_rows {
    struct cpuid_regs *rows;
    uint32_t count;
    bool is_absent;       /* ends at a row that was not recorded */
    bool is_endless;      /* LEAVES_ROWS_MAX rows without type 0 */
};

/* Rows a rule may ask for; a bit set in cpu_leaves.absent was not recorded. */
enum leaf_row {
    ROW_LEAF_0, ROW_LEAF_1, ROW_LEAF_4, ROW_LEAF_B, ROW_LEAF_1F, ROW_LEAF_80000001,
    ROW_LEAF_80000005, ROW_LEAF_80000006, ROW_LEAF_80000008, ROW_LEAF_8000001D,
    ROW_LEAF_8000001E, ROW_LEAF_80000026, ROW_MSR_NODE_ID,
};

struct cpu_leaves {
    enum cpu_vendor vendor;
    uint32_t family, model;
    uint32_t max_basic, max_extended;
    uint32_t absent;              /* bit per enum leaf_row */
    uint32_t apic_id_leaf1;       /* leaf 1 EBX[31:24] */
    uint32_t nproc;               /* leaf 1 EBX[23:16] */
    bool has_htt, has_cmp_legacy, has_node_id_msr, has_topoext, has_hypervisor;
    bool is_known_hypervisor;     /* one the kernels detect by leaf 0x40000000 */
    bool has_core_count;          /* leaf 0x80000008 is in range */
    struct cpuid_regs l1d_l1i;    /* leaf 0x80000005 */
    struct cpuid_regs l2_l3;      /* leaf 0x80000006 */
    struct cpuid_regs sizes;      /* leaf 0x80000008 */
    struct cpuid_regs amd_ids;    /* leaf 0x8000001E */
    uint32_t node_id_msr;         /* MSR 0xC001100C */
    struct leaf_rows list[LIST_COUNT];
    uint32_t hwid;
    bool is_hwid_read;
};

struct leaves {
    const struct machine_facts *facts;
    struct cpu_leaves *cpus;      /* parallel to facts->cpus */
    bool was_x2apic;              /* x2APIC mode on when the firmware handed over */
};

/* False only when the arena is full. */
bool leaves_decode(const struct machine_facts *facts, struct arena *arena, struct leaves *out);

/* The leaf's number: 0xB for LIST_LEAF_B and so on. */
uint32_t leaves_number(enum leaf_list list);

/* "Level type" or "cache type" of a row. */
static inline uint32_t leaves_level_type(const struct cpuid_regs *row)
{
    return row->ecx >> 8 & 0xFF;
}

static inline uint32_t leaves_cache_type(const struct cpuid_regs *row)
{
    return row->eax & 0x1F;
}

/* Number of APIC ids that share a cache. */
static inline uint32_t leaves_cache_sharing(const struct cpuid_regs *row)
{
    return (row->eax >> 14 & 0xFFF) + 1;
}

#endif
