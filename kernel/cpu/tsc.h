/* The time-stamp counter and its rate. */
#ifndef KERNEL_CPU_TSC_H
#define KERNEL_CPU_TSC_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t tsc_read(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

/* Measured against the ACPI PM timer or the PIT at start. 0 before tsc_calibrate(). */
uint64_t tsc_hz(void);

/* `pm_timer_port` from the FADT, 0 when there is none. False: no second clock
 * answered; the rate is then taken from CPUID leaf 0x15/0x16, or assumed, and
 * tsc_source() says so. */
bool tsc_calibrate(uint16_t pm_timer_port, bool is_pm_timer_32bit);

/* "acpi-pm-timer", "pit", "cpuid-0x15", "cpuid-0x16" or "assumed". */
const char *tsc_source(void);

/* Cycles of `microseconds`, for bounds of waits. */
uint64_t tsc_cycles_of_us(uint64_t microseconds);

#endif
