/* The seven profiles. What is not named in an initialiser is off, zero or "not
 * known to that kernel". [rules 10 lists the differences one by one] */
#include "kernel/topology/rules.h"

#include <stddef.h>
#include <string.h>

#include "kernel/topology/build.h"

#define VENDORS_4_X (1u << VENDOR_INTEL | 1u << VENDOR_AMD)
#define VENDORS_ALL (VENDORS_4_X | 1u << VENDOR_HYGON | 1u << VENDOR_CENTAUR | 1u << VENDOR_ZHAOXIN)

enum { FAMILY_ZEN = 0x17, ANY_FAMILY = 0xFFFF };

/* What the three kernels of early 2017 have in common. */
#define COMMON_4_X \
    .vendors = VENDORS_4_X, \
    .identify = identify_classic, \
    .legacy_stops_at_one = true, \
    .numbering = {.disabled_takes_number = true, .keeps_disabled_above_limit = true}, \
    .node = {.smallest_bytes = 4 << 20}, \
    .link = {.limits_packages = true}, \
    .domains = {.package_level = "DIE", .distances = DISTANCES_OF_NODE_0, \
                .span_form = SPAN_FORM_NONE}

/* AMD in the last classic kernels. */
#define AMD_5_10 { \
    .compute_unit = COMPUTE_UNIT_OR_NONE, .siblings = SIBLINGS_EARLY, .node_mask = 0xFF, \
    .has_core_id = true, .asks_extended_leaf = true, .node_is_die = true, \
    .has_l3_arithmetic = true, .reduces_below_family = FAMILY_ZEN, \
}

#define EXTENDED_5_10 {.asks_leaf_1f = true, .reads_all_levels = true, .siblings_are_maximum = true}

