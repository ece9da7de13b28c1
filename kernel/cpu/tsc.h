/* The time-stamp counter and its rate. */
#ifndef KERNEL_CPU_TSC_H
#define KERNEL_CPU_TSC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/tsc_rate.h"

static inline uint64_t tsc_read(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

/* Measured at start. 0 before tsc_calibrate(). */
uint64_t tsc_hz(void);

/* Measures the rate against each clock; `pm_timer_port` is from the FADT, 0 when there is
 * none. The first rate is taken. rates[i].hz is 0 where the clock did not run. False: none did;
 * the rate is then taken from CPUID leaf 0x15 or 0x16, or assumed. */
bool tsc_calibrate(uint16_t pm_timer_port, bool is_pm_timer_32bit,
                   struct tsc_rate rates[TSC_CLOCK_COUNT]);

/* Cycles of `microseconds`, for bounds of waits. */
uint64_t tsc_cycles_of_us(uint64_t microseconds);

#endif
