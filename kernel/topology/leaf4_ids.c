/* Cache ids of Intel, and of Centaur and Zhaoxin where a profile knows them: the
 * APIC id with the low bits cleared that the sharers differ in. */
#include "kernel/lib/bits.h"
#include "kernel/topology/build.h"

enum { SMALLEST_CACHE_BYTES = 1024 };

static uint64_t cache_bytes(const struct cpuid_regs *row)
{
    return (uint64_t)(bits_get(row->ebx, 31, 22) + 1) * (bits_get(row->ebx, 21, 12) + 1) *
           (bits_get(row->ebx, 11, 0) + 1) * ((uint64_t)row->ecx + 1);
}

/* Row i of leaf 4. The count may be the boot CPU's: a row of type 0 is passed over then,
 * and what stands behind it counts. */
static bool cache_at(const struct build *build, uint32_t cpu, uint32_t i, struct cpuid_regs *row)
{
    const struct leaf_rows *rows = &build_leaves(build, cpu)->list[LIST_LEAF_4];
    const struct machine_facts *facts = build->leaves->facts;

    if (i < rows->count) {
        *row = rows->rows[i];
        return true;
    }
    return facts_cpuid(facts, &facts->cpus[build->out->cpus[cpu].fact], 4, i, row) !=
               CPUID_ABSENT && leaves_cache_type(row);
}

void leaf4_ids(struct build *build, uint32_t cpu, uint32_t count)
{
    const struct cpu_leaves *leaves = build_leaves(build, cpu);
    struct topology_cpu *out = &build->out->cpus[cpu];

    if (leaves->max_basic >= 4) {
        build_needs(build, cpu, ROW_LEAF_4, 4);
        uint32_t l2 = TOPOLOGY_NO_ID, l3 = TOPOLOGY_NO_ID;
        bool has_l2 = false, has_l3 = false;

        for (uint32_t i = 0; i < count; i++) {
            struct cpuid_regs row;

            if (!cache_at(build, cpu, i, &row))
                continue;
            uint32_t level = bits_get(row.eax, 7, 5);
            unsigned shift = bits_order(leaves_cache_sharing(&row));
            uint32_t id = out->ident.eid & ~bits_ones(shift);

            if (level == 2) {
                l2 = id;
                has_l2 = cache_bytes(&row) >= SMALLEST_CACHE_BYTES;
            } else if (level == 3) {
                l3 = id;
                has_l3 = cache_bytes(&row) >= SMALLEST_CACHE_BYTES;
            }
        }
        if (has_l2) {
            out->llc_id = l2;
            if (build->rules->cache.has_l2_id)
                out->cluster_id = l2;
        }
        if (has_l3)
            out->llc_id = l3;
    }
    if (out->llc_id == TOPOLOGY_NO_ID)
        out->llc_id = out->package_id;
    out->ident.l2_id = out->cluster_id;
}