const struct rule_profile rule_profiles[RULE_PROFILE_COUNT] = {
    {
        .name = "linux-4.9-rfc1",
        COMMON_4_X,
        .since_major = UINT16_MAX, /* a patch on a list, never a release */
        .amd = {.compute_unit = COMPUTE_UNIT_ZERO, .siblings = SIBLINGS_WITH_NODE,
                .node_mask = 7, .needs_leaf_80000008 = true,
                .reduces_below_family = ANY_FAMILY},
    },
    {
        .name = "linux-4.9",
        COMMON_4_X,
        .since_major = 0,
        .amd = {.compute_unit = COMPUTE_UNIT_UNKNOWN, .siblings = SIBLINGS_NOT_READ,
                .node_mask = 7, .needs_leaf_80000008 = true,
                .reduces_below_family = ANY_FAMILY},
    },
    {
        .name = "linux-4.10",
        COMMON_4_X,
        .since_major = 4, .since_minor = 10,
        .amd = {.compute_unit = COMPUTE_UNIT_OR_NONE, .siblings = SIBLINGS_WITH_NODE,
                .node_mask = 0xFF, .needs_leaf_80000008 = true, .has_core_id = true,
                .reduces_below_family = ANY_FAMILY},
        .cache = {.has_id_file = true},
    },
    {
        .name = "linux-5.10",
        .since_major = 5, .since_minor = 3, /* die lists */
        .vendors = VENDORS_ALL,
        .identify = identify_classic,
        .extended = EXTENDED_5_10,
        .amd = AMD_5_10,
        .numbering = {.skips_broadcast_x2apic = true},
        .node = {.has_generic_initiators = true},
        .link = {.has_die_mask = true, .smt_needs_die = true, .snc = SNC_INTEL_FAMILY_6},
        .cache = {.has_id_file = true, .l3_is_llc_mask = true},
        .sysfs = {.has_die_files = true},
        .domains = {.package_level = "DIE", .has_node_level = true, .last_zen_family = 0x19,
                    .distances = DISTANCES_OF_ALL_NODES, .span_form = SPAN_FORM_ALL_PAIRS},
    },
    {
        .name = "linux-6.1",
        .since_major = 5, .since_minor = 16, /* cluster lists */
        .vendors = VENDORS_ALL,
        .identify = identify_classic,
        .extended = EXTENDED_5_10,
        .amd = AMD_5_10,
        .numbering = {.skips_broadcast_x2apic = true, .disabled_needs_capable = true},
        .node = {.has_generic_initiators = true},
        .link = {.has_die_mask = true, .has_cluster_mask = true, .smt_needs_die = true,
                 .snc = SNC_INTEL_FAMILY_6},
        .cache = {.has_id_file = true, .l3_is_llc_mask = true, .has_l2_id = true},
        .sysfs = {.has_die_files = true, .has_cluster_files = true},
        .domains = {.package_level = "DIE", .has_cluster_level = true, .has_hybrid_list = true,
                    .has_node_level = true, .last_zen_family = 0x19,
                    .distances = DISTANCES_OF_CPU_NODES, .span_form = SPAN_FORM_ALL_PAIRS},
    },
    {
        .name = "linux-6.12",
        .since_major = 6, .since_minor = 9, /* the rework */
        .vendors = VENDORS_ALL,
        .identify = identify_reworked,
        .amd = {.compute_unit = COMPUTE_UNIT_OR_NONE},
        .numbering = {.skips_broadcast_x2apic = true, .disabled_needs_capable = true,
                      .disabled_needs_hypervisor = true, .skips_x2apic_below_255 = true,
                      .is_by_apic_id = true},
        .node = {.has_generic_initiators = true},
        .link = {.has_die_mask = true, .has_cluster_mask = true, .smt_needs_die = true,
                 .smt_needs_amd_node = true, .die_needs_amd_node = true,
                 .counts_registered = true, .primaries_first = true,
                 .snc = SNC_INTEL_ANY_FAMILY},
        .cache = {.has_id_file = true, .l3_is_llc_mask = true, .has_l2_id = true,
                  .counts_per_cpu = true},
        .sysfs = {.has_die_files = true, .has_cluster_files = true},
        .domains = {.package_level = "PKG", .has_cluster_level = true, .has_node_level = true,
                    .last_zen_family = 0x1A,
                    .distances = DISTANCES_OF_CPU_NODES, .span_form = SPAN_FORM_HALF_PAIRS},
    },
    {
        .name = "linux-7.2",
        .since_major = 6, .since_minor = 16, /* the one-pass span check */
        .vendors = VENDORS_ALL,
        .identify = identify_reworked,
        .amd = {.compute_unit = COMPUTE_UNIT_OR_NONE, .tests_boot_extended = true},
        .numbering = {.skips_broadcast_x2apic = true, .disabled_needs_capable = true,
                      .disabled_needs_hypervisor = true, .skips_x2apic_below_255 = true,
                      .is_by_apic_id = true},
        .node = {.has_generic_initiators = true, .counts_per_package = true},
        .link = {.has_die_mask = true, .has_cluster_mask = true, .smt_needs_die = true,
                 .smt_needs_amd_node = true, .die_needs_amd_node = true,
                 .counts_registered = true, .primaries_first = true,
                 .snc = SNC_INTEL_ANY_FAMILY},
        .cache = {.has_id_file = true, .l3_is_llc_mask = true, .has_l2_id = true,
                  .counts_per_cpu = true, .rejects_by_ways = true, .reads_l1_ways_plain = true},
        .sysfs = {.has_die_files = true, .has_cluster_files = true},
        .domains = {.package_level = "PKG", .has_cluster_level = true, .drops_unused_smt = true,
                    .has_node_level = true, .averages_snc_distances = true,
                    .last_zen_family = 0x1A,
                    .distances = DISTANCES_OF_CPU_NODES, .span_form = SPAN_FORM_SINGLE_PASS},
    },
};

static const char *read_number(const char *text, unsigned *value)
{
    if (*text < '0' || *text > '9')
        return NULL;
    for (*value = 0; *text >= '0' && *text <= '9' && *value < 10000; text++)
        *value = *value * 10 + (unsigned)(*text - '0');
    return text;
}

const char *rules_name(const struct rule_profile *rules)
{
    return rules->name;
}

const struct rule_profile *rules_find(const char *name)
{
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        if (strcmp(rule_profiles[i].name, name) == 0)
            return &rule_profiles[i];
    return NULL;
}

uint32_t rules_bit(const struct rule_profile *rules)
{
    return 1u << (rules - rule_profiles);
}

const struct rule_profile *rules_for_kernel(const char *release)
{
    const struct rule_profile *best = NULL;
    unsigned major, minor;
    const char *rest = read_number(release, &major);

    if (!rest || *rest != '.' || !read_number(rest + 1, &minor))
        return NULL;
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++) {
        const struct rule_profile *rules = &rule_profiles[i];

        if (rules->since_major < major ||
            (rules->since_major == major && rules->since_minor <= minor))
            best = rules;
    }
    return best;
}
