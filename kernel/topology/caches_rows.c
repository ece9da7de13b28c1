/* Cache rows by vendor: leaf 4, leaf 0x8000001D, or what leaves 0x80000005/6 amount to. */
#include "kernel/lib/bits.h"
#include "kernel/topology/caches.h"

enum { INDEX_L1D, INDEX_L1I, INDEX_L2, INDEX_L3, SYNTHESISED_ROWS };

enum { WAYS_FULL = 0xFFFF, WAYS_SEE_LEAF = 9 };

/* Associativity codes of leaf 0x80000006. [amd/vol3 E.4.4] */
static const uint16_t ways_of_code[16] = {
    [1] = 1, [2] = 2, [4] = 4, [6] = 8, [8] = 16, [0xA] = 32, [0xB] = 48, [0xC] = 64,
    [0xD] = 96, [0xE] = 128, [0xF] = WAYS_FULL,
};

static bool is_synthesised(const struct build *build, uint32_t cpu)
{
    return build_vendor(build, cpu) == VENDOR_AMD &&
           !build->out->cpus[cpu].ident.has_topoext;
}

static enum leaf_list list_of(const struct build *build, uint32_t cpu)
{
    enum cpu_vendor vendor = build_vendor(build, cpu);

    return vendor == VENDOR_AMD || vendor == VENDOR_HYGON ? LIST_LEAF_8000001D : LIST_LEAF_4;
}

static uint32_t synthesised_count(const struct cpu_leaves *leaves)
{
    if (leaves->max_extended < 0x80000006)
        return 0;
    return bits_get(leaves->l2_l3.edx, 15, 12) ? SYNTHESISED_ROWS : INDEX_L3;
}

uint32_t caches_count(const struct build *build, uint32_t cpu)
{
    uint32_t counted_on = build->rules->cache.counts_per_cpu ? cpu : build->order[0];

    if (build_vendor(build, cpu) == VENDOR_OTHER)
        return 0;
    if (is_synthesised(build, cpu))
        return synthesised_count(build_leaves(build, cpu));
    if (list_of(build, cpu) == LIST_LEAF_8000001D)
        counted_on = cpu;
    return build_leaves(build, counted_on)->list[list_of(build, cpu)].count;
}

static const char *type_name(uint32_t type)
{
    return type == 1 ? "Data" : type == 2 ? "Instruction" : "Unified";
}

static bool listed_row(const struct cpuid_regs *regs, struct cache_row *row)
{
    *row = (struct cache_row){
        .level = bits_get(regs->eax, 7, 5),
        .ways = bits_get(regs->ebx, 31, 22) + 1,
        .partitions = bits_get(regs->ebx, 21, 12) + 1,
        .line_bytes = bits_get(regs->ebx, 11, 0) + 1,
        .sets = regs->ecx + 1,
        .sharing = leaves_cache_sharing(regs),
        .type = type_name(leaves_cache_type(regs)),
    };
    row->size_bytes = (uint64_t)row->ways * row->partitions * row->line_bytes *
                      ((uint64_t)regs->ecx + 1);
    return true;
}

/* A descriptor of leaf 0x80000005: line, lines per tag, ways, KiB. Kernels before
 * 7.2 look the ways up in the table of leaf 0x80000006, where 8 means 16. */
static bool level1_row(uint32_t descriptor, bool is_plain, const char *type,
                       struct cache_row *row)
{
    uint32_t ways = bits_get(descriptor, 23, 16);

    *row = (struct cache_row){.level = 1, .type = type, .sharing = 1, .partitions = 1,
                              .line_bytes = bits_get(descriptor, 7, 0),
                              .ways = is_plain ? ways : ways_of_code[ways & 0xF],
                              .size_bytes = (uint64_t)bits_get(descriptor, 31, 24) << 10};
    return descriptor != 0;
}

static bool level2_row(uint32_t descriptor, struct cache_row *row)
{
    *row = (struct cache_row){.level = 2, .type = "Unified", .sharing = 1, .partitions = 1,
                              .line_bytes = bits_get(descriptor, 7, 0),
                              .ways = ways_of_code[bits_get(descriptor, 15, 12)],
                              .size_bytes = (uint64_t)bits_get(descriptor, 31, 16) << 10};
    return descriptor != 0;
}

static bool level3_row(uint32_t descriptor, struct cache_row *row)
{
    *row = (struct cache_row){.level = 3, .type = "Unified", .sharing = 1, .partitions = 1,
                              .line_bytes = bits_get(descriptor, 7, 0),
                              .ways = ways_of_code[bits_get(descriptor, 15, 12)],
                              .size_bytes = (uint64_t)bits_get(descriptor, 31, 18) << 19};
    return descriptor != 0;
}

static bool synthesised_row(const struct build *build, const struct cpu_leaves *leaves,
                            uint32_t index, struct cache_row *row)
{
    uint32_t descriptor = index == INDEX_L1D ? leaves->l1d_l1i.ecx
                        : index == INDEX_L1I ? leaves->l1d_l1i.edx
                        : index == INDEX_L2 ? leaves->l2_l3.ecx : leaves->l2_l3.edx;
    bool is_plain = build->rules->cache.reads_l1_ways_plain;
    bool is_there = index == INDEX_L1D ? level1_row(descriptor, is_plain, "Data", row)
                  : index == INDEX_L1I ? level1_row(descriptor, is_plain, "Instruction", row)
                  : index == INDEX_L2 ? level2_row(descriptor, row)
                  : level3_row(descriptor, row);

    if (build->rules->cache.rejects_by_ways) {
        uint32_t code = index <= INDEX_L1I ? bits_get(descriptor, 23, 16)
                                           : bits_get(descriptor, 15, 12);
        is_there = code != 0 && (index <= INDEX_L1I || code != WAYS_SEE_LEAF);
    }
    if (is_there && row->ways && row->line_bytes)
        row->sets = (uint32_t)(row->size_bytes / row->line_bytes / row->ways);
    return is_there;
}

bool caches_row(const struct build *build, uint32_t cpu, uint32_t index, struct cache_row *row)
{
    const struct cpu_leaves *leaves = build_leaves(build, cpu);

    if (is_synthesised(build, cpu))
        return synthesised_row(build, leaves, index, row);
    const struct leaf_rows *rows = &leaves->list[list_of(build, cpu)];
    return index < rows->count && listed_row(&rows->rows[index], row);
}
