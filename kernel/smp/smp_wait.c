/* HLT would need a timer to be bounded. TPAUSE and MWAITX bring their own: they give the
 * core to the sibling and return at a time of the TSC. Where neither is there the boot
 * CPU spins with PAUSE, and a bench that uses its sibling says so. [intel/vol2 TPAUSE]
 * [amd/vol3 MWAITX] */
#include "kernel/smp/smp_wait.h"

#include <stdbool.h>

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/bits.h"

enum {
    CPUID_7_ECX_WAITPKG = 5,
    CPUID_80000001_ECX_MONITORX = 29,
    SPIN_US = 20,
    SLEEP_US = 20,
    TPAUSE_DEEPER = 0,        /* C0.2 */
    MWAITX_HINT_C1 = 0,
    MWAITX_WITH_TIMER = 1 << 1,
};

enum wait_kind { WAIT_PAUSE, WAIT_TPAUSE, WAIT_MWAITX };

static enum wait_kind kind;

void smp_wait_init(void)
{
    if (bits_test(cpuid_read_if_present(7, 0).ecx, CPUID_7_ECX_WAITPKG))
        kind = WAIT_TPAUSE;
    else if (bits_test(cpuid_read_if_present(0x80000001, 0).ecx, CPUID_80000001_ECX_MONITORX))
        kind = WAIT_MWAITX;
    else
        kind = WAIT_PAUSE;
}

static void sleep_with_tpause(uint64_t until_cycles)
{
    __asm__ volatile("tpause %0"
                     :
                     : "r"((uint32_t)TPAUSE_DEEPER), "a"((uint32_t)until_cycles),
                       "d"((uint32_t)(until_cycles >> 32))
                     : "cc", "memory");
}

/* The line that is watched is written by nobody: the timer ends the sleep. */
static void sleep_with_mwaitx(uint32_t cycles)
{
    static _Alignas(64) uint8_t watched[64];

    __asm__ volatile("monitorx" : : "a"(watched), "c"(0), "d"(0) : "memory");
    __asm__ volatile("mwaitx"
                     :
                     : "a"(MWAITX_HINT_C1), "b"(cycles), "c"(MWAITX_WITH_TIMER)
                     : "memory");
}

void smp_wait_step(uint64_t start_cycles)
{
    uint64_t now = tsc_read();

    if (kind == WAIT_PAUSE || now - start_cycles < tsc_cycles_of_us(SPIN_US))
        cpu_pause();
    else if (kind == WAIT_TPAUSE)
        sleep_with_tpause(now + tsc_cycles_of_us(SLEEP_US));
    else
        sleep_with_mwaitx((uint32_t)tsc_cycles_of_us(SLEEP_US));
}

const char *smp_wait_name(void)
{
    static const char *const names[] = {"pause", "tpause", "mwaitx"};

    return names[kind];
}
