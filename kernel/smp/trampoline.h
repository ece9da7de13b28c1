/* The page below 1 MiB through which CPUs are started, and on which they end. */
#ifndef KERNEL_SMP_TRAMPOLINE_H
#define KERNEL_SMP_TRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Fills the page from the control registers of the CPU that calls. Started CPUs jump to
 * `entry` on the kernel's page tables, without a stack. False: there is no such page, or
 * the tables lie too high for a CPU that is not yet in long mode. */
bool trampoline_install(uint64_t physical, void (*entry)(void));
uint64_t trampoline_physical(void);

/* From now on a CPU that is started stays in the halt loop of the code page. */
void trampoline_close(void);
/* CPUs that have reached the halt loop. */
uint32_t trampoline_parked_count(void);

#endif
