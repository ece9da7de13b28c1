/* The rule profiles: what differs between Linux generations, as data. A new
 * profile is one initialiser in rules.c; no other file compares versions. */
#ifndef KERNEL_TOPOLOGY_RULES_H
#define KERNEL_TOPOLOGY_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/topology/domains_rules.h"

struct build; /* kernel/topology/build.h: one topology in the making */

/* What `cu_id` holds on CPUs without a compute unit, and who looks at it. */
enum compute_unit_rule {
    COMPUTE_UNIT_UNKNOWN,    /* the profile has no compute-unit id */
    COMPUTE_UNIT_ZERO,       /* 0, compared like any other: the defect of the first patch */
    COMPUTE_UNIT_OR_NONE,    /* 0xFF, which matches nobody */
};

/* Where AMD's threads per core (G_SIB) come from. */
enum sibling_source {
    SIBLINGS_NOT_READ,       /* leaf 0x8000001E is not asked */
    SIBLINGS_WITH_NODE,      /* with the node id, when TOPOEXT(boot) is set */
    SIBLINGS_EARLY,          /* before everything else, when this CPU has TOPOEXT */
};

enum snc_rule { SNC_UNKNOWN, SNC_INTEL_FAMILY_6, SNC_INTEL_ANY_FAMILY };

/* MADT: which entries count and what number they get. [rules 7.2-7.5] */
struct numbering_rules {
    bool disabled_takes_number;      /* holes in the numbering */
    bool disabled_needs_capable;     /* ACPI 6.3 and later: skipped unless online capable */
    bool disabled_needs_hypervisor;  /* before ACPI 6.3: skipped on bare metal */
    bool keeps_disabled_above_limit; /* an out-of-range x2APIC entry still takes a number */
    bool skips_broadcast_x2apic;     /* id 0xFFFFFFFF is an empty slot */
    bool skips_x2apic_below_255;     /* beside usable LAPIC entries */
    bool is_by_apic_id;              /* boot CPU registered first, BSP test, possible CPUs
                                        behind the present ones by ascending id */
};

struct amd_rules {
    enum compute_unit_rule compute_unit;
    enum sibling_source siblings;
    uint32_t node_mask;              /* of leaf 0x8000001E ECX */
    bool needs_leaf_80000008;        /* without it nothing is decided */
    bool has_core_id;                /* family 0x17 on: core id from leaf 0x8000001E EBX */
    bool asks_extended_leaf;         /* leaf 0xB or 0x1F overrides what was found */
    bool node_is_die;
    bool has_l3_arithmetic;          /* LLC id from leaf 0x8000001D on later families */
    uint32_t reduces_below_family;   /* core id modulo cores per node below this family */
    bool l3_row_by_type;             /* reworked: last 0x8000001D row counts by its type */
    bool tests_boot_extended;        /* reworked: "boot CPU had a usable leaf" decides */
};

struct extended_leaf_rules {
    bool asks_leaf_1f;
    bool reads_all_levels;           /* die level, package shift of the last level */
    bool siblings_are_maximum;       /* G_SIB never shrinks */
};

struct link_rules {
    bool counts_registered;          /* hasSMT, hasMP from the registered APIC ids */
    bool has_die_mask, has_cluster_mask;
    bool smt_needs_die, smt_needs_amd_node;
    bool die_needs_amd_node;
    bool primaries_first;            /* first threads come up before their siblings */
    bool limits_packages;            /* package ids must fit a table sized by boot MAXC */
    enum snc_rule snc;
};

struct cache_rules {
    bool has_l2_id;
    bool counts_per_cpu;             /* leaf 4 counted on each CPU, not on the boot CPU */
    bool has_id_file;
    bool l3_is_llc_mask;             /* AMD index 3 always shows the LLC mask */
    bool rejects_by_ways;            /* synthesised rows: associativity 0 or 9 is no cache */
    bool reads_l1_ways_plain;        /* leaf 0x80000005: a number, not a code of 0x80000006 */
};

struct node_rules {
    bool has_generic_initiators;     /* SRAT entries of type 5 allocate nodes */
    uint64_t smallest_bytes;         /* a node that spans less is ignored */
    bool counts_per_package;         /* nodes per package from SRAT */
};

struct sysfs_rules { bool has_die_files, has_cluster_files; };

struct rule_profile {
    const char *name;
    unsigned since_major, since_minor;  /* kernels from here on resemble this profile most */
    uint32_t vendors;                   /* bit per enum cpu_vendor with topology code */
    bool (*identify)(struct build *build);
    bool legacy_stops_at_one;           /* "detect HT" ends at one thread per package */
    struct extended_leaf_rules extended;
    struct amd_rules amd;
    struct numbering_rules numbering;
    struct node_rules node;
    struct link_rules link;
    struct cache_rules cache;
    struct sysfs_rules sysfs;
    struct domain_rules domains;
};

enum { RULE_PROFILE_COUNT = 7 };

/* Oldest first: linux-4.9-rfc1, linux-4.9, linux-4.10, linux-5.10, linux-6.1,
 * linux-6.12, linux-7.2. */
extern const struct rule_profile rule_profiles[RULE_PROFILE_COUNT];

const char *rules_name(const struct rule_profile *rules);
/* NULL for a name that is not a profile. */
const struct rule_profile *rules_find(const char *name);
uint32_t rules_bit(const struct rule_profile *rules); /* 1 << index */

/* The profile that resembles a kernel most, by the start of its release text
 * ("5.18.0-rc4"); NULL when that does not begin with two numbers. */
const struct rule_profile *rules_for_kernel(const char *release);

#endif
