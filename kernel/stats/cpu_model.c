/* Vendor string of leaf 0 and the fields of leaf 1 EAX. [intel/vol2 CPUID] */
#include "kernel/stats/cpu_model.h"

#include <string.h>

#include "kernel/lib/bits.h"

static enum cpu_vendor vendor_of(const struct cpuid_regs *leaf0)
{
    static const struct { char text[13]; enum cpu_vendor vendor; } vendors[] = {
        { "GenuineIntel", CPU_INTEL },   { "AuthenticAMD", CPU_AMD },
        { "HygonGenuine", CPU_HYGON },   { "CentaurHauls", CPU_CENTAUR },
        { "  Shanghai  ", CPU_ZHAOXIN },
    };
    char text[13] = "";
    memcpy(text, &leaf0->ebx, 4);
    memcpy(text + 4, &leaf0->edx, 4);
    memcpy(text + 8, &leaf0->ecx, 4);
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (memcmp(text, vendors[i].text, 12) == 0)
            return vendors[i].vendor;
    return CPU_OTHER;
}

struct cpu_model cpu_model_of(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs leaf0, leaf1;
    facts_cpuid(facts, cpu, 0, 0, &leaf0);
    facts_cpuid(facts, cpu, 1, 0, &leaf1);
    struct cpu_model model = {
        .vendor = vendor_of(&leaf0),
        .family = bits_get(leaf1.eax, 11, 8),
        .model = bits_get(leaf1.eax, 7, 4),
        .stepping = bits_get(leaf1.eax, 3, 0),
        .signature = leaf1.eax,
    };
    if (model.family == 0xf)
        model.family += bits_get(leaf1.eax, 27, 20);
    if (model.family >= 6)
        model.model |= bits_get(leaf1.eax, 19, 16) << 4;
    return model;
}
