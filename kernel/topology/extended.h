/* The extended topology leaf as the classic kernels read it. [rules 2.2] */
#ifndef KERNEL_TOPOLOGY_EXTENDED_H
#define KERNEL_TOPOLOGY_EXTENDED_H

#include "kernel/topology/build.h"

/* The leaf a profile uses on this CPU: the first of 0x1F and 0xB that is usable;
 * NULL: none. *leaf is its number. */
const struct leaf_rows *extended_leaf(struct build *build, uint32_t cpu, uint32_t *leaf);

/* XTOPO: CID, EID, CORE, PKG, DIE, MAXC and *siblings from that leaf. False: no
 * leaf is usable, nothing changed. */
bool extended_identify(struct build *build, uint32_t cpu, uint32_t *siblings);

#endif
