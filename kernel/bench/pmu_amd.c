/* AMD's core performance counters: four of old, six with PERFCTR_CORE, and the global
 * registers of PerfMonV2. [amd/vol2 13.2], [clear 3.7] */
#include "kernel/bench/pmu.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/textbuf.h"
#include "kernel/stats/cpu_model.h"

enum { LEGACY_COUNTERS = 4, CORE_COUNTERS = 6, COUNTER_BITS = 48, FIRST_FAMILY = 0xf };
#define MSR_LEGACY_SELECT 0xc0010000u
#define MSR_LEGACY_COUNTER 0xc0010004u
#define MSR_CORE_SELECT 0xc0010200u
#define MSR_CORE_COUNTER 0xc0010201u
#define MSR_V2_GLOBAL_STATUS 0xc0000300u
#define MSR_V2_GLOBAL_CTL 0xc0000301u
#define MSR_V2_STATUS_CLR 0xc0000302u

static uint32_t select_msr(const struct pmu *pmu, uint32_t n)
{
    return pmu->version == 0 ? MSR_LEGACY_SELECT + n : MSR_CORE_SELECT + 2 * n;
}

static uint32_t counter_msr(const struct pmu *pmu, uint32_t n)
{
    return pmu->version == 0 ? MSR_LEGACY_COUNTER + n : MSR_CORE_COUNTER + 2 * n;
}

static void read_leaves(struct pmu *pmu)
{
    struct cpuid_regs features = { 0 }, monitoring = { 0 };
    uint32_t max = facts_max_extended_leaf(pmu->facts, pmu->cpu), count = LEGACY_COUNTERS;
    if (max >= 0x80000001)
        facts_cpuid(pmu->facts, pmu->cpu, 0x80000001, 0, &features);
    if (max >= 0x80000022)
        facts_cpuid(pmu->facts, pmu->cpu, 0x80000022, 0, &monitoring);
    if (bits_test(features.ecx, 23)) {
        pmu->version = 1;
        count = CORE_COUNTERS;
    }
    if (bits_test(monitoring.eax, 0)) {
        pmu->version = 2;
        count = bits_get(monitoring.ebx, 3, 0);
    }
    pmu->counters = bits_ones(count);
    pmu->width = COUNTER_BITS;
}

bool pmu_find_amd(struct pmu *pmu)
{
    static const char *const names[] = { "AMD", "AMD PERFCTR_CORE", "AMD PerfMonV2" };
    struct textbuf text;
    uint64_t value;
    textbuf_init(&text, pmu->text, sizeof pmu->text);
    read_leaves(pmu);
    if (pmu->counters == 0 || cpu_model_of(pmu->facts, pmu->cpu).family < FIRST_FAMILY) {
        textbuf_put(&text, "no performance counters that this program knows");
        return false;
    }
    for (uint32_t n = 0; n < PMU_MAX_COUNTERS; n++)
        if ((pmu->counters >> n & 1) &&
            pmu_is_set(pmu, select_msr(pmu, n), PMU_SELECT_ENABLE, &value))
            return pmu_say_used(pmu, select_msr(pmu, n), value);
    if (!pmu_keeps(pmu, select_msr(pmu, 0), PMU_SELECT_KERNEL | 0xc0)) {
        textbuf_printf(&text, "no performance counters: MSR 0x%x keeps nothing",
                       select_msr(pmu, 0));
        return false;
    }
    pmu->driver = &pmu_amd;
    textbuf_printf(&text, "%s: %d counters of %u bits", names[pmu->version],
                   __builtin_popcount(pmu->counters), pmu->width);
    return true;
}

/* Event select bits 11:8 are in 35:32. */
static uint64_t select_of(const struct pmu_slot *slot)
{
    return pmu_select(slot) | (uint64_t)(slot->event_code >> 8 & 0xf) << 32;
}

static uint64_t global_bits(const struct pmu_group *group)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < group->count; i++)
        bits |= 1ull << group->slots[i].counter;
    return bits;
}

/* With PerfMonV2 one write starts them all; without, the last select register ends up
 * a few accesses behind the first. */
static bool start(struct pmu *pmu, const struct pmu_group *group)
{
    uint64_t ours = global_bits(group), global = 0;
    bool is_good = true;
    if (pmu->version == 2)
        is_good = pmu->registers.read(pmu->registers.context, MSR_V2_GLOBAL_CTL, &global) &&
                  pmu_set(pmu, MSR_V2_GLOBAL_CTL, global & ~ours) &&
                  pmu->registers.write(pmu->registers.context, MSR_V2_STATUS_CLR, ours);
    for (uint32_t i = 0; i < group->count && is_good; i++)
        is_good = pmu_set(pmu, counter_msr(pmu, group->slots[i].counter), 0);
    for (uint32_t i = 0; i < group->count && is_good; i++)
        is_good = pmu_set(pmu, select_msr(pmu, group->slots[i].counter),
                          select_of(&group->slots[i]));
    if (is_good && pmu->version == 2)
        is_good = pmu_set(pmu, MSR_V2_GLOBAL_CTL, global | ours);
    return is_good;
}

static bool stop(struct pmu *pmu, const struct pmu_group *group, uint64_t *counts)
{
    uint64_t value, status = 0;
    bool is_good = true;
    if (pmu->version == 2)
        is_good = pmu->registers.read(pmu->registers.context, MSR_V2_GLOBAL_CTL, &value) &&
                  pmu_set(pmu, MSR_V2_GLOBAL_CTL, value & ~global_bits(group)) &&
                  pmu->registers.read(pmu->registers.context, MSR_V2_GLOBAL_STATUS, &status);
    for (uint32_t i = 0; i < group->count; i++)
        is_good &= pmu_set(pmu, select_msr(pmu, group->slots[i].counter), 0);
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t counter = group->slots[i].counter;
        is_good &= pmu->registers.read(pmu->registers.context, counter_msr(pmu, counter),
                                       &counts[i]);
        if (status >> counter & 1)
            counts[i] = UINT64_MAX;
    }
    return is_good;
}

const struct pmu_driver pmu_amd = { .name = "AMD", .start = start, .stop = stop };
