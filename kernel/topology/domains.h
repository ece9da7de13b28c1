/* Scheduler levels of a profile: their masks, the domains built from them, and
 * what the kernel's two tests say about those. [rules 9] */
#ifndef KERNEL_TOPOLOGY_DOMAINS_H
#define KERNEL_TOPOLOGY_DOMAINS_H

#include "kernel/topology/domains_rules.h"
#include "kernel/topology/topology.h"

/* Fills levels, span, span_cpu_a, span_cpu_b and span_level of a topology whose
 * masks, nodes and distances are there, and adds masks to its table. False: the
 * arena is full. */
bool domains_build(const struct machine_facts *facts, const struct domain_rules *rules,
                   struct topology *topology, struct arena *arena);

/* The kernel throws away a domain of one CPU, one that spans no more than the one
 * below it, and a far one of a single group; what /proc/schedstat lists is what is
 * kept. */
bool domains_is_kept(const struct topology *topology, uint32_t level, uint32_t cpu);

#endif
