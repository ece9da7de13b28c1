/* One cache row as sysfs describes it, from leaf 4 or 0x8000001D, or put together
 * from leaves 0x80000005/6. [rules 6.1] */
#ifndef KERNEL_TOPOLOGY_CACHES_H
#define KERNEL_TOPOLOGY_CACHES_H

#include "kernel/topology/build.h"

struct cache_row {
    uint32_t level, ways, partitions, line_bytes, sets;
    uint32_t sharing;     /* APIC ids that share it */
    const char *type;
    uint64_t size_bytes;
};

/* How many indexes the profile looks at on this CPU. */
uint32_t caches_count(const struct build *build, uint32_t cpu);

/* Row `index` of a CPU; false: it is empty there. */
bool caches_row(const struct build *build, uint32_t cpu, uint32_t index, struct cache_row *row);

#endif
