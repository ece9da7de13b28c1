/* Performance counters: what both vendors share. */
#include "kernel/bench/pmu.h"

#include <string.h>

#include "kernel/lib/textbuf.h"
#include "kernel/stats/cpu_model.h"

enum { OFFCORE_RSP_0 = 0x1a6, OFFCORE_RSP_1 = 0x1a7, LOW_THREE = 7, FAMILY_15H = 0x15 };

/* --- registers ------------------------------------------------------------------------ */

bool pmu_set(struct pmu *pmu, uint32_t address, uint64_t value)
{
    const struct pmu_registers *registers = &pmu->registers;
    bool is_known = false;
    for (uint32_t i = 0; i < pmu->touched_count; i++)
        is_known |= pmu->touched[i].address == address;
    if (!is_known) {
        uint64_t before;
        if (pmu->touched_count == PMU_MAX_TOUCHED ||
            !registers->read(registers->context, address, &before))
            return false;
        pmu->touched[pmu->touched_count].address = address;
        pmu->touched[pmu->touched_count++].before = before;
    }
    return registers->write(registers->context, address, value);
}

bool pmu_restore(struct pmu *pmu)
{
    bool is_good = true;
    while (pmu->touched_count > 0) {
        pmu->touched_count--;
        is_good &= pmu->registers.write(pmu->registers.context,
                                        pmu->touched[pmu->touched_count].address,
                                        pmu->touched[pmu->touched_count].before);
    }
    return is_good;
}

bool pmu_is_set(const struct pmu *pmu, uint32_t address, uint64_t bits, uint64_t *value)
{
    return pmu->registers.read(pmu->registers.context, address, value) && (*value & bits) != 0;
}

bool pmu_keeps(struct pmu *pmu, uint32_t address, uint64_t value)
{
    uint64_t kept = 0;
    bool is_kept = pmu_set(pmu, address, value) &&
                   pmu->registers.read(pmu->registers.context, address, &kept) && kept == value;
    return pmu_restore(pmu) && is_kept;
}

static bool say(struct pmu *pmu, const char *text)
{
    struct textbuf out;
    textbuf_init(&out, pmu->text, sizeof pmu->text);
    textbuf_put(&out, text);
    return false;
}

bool pmu_say_used(struct pmu *pmu, uint32_t address, uint64_t value)
{
    struct textbuf out;
    textbuf_init(&out, pmu->text, sizeof pmu->text);
    textbuf_printf(&out, "firmware uses the performance counters (MSR 0x%x is 0x%llx): left alone",
                   address, (unsigned long long)value);
    return false;
}

bool pmu_find(struct pmu *pmu, const struct machine_facts *facts, const struct cpu_facts *cpu,
              const struct pmu_registers *registers)
{
    *pmu = (struct pmu){ .registers = *registers, .facts = facts, .cpu = cpu };
    switch (cpu_model_of(facts, cpu).vendor) {
    case CPU_INTEL: return pmu_find_intel(pmu);
    case CPU_AMD:
    case CPU_HYGON: return pmu_find_amd(pmu);
    default: return say(pmu, "no driver for the performance counters of this vendor");
    }
}

uint64_t pmu_select(const struct pmu_slot *slot)
{
    const struct pmu_event *event = slot->event;
    return (slot->event_code & 0xff) | (uint64_t)(event->umask & 0xff) << 8 | PMU_SELECT_KERNEL |
           (uint64_t)event->is_edge << 18 | PMU_SELECT_ENABLE | (uint64_t)event->is_inverted << 23 |
           (uint64_t)event->cmask << 24;
}

bool pmu_start(struct pmu *pmu, const struct pmu_group *group)
{
    pmu->touched_count = 0;
    if (pmu->driver->start(pmu, group))
        return true;
    pmu_restore(pmu);
    return false;
}

bool pmu_stop(struct pmu *pmu, const struct pmu_group *group, uint64_t *counts)
{
    bool is_read = pmu->driver->stop(pmu, group, counts);
    return pmu_restore(pmu) && is_read;
}

