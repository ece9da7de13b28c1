/* What the kernel says, or stays silent about, when linked CPUs are on different
 * NUMA nodes or in different packages. [rules 4.2, 4.8] */
#ifndef KERNEL_TOPOLOGY_LINK_NOTES_H
#define KERNEL_TOPOLOGY_LINK_NOTES_H

#include "kernel/topology/build.h"

void link_note_nodes(struct build *build);

#endif
