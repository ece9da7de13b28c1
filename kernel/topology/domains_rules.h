/* What differs between Linux generations about scheduler levels, as data of a
 * rule profile. [rules 9.1, 9.2, 9.3] */
#ifndef KERNEL_TOPOLOGY_DOMAINS_RULES_H
#define KERNEL_TOPOLOGY_DOMAINS_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* topology_span_sane: is a level's set of masks pairwise equal or disjoint? */
enum span_form {
    SPAN_FORM_NONE,        /* the profile has no such check */
    SPAN_FORM_ALL_PAIRS,   /* every CPU against every other, level by level */
    SPAN_FORM_HALF_PAIRS,  /* every CPU against those of a higher number */
    SPAN_FORM_SINGLE_PASS, /* one pass over a level, each class named by its lowest CPU */
};

/* Between which nodes the kernel looks for distinct distances. */
enum domain_distances { DISTANCES_OF_NODE_0, DISTANCES_OF_ALL_NODES, DISTANCES_OF_CPU_NODES };

struct domain_rules {
    const char *package_level;     /* "DIE" or "PKG": the level with the mask of a NUMA node */
    bool has_cluster_level;
    bool has_hybrid_list;          /* a hybrid boot CPU gets SMT, MC and the package level */
    bool drops_unused_smt;         /* no SMT level where cores have one thread */
    bool has_node_level;           /* NODE below the NUMA levels */
    bool averages_snc_distances;   /* SLIT fix-up of Granite Rapids X, Darkmont X [rules 9.5] */
    uint32_t last_zen_family;      /* AMD families 0x17 to this count distance 32 as near */
    enum domain_distances distances;
    enum span_form span_form;
};

#endif
