/* The page-clearing variants as the assembler declares them, and which of them
 * a CPU can run according to its recorded CPUID leaves and XCR0. */
#ifndef KERNEL_STATS_VARIANTS_H
#define KERNEL_STATS_VARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"

/* Bits of clear_variant.needs; kernel/bench/clear_page.asm has the same numbers. */
enum variant_need {
    VARIANT_NEEDS_SSE = 1 << 0,       /* xmm; CR4.OSFXSR is the kernel's to set */
    VARIANT_NEEDS_AVX = 1 << 1,
    VARIANT_NEEDS_AVX512F = 1 << 2,
    VARIANT_NEEDS_CLZERO = 1 << 3,
    VARIANT_NEEDS_MOVDIR64B = 1 << 4,
    VARIANT_NEEDS_LINE_64 = 1 << 5,   /* the line size of CPUID 1 EBX[15:8] must be 64 */
};

enum variant_fence { VARIANT_FENCE_NONE, VARIANT_FENCE_SFENCE };

/* What a variant is for. */
enum variant_tier {
    VARIANT_MANDATORY,  /* a released kernel uses it, or the lists argue about it */
    VARIANT_SECOND,     /* candidates */
    VARIANT_CONTROL,    /* does not clear: what it stores or reads is in the description */
};

/* One record of the table that the CLEAR_PAGE macro emits: 64 bytes. */
struct clear_variant {
    const char *id;
    const char *description;
    void (*clear)(void *start, uint64_t bytes);
    uint32_t needs;                 /* enum variant_need */
    uint32_t fence;                 /* enum variant_fence */
    uint32_t step_bytes;            /* bytes has to be a multiple of this */
    uint32_t align_bytes;           /* of start */
    uint32_t tier;                  /* enum variant_tier */
    uint32_t is_zero_only;          /* the instruction cannot store another value */
    uint32_t instructions_q4;       /* retired per 64-byte line, in 1/16 */
    uint32_t leaves;                /* byte that the extent holds afterwards, or _UNCHANGED */
    uint64_t reserved;
};

enum { VARIANT_LEAVES_UNCHANGED = 0x100 };

/* NULL when cpus[cpu] can run it, else what is missing (text in `arena`).
 * `xcr0` is the register as the bench will have it. */
const char *variant_lacks(const struct clear_variant *variant, const struct machine_facts *facts,
                          const struct cpu_facts *cpu, uint64_t xcr0, struct arena *arena);

/* What the bench sets XCR0 to on that CPU: x87, SSE and, where leaf 0xD has them,
 * AVX and AVX-512. 0: the CPU has no XSAVE, XCR0 does not exist. */
uint64_t variant_wanted_xcr0(const struct machine_facts *facts, const struct cpu_facts *cpu);

/* Index of that id in the table, or UINT32_MAX. */
uint32_t variant_find(const struct clear_variant *variants, uint32_t count, const char *id);

#endif
