/* How the boot CPU waits for others without taking cycles from its own sibling. */
#ifndef KERNEL_SMP_SMP_WAIT_H
#define KERNEL_SMP_SMP_WAIT_H

#include <stdint.h>

/* Chooses the instruction by what CPUID offers: once, before the first wait. */
void smp_wait_init(void);

/* One step of a wait that began at `start_cycles`: short at first, then a sleep of some
 * microseconds that ends by itself. */
void smp_wait_step(uint64_t start_cycles);

/* "tpause", "mwaitx" or "pause", for the report. */
const char *smp_wait_name(void);

#endif
