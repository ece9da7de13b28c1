/* Names of the image's functions, filled in by the second link. */
#ifndef KERNEL_CPU_SYMBOLS_H
#define KERNEL_CPU_SYMBOLS_H

#include <stdint.h>

/* The function that `address` lies in and the offset into it. NULL: not in the image. */
const char *symbols_find(uint64_t address, uint64_t *offset_bytes);

#endif
