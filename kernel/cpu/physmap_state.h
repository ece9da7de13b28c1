/* What paging.c leaves behind for physmap.c. */
#ifndef KERNEL_CPU_PHYSMAP_STATE_H
#define KERNEL_CPU_PHYSMAP_STATE_H

#include <stdint.h>

#include "kernel/cpu/pagetable.h"

struct physmap_state {
    struct pagetable table;
    uint64_t image_physical;
};

extern struct physmap_state physmap_state;

#endif
