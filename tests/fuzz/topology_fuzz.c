/* Facts that lie, under all seven profiles: no crash, no hang, no memory beyond
 * the arena, and no mask with a CPU that does not exist. */
#include <stdlib.h>

#include "kernel/facts/facts_read.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

enum { ARENA_BYTES = 64 << 20 };

static uint8_t memory[ARENA_BYTES];

static void check_masks(const struct topology *topology)
{
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
        const struct topology_cpu *one = &topology->cpus[cpu];

        for (unsigned mask = 0; one->is_online && mask < TOPOLOGY_MASK_KINDS; mask++) {
            if (one->mask[mask] == MASKS_NONE)
                continue;
            const struct cpumask *set = &topology->masks[one->mask[mask]];
            if (!cpumask_has(set, cpu) || !cpumask_is_subset(set, &topology->online))
                abort();
        }
        for (uint32_t i = 0; i < one->cache_count; i++)
            if (!cpumask_has(&topology->masks[one->caches[i].shared_mask], cpu))
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct topology topologies[RULE_PROFILE_COUNT];
    struct machine_facts facts;
    struct expectations expectations;
    struct input_error error;
    struct arena arena;

    arena_init(&arena, memory, sizeof memory);
    if (!facts_read((const char *)bytes, length, "fuzz", &arena, &facts, &expectations, &error) ||
        !topology_build_all(&facts, (1u << RULE_PROFILE_COUNT) - 1, &arena, topologies))
        return 0;
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        check_masks(&topologies[i]);
    return 0;
}
