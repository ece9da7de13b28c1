/* The rules by which sub-leaves end differ from leaf to leaf: a list ends with a type
 * of zero, sub-leaf 0 tells the highest one, or a register has a bit for each. A leaf
 * that is not in the table has sub-leaf 0. [intel/vol2 CPUID] [amd/vol3 E] */
#include "kernel/facts/cpuid_walk.h"

#include <stddef.h>

#include "kernel/lib/bits.h"

enum {
    LEAVES_PER_RANGE = 256, /* a broken maximum must not become four billion reads */
    LEAF_FEATURES = 0x1,
    LEAF_STRUCTURED = 0x7,
    LEAF_XSAVE = 0xD,
    LEAF_SGX = 0x12,
    FEATURES_ECX_HYPERVISOR = 31,
    STRUCTURED_EBX_SGX = 2,
};

enum end_rule {
    END_CACHE_TYPE,  /* list until EAX[4:0] is 0 */
    END_LEVEL_TYPE,  /* list until ECX[15:8] is 0 */
    END_EAX_TYPE,    /* list until EAX[11:0] is 0 */
    END_MAX_EAX,     /* sub-leaf 0 EAX is the highest one */
    END_MASK_EAX,    /* sub-leaf 0: bit n for sub-leaf n */
    END_MASK_EBX,
    END_MASK_EDX,
    END_XSAVE,
    END_SGX,
};

struct leaf_rule {
    uint32_t leaf;
    enum end_rule end;
    uint32_t cap; /* sub-leaves at most, whatever the CPU says */
};

static const struct leaf_rule leaf_rules[] = {
    {0x4, END_CACHE_TYPE, 32},         /* deterministic cache parameters */
    {LEAF_STRUCTURED, END_MAX_EAX, 32},
    {0xB, END_LEVEL_TYPE, 64},         /* extended topology */
    {LEAF_XSAVE, END_XSAVE, 63},
    {0xF, END_MASK_EDX, 32},           /* RDT monitoring */
    {0x10, END_MASK_EBX, 32},          /* RDT allocation */
    {LEAF_SGX, END_SGX, 32},
    {0x14, END_MAX_EAX, 32},           /* processor trace */
    {0x17, END_MAX_EAX, 32},           /* system-on-chip vendor */
    {0x18, END_MAX_EAX, 64},           /* address translation parameters */
    {0x1B, END_EAX_TYPE, 32},          /* PCONFIG targets */
    {0x1D, END_MAX_EAX, 32},           /* tile palettes */
    {0x1E, END_MAX_EAX, 8},            /* TMUL */
    {0x1F, END_LEVEL_TYPE, 64},        /* extended topology v2 */
    {0x20, END_MAX_EAX, 8},            /* HRESET */
    {0x23, END_MASK_EAX, 32},          /* architectural performance monitoring */
    {0x24, END_MAX_EAX, 8},            /* AVX10 */
    {0x29, END_MAX_EAX, 8},            /* APX */
    {0x8000001D, END_CACHE_TYPE, 32},  /* cache properties */
    {0x80000020, END_MASK_EBX, 32},    /* platform quality of service */
    {0x80000026, END_LEVEL_TYPE, 64},  /* extended CPU topology */
};

static struct cpuid_regs keep(struct cpuid_walk *walk, uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_regs regs = walk->read(walk->context, leaf, subleaf);

    if (walk->count == walk->capacity) {
        walk->is_cut = true;
        return regs;
    }
    walk->rows[walk->count++] =
        (struct cpuid_row){leaf, subleaf, regs.eax, regs.ebx, regs.ecx, regs.edx};
    return regs;
}

static bool ends_list(enum end_rule end, const struct cpuid_regs *regs)
{
    switch (end) {
    case END_CACHE_TYPE: return bits_get(regs->eax, 4, 0) == 0;
    case END_LEVEL_TYPE: return bits_get(regs->ecx, 15, 8) == 0;
    case END_EAX_TYPE: return bits_get(regs->eax, 11, 0) == 0;
    default: return bits_get(regs->eax, 3, 0) == 0; /* END_SGX */
    }
}

