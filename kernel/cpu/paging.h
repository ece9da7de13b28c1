/* The image's own address space: W^X, guard pages, nothing at null, all RAM in the
 * direct map, and only granted memory writable. See docs/boot.md for the drawing. */
#ifndef KERNEL_CPU_PAGING_H
#define KERNEL_CPU_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/info/boot_info.h"

/* The value CR3 must have on every CPU, below 4 GiB so that an AP can load it from
 * 32-bit mode, and whether CR4.LA57 must be set with it. */
uint64_t paging_cr3(void);
bool paging_is_la57(void);
bool paging_has_no_execute(void);

/* Loads the PAT that the mappings count on: entry 5 is write-combining. Every CPU must. */
void paging_load_pat(void);

/* The boot CPU's PAT as the loader left it. */
uint64_t paging_found_pat(void);

/* The copy of the loader's boot_info that the kernel works with; the ranges show the
 * page-table pool as taken. */
struct boot_info *paging_boot_info(void);

#endif
