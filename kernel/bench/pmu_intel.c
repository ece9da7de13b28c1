/* Intel's architectural performance counters. [intel/vol3 21.2], [clear 3.7] */
#include "kernel/bench/pmu.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/textbuf.h"

enum {
    MSR_PMC0 = 0xc1, MSR_PERFEVTSEL0 = 0x186,
    MSR_FIXED_CTR0 = 0x309, MSR_PERF_CAPABILITIES = 0x345,
    MSR_FIXED_CTR_CTRL = 0x38d, MSR_GLOBAL_STATUS = 0x38e, MSR_GLOBAL_CTRL = 0x38f,
    MSR_GLOBAL_OVF_CTRL = 0x390,
    MSR_A_PMC0 = 0x4c1,
    /* Version 6: counter and select side by side, four registers apart. */
    MSR_GP0_COUNTER = 0x1900, MSR_GP0_SELECT = 0x1901, MSR_FX0_COUNTER = 0x1980,
    FULL_WIDTH_BIT = 13, FIXED_BITS = 4,
};

static uint32_t select_msr(const struct pmu *pmu, uint32_t n)
{
    return pmu->version >= 6 ? MSR_GP0_SELECT + 4 * n : MSR_PERFEVTSEL0 + n;
}

static uint32_t counter_msr(const struct pmu *pmu, const struct pmu_slot *slot)
{
    if (slot->is_fixed)
        return pmu->version >= 6 ? MSR_FX0_COUNTER + 4 * slot->counter
                                 : MSR_FIXED_CTR0 + slot->counter;
    if (pmu->version >= 6)
        return MSR_GP0_COUNTER + 4 * slot->counter;
    return (pmu->is_full_width ? MSR_A_PMC0 : MSR_PMC0) + slot->counter;
}

static uint64_t global_bits(const struct pmu_group *group)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < group->count; i++)
        bits |= 1ull << (group->slots[i].counter + (group->slots[i].is_fixed ? 32 : 0));
    return bits;
}

/* Leaf 0x23 knows each CPU's own counters where a hybrid's differ. */
static void refine_by_leaf_23(struct pmu *pmu)
{
    struct cpuid_regs has, list;
    if (facts_max_basic_leaf(pmu->facts, pmu->cpu) < 0x23 ||
        facts_cpuid(pmu->facts, pmu->cpu, 0x23, 0, &has) != CPUID_RECORDED ||
        !bits_test(has.eax, 1) ||
        facts_cpuid(pmu->facts, pmu->cpu, 0x23, 1, &list) != CPUID_RECORDED || list.eax == 0)
        return;
    pmu->counters = list.eax;
    pmu->fixed = list.ebx;
}

static bool read_leaves(struct pmu *pmu)
{
    struct cpuid_regs leaf1 = { 0 }, leafa = { 0 };
    uint64_t capabilities;
    facts_cpuid(pmu->facts, pmu->cpu, 1, 0, &leaf1);
    if (facts_max_basic_leaf(pmu->facts, pmu->cpu) >= 0xa)
        facts_cpuid(pmu->facts, pmu->cpu, 0xa, 0, &leafa);
    pmu->version = bits_get(leafa.eax, 7, 0);
    pmu->counters = bits_ones(bits_get(leafa.eax, 15, 8));
    pmu->width = bits_get(leafa.eax, 23, 16);
    if (pmu->version == 0 || pmu->counters == 0)
        return false;
    if (pmu->version >= 2)
        pmu->fixed = bits_ones(bits_get(leafa.edx, 4, 0));
    if (pmu->version >= 5)
        pmu->fixed |= leafa.ecx;
    refine_by_leaf_23(pmu);
    pmu->fixed &= (1u << PMU_FIXED_COUNTERS) - 1;
    pmu->is_full_width = bits_test(leaf1.ecx, 15) &&
                         pmu_is_set(pmu, MSR_PERF_CAPABILITIES, 1u << FULL_WIDTH_BIT,
                                    &capabilities);
    return true;
}

