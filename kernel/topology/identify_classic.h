/* What the files of the classic pipeline share: state that survives from one CPU
 * to the next. [rules 2] */
#ifndef KERNEL_TOPOLOGY_IDENTIFY_CLASSIC_H
#define KERNEL_TOPOLOGY_IDENTIFY_CLASSIC_H

#include "kernel/topology/build.h"

struct classic {
    struct build *build;
    uint32_t siblings;           /* G_SIB: one variable for the whole system */
    uint32_t nodes_per_socket;   /* G_NPS: set once by the boot CPU */
    uint32_t boot_leaf4_count;
    bool boot_has_topoext;       /* the boot CPU's bit and-ed with all that came up */
    bool boot_has_hypervisor;
};

/* Vendor steps of AMD and Hygon. [rules 2.4, 2.5] */
void classic_amd(struct classic *classic, uint32_t cpu);
void classic_hygon(struct classic *classic, uint32_t cpu);
/* Boot CPU only, before everything else. */
void classic_amd_boot(struct classic *classic);

#endif
