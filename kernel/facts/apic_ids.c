/* The local APIC's id of CPUs that only have CPUID rows. No leaf is right on
 * every machine: firmware renumbers family 15h parts without changing leaf 1,
 * Bochs gives every CPU the boot CPU's leaf 0x8000001E. An id that two CPUs
 * share cannot be theirs, so the first source without a pair is taken. */
#include <stdlib.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/bits.h"

typedef bool (*id_source)(const struct machine_facts *facts, const struct cpu_facts *cpu,
                          uint32_t *apic_id);

static bool id_from_topology_leaf(const struct machine_facts *facts, const struct cpu_facts *cpu,
                                  uint32_t leaf, uint32_t max_leaf, uint32_t *apic_id)
{
    struct cpuid_regs regs;

    if (max_leaf < leaf || facts_cpuid(facts, cpu, leaf, 0, &regs) != CPUID_RECORDED || !regs.ebx)
        return false;
    *apic_id = regs.edx;
    return true;
}

static bool id_from_leaf_1f(const struct machine_facts *facts, const struct cpu_facts *cpu,
                            uint32_t *apic_id)
{
    return id_from_topology_leaf(facts, cpu, 0x1F, facts_max_basic_leaf(facts, cpu), apic_id);
}

static bool id_from_leaf_b(const struct machine_facts *facts, const struct cpu_facts *cpu,
                           uint32_t *apic_id)
{
    return id_from_topology_leaf(facts, cpu, 0xB, facts_max_basic_leaf(facts, cpu), apic_id);
}

static bool id_from_leaf_80000026(const struct machine_facts *facts, const struct cpu_facts *cpu,
                                  uint32_t *apic_id)
{
    return id_from_topology_leaf(facts, cpu, 0x80000026, facts_max_extended_leaf(facts, cpu),
                                 apic_id);
}

/* Valid only with TOPOEXT, leaf 0x80000001 ECX[22]. [amd/vol3 E.4.15] */
static bool id_from_leaf_8000001e(const struct machine_facts *facts, const struct cpu_facts *cpu,
                                  uint32_t *apic_id)
{
    struct cpuid_regs regs;

    if (facts_max_extended_leaf(facts, cpu) < 0x8000001E)
        return false;
    facts_cpuid(facts, cpu, 0x80000001, 0, &regs);
    if (!bits_test(regs.ecx, 22) ||
        facts_cpuid(facts, cpu, 0x8000001E, 0, &regs) != CPUID_RECORDED)
        return false;
    *apic_id = regs.eax;
    return true;
}

static bool id_from_leaf_1(const struct machine_facts *facts, const struct cpu_facts *cpu,
                           uint32_t *apic_id)
{
    struct cpuid_regs regs;

    if (facts_cpuid(facts, cpu, 1, 0, &regs) != CPUID_RECORDED)
        return false;
    *apic_id = bits_get(regs.ebx, 31, 24);
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/* Every CPU that answered has an id from this source and no two are equal. */
static bool source_tells_all_apart(const struct machine_facts *facts, id_source source,
                                   uint32_t *ids)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < facts->cpu_count; i++)
        if (facts->cpus[i].row_count && !source(facts, &facts->cpus[i], &ids[count++]))
            return false;
    qsort(ids, count, sizeof(*ids), compare_ids);
    for (uint32_t i = 1; i < count; i++)
        if (ids[i - 1] == ids[i])
            return false;
    return true;
}

void facts_fill_apic_ids(struct machine_facts *facts, struct arena *arena)
{
    static const id_source sources[] = {id_from_leaf_1f, id_from_leaf_b, id_from_leaf_80000026,
                                        id_from_leaf_8000001e};
    uint32_t *ids = ARENA_NEW(arena, uint32_t, facts->cpu_count);
    id_source source = id_from_leaf_1;

    for (size_t i = 0; ids && i < sizeof(sources) / sizeof(sources[0]); i++) {
        if (source_tells_all_apart(facts, sources[i], ids)) {
            source = sources[i];
            break;
        }
    }
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        struct cpu_facts *cpu = &facts->cpus[i];

        if (!cpu->has_apic_id && cpu->row_count)
            source(facts, cpu, &cpu->apic_id);
        if (!cpu->has_madt_apic_id)
            cpu->madt_apic_id = cpu->apic_id;
    }
}
