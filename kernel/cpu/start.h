/* From the entry code to kernel_main() and back. */
#ifndef KERNEL_CPU_START_H
#define KERNEL_CPU_START_H

#include "boot/info/boot_info.h"

/* Written in kernel/main.c, run on the boot CPU, on our own tables, interrupts masked.
 * The result and its files must stay where they are: the loader reads them. Then it calls
 * kernel_goodbye(), which repeats info->saved on every sink, prints the last line and, when
 * info->can_end_machine is false, powers off, reboots or halts. */
struct boot_result *kernel_main(struct boot_info *info);
void kernel_goodbye(const struct boot_info *info);
/* After goodbye, as often as the loader wants: a key was pressed, info->key says which. */
void kernel_key(const struct boot_info *info);

/* Called by entry.asm. Returns the physical address of the result, whose file pointers
 * have become physical too. */
struct boot_result *kernel_start(void);

#endif
