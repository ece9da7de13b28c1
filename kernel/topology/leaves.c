/* One pass over the recorded rows of each CPU, shared by all profiles. */
#include "kernel/topology/leaves.h"

#include <string.h>

#include "kernel/lib/bits.h"

enum {
    MSR_AMD_NODE_ID = 0xC001100C,
    XAPIC_LAST_ID = 254, /* 255 is the broadcast id */
};

static const struct { uint32_t leaf; bool is_cache; enum leaf_row row; } lists[LIST_COUNT] = {
    [LIST_LEAF_B] = {0xB, false, ROW_LEAF_B},
    [LIST_LEAF_1F] = {0x1F, false, ROW_LEAF_1F},
    [LIST_LEAF_80000026] = {0x80000026, false, ROW_LEAF_80000026},
    [LIST_LEAF_4] = {4, true, ROW_LEAF_4},
    [LIST_LEAF_8000001D] = {0x8000001D, true, ROW_LEAF_8000001D},
};

/* A row of a CPU; missing rows are remembered, they matter only when asked for. */
static struct cpuid_regs read_row(const struct machine_facts *facts, const struct cpu_facts *cpu,
                                  struct cpu_leaves *out, uint32_t leaf, enum leaf_row row)
{
    struct cpuid_regs regs;

    if (facts_cpuid(facts, cpu, leaf, 0, &regs) == CPUID_ABSENT)
        out->absent |= 1u << row;
    return regs;
}

static enum cpu_vendor vendor_of(const struct cpuid_regs *leaf0)
{
    static const struct { char name[13]; enum cpu_vendor vendor; } known[] = {
        {"GenuineIntel", VENDOR_INTEL}, {"AuthenticAMD", VENDOR_AMD},
        {"HygonGenuine", VENDOR_HYGON}, {"CentaurHauls", VENDOR_CENTAUR},
        {"  Shanghai  ", VENDOR_ZHAOXIN},
    };
    uint32_t words[3] = {leaf0->ebx, leaf0->edx, leaf0->ecx};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (memcmp(words, known[i].name, sizeof words) == 0)
            return known[i].vendor;
    return VENDOR_OTHER;
}

/* Hypervisors that the kernels detect themselves; QEMU's own emulation ("TCGTCGTCGTCG")
 * is not among them. [rules 12] */
static bool is_known_hypervisor(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    static const char known[][13] = {"KVMKVMKVM\0\0", "VMwareVMware", "Microsoft Hv",
                                     "XenVMMXenVMM", "ACRNACRNACRN", "Jailhouse\0\0"};
    struct cpuid_regs regs;

    if (facts_cpuid(facts, cpu, 0x40000000, 0, &regs) != CPUID_RECORDED)
        return false;
    uint32_t words[3] = {regs.ebx, regs.ecx, regs.edx};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (memcmp(words, known[i], sizeof words) == 0)
            return true;
    return false;
}

static void decode_basic(const struct machine_facts *facts, const struct cpu_facts *cpu,
                         struct cpu_leaves *out)
{
    struct cpuid_regs leaf0 = read_row(facts, cpu, out, 0, ROW_LEAF_0);
    struct cpuid_regs leaf1 = {0};

    out->vendor = vendor_of(&leaf0);
    out->max_basic = leaf0.eax;
    if (leaf0.eax >= 1)
        leaf1 = read_row(facts, cpu, out, 1, ROW_LEAF_1);
    out->family = bits_get(leaf1.eax, 11, 8);
    out->model = bits_get(leaf1.eax, 7, 4);
    if (out->family == 15)
        out->family += bits_get(leaf1.eax, 27, 20);
    if (out->family >= 6)
        out->model += bits_get(leaf1.eax, 19, 16) << 4;
    out->apic_id_leaf1 = bits_get(leaf1.ebx, 31, 24);
    out->nproc = bits_get(leaf1.ebx, 23, 16);
    out->has_htt = bits_test(leaf1.edx, 28);
    out->has_hypervisor = bits_test(leaf1.ecx, 31);
    out->is_known_hypervisor = out->has_hypervisor && is_known_hypervisor(facts, cpu);
}

static void decode_extended(const struct machine_facts *facts, const struct cpu_facts *cpu,
                            struct cpu_leaves *out)
{
    struct cpuid_regs features = {0};

