/* The list of scheduler levels of a profile and the raw mask of every CPU in
 * each. [rules 9.1, 9.2, 9.5] */
#ifndef KERNEL_TOPOLOGY_DOMAINS_LEVELS_H
#define KERNEL_TOPOLOGY_DOMAINS_LEVELS_H

#include "kernel/topology/domains_rules.h"
#include "kernel/topology/masks.h"
#include "kernel/topology/topology.h"

/* Fills topology->levels, without the spans. False: the arena is full. */
bool domains_list_levels(const struct machine_facts *facts, const struct domain_rules *rules,
                         struct topology *topology, struct arena *arena);

/* The distances that domains are built from: those of the topology, or averaged
 * between packages on parts with sub-NUMA clusters whose SLIT has the form 7.2
 * expects. *is_refused: a part that wants it has a SLIT of another form. NULL: the
 * arena is full. */
const uint32_t *domains_distances(const struct machine_facts *facts,
                                  const struct topology *topology, struct arena *arena,
                                  bool *is_refused);

#endif
