/* What each profile concludes, and where the profiles part: what a firmware
 * engineer reads in ten seconds. */
#ifndef KERNEL_TOPOLOGY_PARTING_H
#define KERNEL_TOPOLOGY_PARTING_H

#include "kernel/lib/textbuf.h"
#include "kernel/topology/topology.h"

/* `topologies` is indexed by profile; those whose bit is set in `profiles` were
 * built. Lines of at most 80 columns. The arena is scratch; false: it is full. */
bool parting_put(struct textbuf *out, const struct topology *topologies, uint32_t profiles,
                 struct arena *arena);

/* One line without an end: "1 package, 4 cores of 2 threads, 1 LLC". */
bool parting_put_summary(struct textbuf *out, const struct topology *topology,
                         struct arena *arena);

#endif