    out->max_extended = facts_max_extended_leaf(facts, cpu);
    if (out->max_extended >= 0x80000001)
        features = read_row(facts, cpu, out, 0x80000001, ROW_LEAF_80000001);
    out->has_cmp_legacy = bits_test(features.ecx, 1);
    out->has_node_id_msr = bits_test(features.ecx, 19);
    out->has_topoext = bits_test(features.ecx, 22);
    if (out->max_extended >= 0x80000005)
        out->l1d_l1i = read_row(facts, cpu, out, 0x80000005, ROW_LEAF_80000005);
    if (out->max_extended >= 0x80000006)
        out->l2_l3 = read_row(facts, cpu, out, 0x80000006, ROW_LEAF_80000006);
    out->has_core_count = out->max_extended >= 0x80000008;
    if (out->has_core_count)
        out->sizes = read_row(facts, cpu, out, 0x80000008, ROW_LEAF_80000008);
    /* The kernels read leaf 0x8000001E wherever TOPOEXT is set, without a range test;
     * where only the CPUs before this one have it, they still read it here. */
    if (out->has_topoext || out->max_extended >= 0x8000001E)
        out->amd_ids = read_row(facts, cpu, out, 0x8000001E, ROW_LEAF_8000001E);
}

static void decode_node_msr(const struct cpu_facts *cpu, struct cpu_leaves *out)
{
    const struct msr_row *msr = facts_msr(cpu, MSR_AMD_NODE_ID);

    if (!msr || msr->has_faulted)
        out->absent |= 1u << ROW_MSR_NODE_ID;
    else
        out->node_id_msr = (uint32_t)msr->value;
}

static bool list_is_in_range(const struct cpu_leaves *cpu, enum leaf_list list)
{
    uint32_t leaf = lists[list].leaf;

    if (list == LIST_LEAF_8000001D && (cpu->has_topoext || cpu->vendor == VENDOR_HYGON))
        return true;
    return (leaf >> 31 ? cpu->max_extended : cpu->max_basic) >= leaf;
}

static bool decode_list(const struct machine_facts *facts, const struct cpu_facts *cpu,
                        struct cpu_leaves *out, enum leaf_list list, struct arena *arena)
{
    struct cpuid_regs rows[LEAVES_ROWS_MAX];
    struct leaf_rows *found = &out->list[list];
    uint32_t count = 0;

    if (!list_is_in_range(out, list))
        return true;
    for (; count < LEAVES_ROWS_MAX; count++) {
        struct cpuid_regs *row = &rows[count];

        found->is_absent = facts_cpuid(facts, cpu, lists[list].leaf, count, row) == CPUID_ABSENT;
        if (found->is_absent ||
            !(lists[list].is_cache ? leaves_cache_type(row) : leaves_level_type(row)))
            break;
    }
    found->is_endless = count == LEAVES_ROWS_MAX;
    if (found->is_absent)
        out->absent |= 1u << lists[list].row;
    found->count = count;
    found->rows = ARENA_NEW(arena, struct cpuid_regs, count);
    if (count && found->rows)
        memcpy(found->rows, rows, count * sizeof rows[0]);
    return found->rows != NULL;
}

static bool decode_cpu(const struct machine_facts *facts, const struct cpu_facts *cpu,
                       struct cpu_leaves *out, struct arena *arena)
{
    decode_basic(facts, cpu, out);
    decode_extended(facts, cpu, out);
    decode_node_msr(cpu, out);
    out->hwid = cpu->apic_id;
    out->is_hwid_read = cpu->has_apic_id;
    for (enum leaf_list list = 0; list < LIST_COUNT; list++)
        if (!decode_list(facts, cpu, out, list, arena))
            return false;
    return true;
}

bool leaves_decode(const struct machine_facts *facts, struct arena *arena, struct leaves *out)
{
    *out = (struct leaves){.facts = facts, .was_x2apic = facts->is_x2apic_at_handover};
    out->cpus = ARENA_NEW(arena, struct cpu_leaves, facts->cpu_count);
    for (uint32_t i = 0; out->cpus && i < facts->cpu_count; i++) {
        if (!decode_cpu(facts, &facts->cpus[i], &out->cpus[i], arena))
            return false;
        /* A record that does not say: a CPU with such an id came up only because
         * the firmware had switched. */
        if (!facts->has_handover_apic_base && facts->cpus[i].state == CPU_ONLINE &&
            facts->cpus[i].apic_id > XAPIC_LAST_ID)
            out->was_x2apic = true;
    }
    return out->cpus != NULL;
}

uint32_t leaves_number(enum leaf_list list)
{
    return lists[list].leaf;
}
