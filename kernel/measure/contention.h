/* The port-bound kernel: what it runs is in contention.asm. */
#ifndef KERNEL_MEASURE_CONTENTION_H
#define KERNEL_MEASURE_CONTENTION_H

#include <stdint.h>

void contention_kernel(uint64_t iterations);

#endif