/* --- groups --------------------------------------------------------------------------- */

/* The fixed counters' events have no select code of their own. [intel/vol3 table 21-2] */
static const struct pmu_event fixed_events[PMU_FIXED_COUNTERS] = {
    { .generic = "instructions", .name = "INST_RETIRED.ANY", .umask = 1, .missing_bit = -1 },
    { .generic = "cpu-cycles", .name = "CPU_CLK_UNHALTED.CORE", .umask = 2, .missing_bit = -1 },
    { .generic = "ref-cycles", .name = "CPU_CLK_UNHALTED.REF_TSC", .umask = 3, .missing_bit = -1 },
};

static uint32_t counters_for(const struct pmu *pmu, const struct pmu_event *event)
{
    if (event->counters == 0)
        return pmu->counters;
    if (event->counters == PMU_FAMILY_15H_LOW)
        return cpu_model_of(pmu->facts, pmu->cpu).family == FAMILY_15H
            ? pmu->counters & LOW_THREE : pmu->counters;
    return pmu->counters & event->counters;
}

/* The highest counter that is free, so that the low ones are left to events that
 * need them. False: the group has no room for this event. */
static bool place(const struct pmu *pmu, const struct pmu_event *event, struct pmu_group *group)
{
    uint32_t free = counters_for(pmu, event);
    uint32_t msr = event->extra_msr == PMU_MSR_OFFCORE ? OFFCORE_RSP_0 : event->extra_msr;
    struct pmu_slot slot = { .event = event, .event_code = event->event };
    for (uint32_t i = 0; i < group->count; i++) {
        const struct pmu_slot *other = &group->slots[i];
        if (!other->is_fixed)
            free &= ~(1u << other->counter);
        if (msr == 0 || other->extra_msr != msr)
            continue;
        if (event->extra_msr != PMU_MSR_OFFCORE || msr == OFFCORE_RSP_1)
            return false;
        msr = OFFCORE_RSP_1;
        slot.event_code = event->event == 0xb7 ? 0xbb : event->event + 1;
        i = UINT32_MAX; /* look again for the second register */
    }
    if (free == 0 || group->count == PMU_MAX_SLOTS)
        return false;
    slot.extra_msr = msr;
    slot.counter = 31 - (uint32_t)__builtin_clz(free);
    group->slots[group->count++] = slot;
    return true;
}

static void begin_group(const struct pmu *pmu, struct pmu_group *group)
{
    *group = (struct pmu_group){ 0 };
    for (uint32_t i = 0; i < PMU_FIXED_COUNTERS; i++) {
        const struct pmu_event *event =
            pmu_event_find(pmu->facts, pmu->cpu, fixed_events[i].generic);
        if (pmu->fixed >> i & 1)
            group->slots[group->count++] = (struct pmu_slot){
                .event = &fixed_events[i], .counter = i, .is_fixed = true };
        else if (event != NULL)
            place(pmu, event, group);
    }
    group->base_count = group->count;
}

static bool is_base(const char *name)
{
    for (uint32_t i = 0; i < PMU_FIXED_COUNTERS; i++)
        if (strcmp(fixed_events[i].generic, name) == 0)
            return true;
    return false;
}

uint32_t pmu_plan(const struct pmu *pmu, const char *const *names, uint32_t name_count,
                  struct pmu_group *groups)
{
    uint32_t count = 1;
    begin_group(pmu, &groups[0]);
    for (uint32_t i = 0; i < name_count; i++) {
        const struct pmu_event *event = pmu_event_find(pmu->facts, pmu->cpu, names[i]);
        bool is_placed = event == NULL || is_base(names[i]);
        for (uint32_t g = 0; g < count && !is_placed; g++)
            is_placed = place(pmu, event, &groups[g]);
        if (is_placed || count == PMU_MAX_GROUPS)
            continue;
        begin_group(pmu, &groups[count]);
        /* Without room even in an empty group no counter can count it here. */
        count += place(pmu, event, &groups[count]);
    }
    return count;
}
