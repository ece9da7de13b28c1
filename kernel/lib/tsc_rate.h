/* What a clock of a known rate says about the time-stamp counter's: measured in kernel/cpu,
 * recorded in the facts, judged in kernel/topology. */
#ifndef KERNEL_LIB_TSC_RATE_H
#define KERNEL_LIB_TSC_RATE_H

#include <stdint.h>

/* The first that ran is taken. */
enum tsc_clock { TSC_CLOCK_PM_TIMER, TSC_CLOCK_PIT, TSC_CLOCK_COUNT };

struct tsc_rate {
    uint64_t hz;         /* 0: the clock is not there or did not run */
    uint32_t doubt_ppm;  /* by the time that reading the clock took */
};

#endif
