/* Which variants a CPU can run, from recorded CPUID leaves. [clear 1.2] */
#include "kernel/stats/variants.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/lib/bits.h"

enum { XCR0_SSE_AVX = 0x6, XCR0_AVX512 = 0xe6 };

enum cpuid_register { EAX, EBX, ECX, EDX };

/* One feature bit and the words for its absence. */
struct feature {
    uint32_t need;
    uint32_t leaf;
    enum cpuid_register where;
    unsigned bit;
    const char *name;
};

static const struct feature features[] = {
    { VARIANT_NEEDS_SSE, 0x1, EDX, 26, "CPUID 0x1 EDX[26] (SSE2)" },
    { VARIANT_NEEDS_AVX, 0x1, ECX, 26, "CPUID 0x1 ECX[26] (XSAVE)" },
    { VARIANT_NEEDS_AVX, 0x1, ECX, 28, "CPUID 0x1 ECX[28] (AVX)" },
    { VARIANT_NEEDS_AVX512F, 0x1, ECX, 26, "CPUID 0x1 ECX[26] (XSAVE)" },
    { VARIANT_NEEDS_AVX512F, 0x7, EBX, 16, "CPUID 0x7 EBX[16] (AVX512F)" },
    { VARIANT_NEEDS_CLZERO, 0x80000008, EBX, 0, "CPUID 0x80000008 EBX[0] (CLZERO)" },
    { VARIANT_NEEDS_MOVDIR64B, 0x7, ECX, 28, "CPUID 0x7 ECX[28] (MOVDIR64B)" },
};

/* The sentence in the arena. It must not turn into "nothing is missing" when the
 * arena is full. */
static const char *say(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *say(struct arena *arena, const char *format, ...)
{
    char text[120];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = ARENA_NEW(arena, char, strlen(text) + 1);
    if (copy == NULL)
        return "not told: no memory for the reason";
    return strcpy(copy, text);
}

static uint32_t register_of(const struct cpuid_regs *regs, enum cpuid_register where)
{
    const uint32_t values[] = { regs->eax, regs->ebx, regs->ecx, regs->edx };
    return values[where];
}

static const char *lacks_feature(const struct feature *feature, const struct machine_facts *facts,
                                 const struct cpu_facts *cpu, struct arena *arena)
{
    struct cpuid_regs regs;
    uint32_t max = feature->leaf >= 0x80000000 ? facts_max_extended_leaf(facts, cpu)
                                               : facts_max_basic_leaf(facts, cpu);
    if (feature->leaf > max)
        return say(arena, "%s: the highest leaf is 0x%x", feature->name, max);
    if (facts_cpuid(facts, cpu, feature->leaf, 0, &regs) == CPUID_ABSENT)
        return say(arena, "%s was not recorded", feature->name);
    if (!bits_test(register_of(&regs, feature->where), feature->bit))
        return say(arena, "%s is 0", feature->name);
    return NULL;
}

static const char *lacks_state(uint32_t needs, uint64_t xcr0, struct arena *arena)
{
    uint64_t wanted = 0;
    if (needs & VARIANT_NEEDS_AVX)
        wanted |= XCR0_SSE_AVX;
    if (needs & VARIANT_NEEDS_AVX512F)
        wanted |= XCR0_AVX512;
    if ((xcr0 & wanted) == wanted)
        return NULL;
    return say(arena, "XCR0 is 0x%llx: the vector state is not enabled",
               (unsigned long long)xcr0);
}

static const char *lacks_line(const struct machine_facts *facts, const struct cpu_facts *cpu,
                              struct arena *arena)
{
    struct cpuid_regs regs;
    facts_cpuid(facts, cpu, 1, 0, &regs);
    uint32_t line_bytes = bits_get(regs.ebx, 15, 8) * 8;
    if (line_bytes == 64)
        return NULL;
    return say(arena, "CPUID 0x1 EBX[15:8] says lines of %u bytes, not 64", line_bytes);
}

const char *variant_lacks(const struct clear_variant *variant, const struct machine_facts *facts,
                          const struct cpu_facts *cpu, uint64_t xcr0, struct arena *arena)
{
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        if ((variant->needs & features[i].need) == 0)
            continue;
        const char *lack = lacks_feature(&features[i], facts, cpu, arena);
        if (lack != NULL)
            return lack;
    }
    const char *lack = lacks_state(variant->needs, xcr0, arena);
    if (lack == NULL && (variant->needs & VARIANT_NEEDS_LINE_64))
        lack = lacks_line(facts, cpu, arena);
    return lack;
}

uint64_t variant_wanted_xcr0(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs basic, extended, state;
    facts_cpuid(facts, cpu, 1, 0, &basic);
    if (!bits_test(basic.ecx, 26) || facts_max_basic_leaf(facts, cpu) < 0xd)
        return 0;
    facts_cpuid(facts, cpu, 0x7, 0, &extended);
    facts_cpuid(facts, cpu, 0xd, 0, &state);
    uint64_t wanted = 0x3;
    if (bits_test(basic.ecx, 28))
        wanted |= XCR0_SSE_AVX;
    if (bits_test(extended.ebx, 16) && (state.eax & XCR0_AVX512) == XCR0_AVX512)
        wanted |= XCR0_AVX512;
    return wanted & state.eax;
}

uint32_t variant_find(const struct clear_variant *variants, uint32_t count, const char *id)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(variants[i].id, id) == 0)
            return i;
    return UINT32_MAX;
}
