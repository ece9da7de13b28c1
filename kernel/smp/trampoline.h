/* The two pages below 1 MiB through which CPUs are started and on which they end:
 * code, and a page table that maps the code, the image and the kernel's upper half. */
#ifndef KERNEL_SMP_TRAMPOLINE_H
#define KERNEL_SMP_TRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

enum { TRAMPOLINE_PAGE_BYTES = 4096, TRAMPOLINE_PAGES = 2 };

/* Fills both pages from the control registers of the CPU that calls. Started CPUs
 * jump to `entry` with the image mapped and no stack. Pages 0 and 1 will not do. */
void trampoline_install(uint64_t physical, void (*entry)(void));
uint64_t trampoline_physical(void);

/* From now on a CPU that arrives by a late start message halts at once. */
void trampoline_close(void);

/* Leaves the image for good: ends in the page's own halt loop. Does not return. */
void trampoline_park(void) __attribute__((noreturn));
/* CPUs that have reached the halt loop. */
uint32_t trampoline_parked_count(void);

#endif
