/* Looked up by level, because the order of the rows is each CPU's own. */
#include "kernel/measure/caches.h"

static uint32_t highest_level(const struct topology_cpu *cpu)
{
    uint32_t highest = 0;

    for (uint32_t i = 0; i < cpu->cache_count; i++)
        if (cpu->caches[i].type[0] != 'I' && cpu->caches[i].level > highest)
            highest = cpu->caches[i].level;
    return highest;
}

static uint64_t bytes_of_level(const struct topology_cpu *cpu, uint32_t level)
{
    for (uint32_t i = 0; i < cpu->cache_count; i++)
        if (cpu->caches[i].type[0] != 'I' && cpu->caches[i].level == level)
            return cpu->caches[i].size_bytes;
    return 0;
}

uint64_t caches_last_bytes(const struct topology_cpu *cpu)
{
    return bytes_of_level(cpu, highest_level(cpu));
}

uint64_t caches_middle_bytes(const struct topology_cpu *cpu)
{
    uint32_t level = highest_level(cpu);

    return level ? bytes_of_level(cpu, level - 1) : 0;
}
