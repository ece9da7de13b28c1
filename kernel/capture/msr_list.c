/* Every CPU is asked for every register: which of them a CPU has is an answer, and the
 * vendor is not looked at. Ascending. [intel/vol4] [amd/vol2 A] */
#include "kernel/capture/msr_list.h"

const struct msr_span msr_list[] = {
    {0x10, 0x10},             /* TSC */
    {0x17, 0x17},             /* platform id: which microcode fits */
    {0x1B, 0x1B},             /* APIC base: boot CPU, mode, address */
    {0x34, 0x34},             /* SMI count */
    {0x3A, 0x3B},             /* feature control, TSC adjust */
    {0x8B, 0x8B},             /* microcode revision */
    {0xC1, 0xC8},             /* performance counters: is one running? */
    {0xCE, 0xCF},             /* platform info: clock ratios; core capabilities */
    {0xE2, 0xE2},             /* package C-state limit */
    {0xE7, 0xE8},             /* MPERF, APERF */
    {0xFE, 0xFE},             /* MTRR capabilities */
    {0x10A, 0x10A},           /* architectural capabilities */
    {0x122, 0x122},           /* TSX control */
    {0x179, 0x179},           /* machine-check banks */
    {0x186, 0x18D},           /* event selects */
    {0x198, 0x19A},           /* performance state and clock modulation */
    {0x19C, 0x19C},           /* thermal status */
    {0x1A0, 0x1A0},           /* miscellaneous enables: fast strings, turbo */
    {0x1A2, 0x1A2},           /* temperature target */
    {0x1A4, 0x1A4},           /* prefetchers */
    {0x1AD, 0x1AE},           /* turbo ratios */
    {0x1B0, 0x1B1},           /* energy bias, package thermal status */
    {0x1D9, 0x1D9},           /* debug control: freeze in SMM */
    {0x1FC, 0x1FC},           /* power control: C1E */
    {0x200, 0x213},           /* variable MTRRs */
    {0x250, 0x250},           /* fixed MTRRs */
    {0x258, 0x259},
    {0x268, 0x26F},
    {0x277, 0x277},           /* PAT */
    {0x2FF, 0x2FF},           /* default memory type */
    {0x309, 0x30C},           /* fixed counters */
    {0x345, 0x345},           /* performance capabilities */
    {0x38D, 0x38F},           /* fixed counter control, global status and control */
    {0x606, 0x606},           /* energy units */
    {0x610, 0x611},           /* package power limit, energy */
    {0x618, 0x619},           /* memory power limit, energy */
    {0x620, 0x621},           /* uncore ratio limits and state */
    {0x64F, 0x64F},           /* why the clock is limited */
    {0x690, 0x690},
    {0x770, 0x772},           /* hardware P-states */
    {0x774, 0x774},
    {0xC0000104, 0xC0000104}, /* TSC ratio */
    {0xC00000E9, 0xC00000E9}, /* instructions retired */
    {0xC0000300, 0xC0000301}, /* performance monitoring version 2 */
    {0xC0010000, 0xC0010007}, /* legacy event selects and counters */
    {0xC0010010, 0xC0010010}, /* system configuration: encryption, MTRR extensions */
    {0xC0010015, 0xC0010015}, /* hardware configuration: TSC rate, boost */
    {0xC001001A, 0xC001001A}, /* top of memory */
    {0xC001001D, 0xC001001D},
    {0xC001001F, 0xC001001F}, /* northbridge configuration: APIC id order */
    {0xC0010061, 0xC001006B}, /* P-states */
    {0xC0010071, 0xC0010071},
    {0xC0010200, 0xC001020B}, /* core event selects and counters */
    {0xC0010299, 0xC001029B}, /* energy units and counters */
    {0xC00102B0, 0xC00102B4}, /* collaborative performance control */
    {0xC0011004, 0xC0011005}, /* feature bits of leaves 1 and 0x80000001 */
    {0xC001100C, 0xC001100C}, /* node id */
    {0xC0011020, 0xC0011022}, /* load-store, fetch and data cache configuration */
    {0xC0011029, 0xC0011029}, /* decode configuration: LFENCE */
};

const uint32_t msr_list_count = sizeof(msr_list) / sizeof(msr_list[0]);

uint32_t msr_list_total(void)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < msr_list_count; i++)
        total += msr_list[i].last - msr_list[i].first + 1;
    return total;
}