static void keep_list(struct cpuid_walk *walk, const struct leaf_rule *rule, uint32_t first)
{
    for (uint32_t subleaf = first; subleaf < rule->cap; subleaf++) {
        struct cpuid_regs regs = keep(walk, rule->leaf, subleaf);

        if (ends_list(rule->end, &regs))
            return;
    }
}

static void keep_masked(struct cpuid_walk *walk, const struct leaf_rule *rule, uint64_t mask,
                        uint32_t first)
{
    for (uint32_t subleaf = first; subleaf < rule->cap; subleaf++)
        if (mask >> subleaf & 1)
            keep(walk, rule->leaf, subleaf);
}

/* Components of XCR0 are in sub-leaf 0, those of IA32_XSS in sub-leaf 1. */
static void keep_xsave(struct cpuid_walk *walk, const struct leaf_rule *rule)
{
    struct cpuid_regs user = keep(walk, rule->leaf, 0), system = keep(walk, rule->leaf, 1);

    keep_masked(walk, rule,
                ((uint64_t)user.edx << 32 | user.eax) | ((uint64_t)system.edx << 32 | system.ecx),
                2);
}

/* Sub-leaves above 0 mean something only on a CPU that has SGX. */
static void keep_sgx(struct cpuid_walk *walk, const struct leaf_rule *rule)
{
    keep(walk, rule->leaf, 0);
    if (!bits_test(walk->read(walk->context, LEAF_STRUCTURED, 0).ebx, STRUCTURED_EBX_SGX))
        return;
    keep(walk, rule->leaf, 1);
    keep_list(walk, rule, 2);
}

static void keep_up_to(struct cpuid_walk *walk, const struct leaf_rule *rule)
{
    uint32_t highest = keep(walk, rule->leaf, 0).eax;

    for (uint32_t subleaf = 1; subleaf <= highest && subleaf < rule->cap; subleaf++)
        keep(walk, rule->leaf, subleaf);
}

static const struct leaf_rule *rule_of(uint32_t leaf)
{
    for (size_t i = 0; i < sizeof(leaf_rules) / sizeof(leaf_rules[0]); i++)
        if (leaf_rules[i].leaf == leaf)
            return &leaf_rules[i];
    return NULL;
}

static void keep_leaf(struct cpuid_walk *walk, uint32_t leaf)
{
    const struct leaf_rule *rule = rule_of(leaf);

    if (rule == NULL) {
        keep(walk, leaf, 0);
        return;
    }
    switch (rule->end) {
    case END_MAX_EAX: keep_up_to(walk, rule); break;
    case END_MASK_EAX: keep_masked(walk, rule, keep(walk, leaf, 0).eax, 1); break;
    case END_MASK_EBX: keep_masked(walk, rule, keep(walk, leaf, 0).ebx, 1); break;
    case END_MASK_EDX: keep_masked(walk, rule, keep(walk, leaf, 0).edx, 1); break;
    case END_XSAVE: keep_xsave(walk, rule); break;
    case END_SGX: keep_sgx(walk, rule); break;
    default: keep_list(walk, rule, 0); break;
    }
}

/* A CPU without a range answers its first leaf with something else: the range counts
 * when EAX lies inside it. */
static void keep_range(struct cpuid_walk *walk, uint32_t base, bool is_first_kept)
{
    uint32_t highest = walk->read(walk->context, base, 0).eax;
    bool is_present = highest >= base && highest - base < 0x10000;

    if (!is_present && !is_first_kept)
        return;
    keep_leaf(walk, base);
    for (uint32_t i = 1; is_present && i <= highest - base && i < LEAVES_PER_RANGE; i++)
        keep_leaf(walk, base + i);
}

void cpuid_walk_all(struct cpuid_walk *walk)
{
    walk->count = 0;
    walk->is_cut = false;
    keep_range(walk, 0, true);
    if (walk->read(walk->context, 0, 0).eax >= LEAF_FEATURES &&
        bits_test(walk->read(walk->context, LEAF_FEATURES, 0).ecx, FEATURES_ECX_HYPERVISOR))
        keep_range(walk, 0x40000000, true);
    keep_range(walk, 0x80000000, true);
    keep_range(walk, 0xC0000000, false);
}
