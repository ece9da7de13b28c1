/* From the entry code to kernel_main() and back. */
#ifndef KERNEL_CPU_START_H
#define KERNEL_CPU_START_H

#include "boot/info/boot_info.h"

/* Written in kernel/main.c. Runs on the boot CPU, on our own tables, interrupts masked.
 * The result and its files must stay where they are: the loader reads them. */
struct boot_result *kernel_main(struct boot_info *info);

/* Called by entry.asm. Returns the physical address of the result, whose file pointers
 * have become physical too. */
struct boot_result *kernel_start(void);

#endif
