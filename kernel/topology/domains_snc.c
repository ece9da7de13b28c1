/* The SLIT fix-up of linux-7.2 for sub-NUMA clusters: the distances between two
 * packages become one number, so that a package stays one step away. [rules 9.5] */
#include "kernel/topology/domains_levels.h"

#include <string.h>

#include "kernel/lib/bits.h"

enum { GRANITE_RAPIDS_X = 0xAD, DARKMONT_X = 0xDD, SNC_NODES_MIN = 3 };

static bool is_snc_part(const struct machine_facts *facts, const struct topology *topology)
{
    const struct topology_cpu *boot = &topology->cpus[0];
    struct cpuid_regs vendor, version;

    if (topology->cpu_count == 0 || boot->fact == FACTS_NO_CPU)
        return false;
    facts_cpuid(facts, &facts->cpus[boot->fact], 0, 0, &vendor);
    facts_cpuid(facts, &facts->cpus[boot->fact], 1, 0, &version);
    uint32_t model = bits_get(version.eax, 7, 4) | bits_get(version.eax, 19, 16) << 4;
    return vendor.ebx == 0x756E6547 && vendor.edx == 0x49656E69 && vendor.ecx == 0x6C65746E &&
           bits_get(version.eax, 11, 8) == 6 &&
           (model == GRANITE_RAPIDS_X || model == DARKMONT_X);
}

/* The package all CPUs of a block of nodes are in; false when there are two, or no CPU. */
static bool package_of_block(const struct topology *topology, uint32_t block, uint32_t size,
                             uint32_t *package)
{
    bool has_package = false;

    CPUMASK_FOR_EACH(cpu, &topology->online) {
        const struct topology_cpu *one = &topology->cpus[cpu];
        uint32_t node = 0;

        while (node < topology->node_count && topology->nodes[node].node != (uint32_t)one->node)
            node++;
        if (node / size != block)
            continue;
        if (has_package && one->package_id != *package)
            return false;
        *package = one->package_id;
        has_package = true;
    }
    return has_package;
}

static bool is_block_symmetric(const struct topology *topology, uint32_t block, uint32_t size)
{
    for (uint32_t a = block * size; a < (block + 1) * size; a++)
        for (uint32_t b = block * size; b < a; b++)
            if (topology->distances[a * topology->node_count + b] !=
                topology->distances[b * topology->node_count + a])
                return false;
    return true;
}

static bool has_expected_form(const struct topology *topology, uint32_t size)
{
    uint32_t package = 0, before = 0;

    if (topology->node_count % size != 0)
        return false;
    for (uint32_t block = 0; block < topology->node_count / size; block++) {
        if (!is_block_symmetric(topology, block, size) ||
            !package_of_block(topology, block, size, &package) || (block > 0 && package == before))
            return false;
        before = package;
    }
    return true;
}

static uint32_t sum_of_block(const struct topology *topology, uint32_t row, uint32_t column,
                             uint32_t size)
{
    uint32_t sum = 0;

    for (uint32_t a = row * size; a < (row + 1) * size; a++)
        for (uint32_t b = column * size; b < (column + 1) * size; b++)
            sum += topology->distances[a * topology->node_count + b];
    return sum;
}

static void average_blocks(const struct topology *topology, uint32_t size, uint32_t *distances)
{
    uint32_t count = topology->node_count;

    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            if (a / size != b / size)
                distances[a * count + b] =
                    (sum_of_block(topology, a / size, b / size, size) +
                     sum_of_block(topology, b / size, a / size, size)) / (2 * size * size);
}

const uint32_t *domains_distances(const struct machine_facts *facts,
                                  const struct topology *topology, struct arena *arena,
                                  bool *is_refused)
{
    uint32_t count = topology->node_count, size = topology->nodes_per_package;
    uint32_t *distances;

    *is_refused = false;
    if (size < SNC_NODES_MIN || count < 2 * size || !is_snc_part(facts, topology))
        return topology->distances;
    if (!has_expected_form(topology, size)) {
        *is_refused = true;
        return topology->distances;
    }
    distances = ARENA_NEW(arena, uint32_t, (size_t)count * count);
    if (!distances)
        return NULL;
    memcpy(distances, topology->distances, (size_t)count * count * sizeof(*distances));
    average_blocks(topology, size, distances);
    return distances;
}
