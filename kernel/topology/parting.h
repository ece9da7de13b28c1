/* What each profile concludes, and where the profiles part: what a firmware
 * engineer reads in ten seconds. */
#ifndef KERNEL_TOPOLOGY_PARTING_H
#define KERNEL_TOPOLOGY_PARTING_H

#include "kernel/lib/textbuf.h"
#include "kernel/topology/topology.h"

/* `topologies` is indexed by profile; NULL: not built. Lines of at most 80 columns. The
 * arena is scratch and left as it was; false: it has not a byte for every mask. */
bool parting_put(struct textbuf *out, const struct topology *const *topologies,
                 struct arena *arena);

/* Groups of built profiles that conclude the same; 1: all agree, 0: none was built. */
uint32_t parting_count(const struct topology *const *topologies);

/* One line without an end: "1 package, 4 cores of 2 threads, 1 LLC". */
bool parting_put_summary(struct textbuf *out, const struct topology *topology,
                         struct arena *arena);

#endif