bool pmu_find_intel(struct pmu *pmu)
{
    struct textbuf text;
    uint64_t value;
    textbuf_init(&text, pmu->text, sizeof pmu->text);
    if (!read_leaves(pmu)) {
        textbuf_put(&text, "no performance counters: CPUID 0xA EAX says none");
        return false;
    }
    for (uint32_t n = 0; n < PMU_MAX_COUNTERS; n++)
        if ((pmu->counters >> n & 1) &&
            pmu_is_set(pmu, select_msr(pmu, n), PMU_SELECT_ENABLE, &value))
            return pmu_say_used(pmu, select_msr(pmu, n), value);
    if (pmu->version >= 2 && pmu_is_set(pmu, MSR_FIXED_CTR_CTRL, UINT64_MAX, &value))
        return pmu_say_used(pmu, MSR_FIXED_CTR_CTRL, value);
    uint32_t first = (uint32_t)__builtin_ctz(pmu->counters);
    if (!pmu_keeps(pmu, select_msr(pmu, first), PMU_SELECT_KERNEL | 0xc0)) {
        textbuf_put(&text, "no performance counters: the select register keeps nothing");
        return false;
    }
    pmu->driver = &pmu_intel;
    textbuf_printf(&text, "Intel architectural version %u: %d counters of %u bits, %d fixed",
                   pmu->version, __builtin_popcount(pmu->counters), pmu->width,
                   __builtin_popcount(pmu->fixed));
    return true;
}

/* Stops ours first, starts them all with one write; what others have enabled in the
 * global register stays enabled. */
static bool start(struct pmu *pmu, const struct pmu_group *group)
{
    uint64_t ours = global_bits(group), global = 0, fixed = 0;
    bool has_global = pmu->version >= 2, is_good = true;
    if (has_global) {
        is_good = pmu->registers.read(pmu->registers.context, MSR_GLOBAL_CTRL, &global) &&
                  pmu_set(pmu, MSR_GLOBAL_CTRL, global & ~ours) &&
                  pmu->registers.write(pmu->registers.context, MSR_GLOBAL_OVF_CTRL, ours);
    }
    for (uint32_t i = 0; i < group->count && is_good; i++) {
        const struct pmu_slot *slot = &group->slots[i];
        is_good = pmu_set(pmu, counter_msr(pmu, slot), 0);
        if (slot->is_fixed)
            fixed |= 1ull << (FIXED_BITS * slot->counter);
        else if (is_good && slot->extra_msr != 0)
            is_good = pmu_set(pmu, slot->extra_msr, pmu_extras[slot->event->extra]);
        if (is_good && !slot->is_fixed)
            is_good = pmu_set(pmu, select_msr(pmu, slot->counter), pmu_select(slot));
    }
    if (is_good && fixed != 0)
        is_good = pmu_set(pmu, MSR_FIXED_CTR_CTRL, fixed);
    if (is_good && has_global)
        is_good = pmu_set(pmu, MSR_GLOBAL_CTRL, global | ours);
    return is_good;
}

static bool halt(struct pmu *pmu, const struct pmu_group *group)
{
    uint64_t value;
    bool is_good = true;
    if (pmu->version >= 2)
        return pmu->registers.read(pmu->registers.context, MSR_GLOBAL_CTRL, &value) &&
               pmu_set(pmu, MSR_GLOBAL_CTRL, value & ~global_bits(group));
    for (uint32_t i = 0; i < group->count; i++)
        is_good &= pmu_set(pmu, select_msr(pmu, group->slots[i].counter), 0);
    return is_good;
}

static bool stop(struct pmu *pmu, const struct pmu_group *group, uint64_t *counts)
{
    uint64_t status = 0;
    bool is_good = halt(pmu, group);
    if (pmu->version >= 2)
        is_good &= pmu->registers.read(pmu->registers.context, MSR_GLOBAL_STATUS, &status);
    for (uint32_t i = 0; i < group->count; i++) {
        const struct pmu_slot *slot = &group->slots[i];
        is_good &= pmu->registers.read(pmu->registers.context, counter_msr(pmu, slot), &counts[i]);
        if (status >> (slot->counter + (slot->is_fixed ? 32 : 0)) & 1)
            counts[i] = UINT64_MAX;
    }
    return is_good;
}

const struct pmu_driver pmu_intel = { .name = "Intel architectural", .start = start, .stop = stop };
