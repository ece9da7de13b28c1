/* Compares measured groups with what every profile claims: for each kind of mask,
 * does a measured border agree with the claimed one, contradict it, or can nobody
 * tell? Masks are never changed by the answer. */
#ifndef KERNEL_STATS_AGREEMENT_H
#define KERNEL_STATS_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/stats/measured_results.h"
#include "kernel/topology/findings.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

/* Needs `cpus`, `latency` and `groups` of the results, and looks at `contention` when it
 * is there. topologies[i] is NULL for a profile that was not built. False: an arena is
 * full. */
bool agreement_build(const struct measured_results *results,
                     const struct topology *const topologies[RULE_PROFILE_COUNT],
                     struct arena *arena, struct arena *scratch, struct measured_agreement *out);

/* One finding per row that disagrees. In a virtual machine there is none, unless the
 * costs were injected, which the source then says. */
void agreement_findings(const struct measured_results *results, struct findings *findings);

const char *agreement_name(enum agreement agreement);       /* "agree", "wider", … */
const char *agreement_kind_name(enum topology_mask kind);   /* "SMT", "LLC", … */

#endif
