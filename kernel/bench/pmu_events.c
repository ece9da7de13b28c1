/* Looking up what a CPU can count. */
#include "kernel/bench/pmu_events.h"

#include <string.h>

#include "kernel/lib/bits.h"
#include "kernel/stats/cpu_model.h"

enum { ANY_VERSION = 0 };

static const char *const vendors[] = {
    [CPU_INTEL] = "GenuineIntel", [CPU_AMD] = "AuthenticAMD", [CPU_HYGON] = "HygonGenuine",
    [CPU_CENTAUR] = "", [CPU_ZHAOXIN] = "", [CPU_OTHER] = "",
};

static bool is_in(const struct pmu_range *ranges, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count && (i == 0 || ranges[i].last != 0); i++)
        if (value >= ranges[i].first && value <= ranges[i].last)
            return true;
    return false;
}

static uint32_t core_type(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs regs = { 0 };
    if (facts_max_basic_leaf(facts, cpu) >= 0x1a)
        facts_cpuid(facts, cpu, 0x1a, 0, &regs);
    return bits_get(regs.eax, 31, 24);
}

static bool is_for(const struct pmu_model *model, const struct machine_facts *facts,
                   const struct cpu_facts *cpu)
{
    struct cpu_model own = cpu_model_of(facts, cpu);
    return strcmp(model->vendor, vendors[own.vendor]) == 0 &&
           is_in(model->families, PMU_MAX_FAMILIES, own.family) &&
           is_in(model->models, PMU_MAX_RANGES, own.model) &&
           own.stepping >= model->first_stepping && own.stepping <= model->last_stepping &&
           (model->core_type == 0 || model->core_type == core_type(facts, cpu));
}

/* Leaf 0xA: EAX[31:24] says how many bits of EBX mean something. [intel/vol3 21.2] */
static bool is_there(const struct pmu_event *event, const struct machine_facts *facts,
                     const struct cpu_facts *cpu)
{
    struct cpuid_regs regs;
    if (event->missing_bit < 0)
        return true;
    return facts_max_basic_leaf(facts, cpu) >= 0xa &&
           facts_cpuid(facts, cpu, 0xa, 0, &regs) == CPUID_RECORDED &&
           bits_get(regs.eax, 7, 0) >= pmu_models[event->model].version &&
           bits_get(regs.eax, 31, 24) > (uint32_t)event->missing_bit &&
           !bits_test(regs.ebx, (unsigned)event->missing_bit);
}

const struct pmu_event *pmu_event_find(const struct machine_facts *facts,
                                       const struct cpu_facts *cpu, const char *generic)
{
    for (int is_general = 0; is_general <= 1; is_general++)
        for (uint32_t i = 0; i < pmu_event_count; i++) {
            const struct pmu_event *event = &pmu_events[i];
            const struct pmu_model *model = &pmu_models[event->model];
            if ((model->version != ANY_VERSION) == is_general &&
                strcmp(event->generic, generic) == 0 && is_for(model, facts, cpu) &&
                is_there(event, facts, cpu))
                return event;
        }
    return NULL;
}
