/* A chain of pointers through a piece of memory, one per cache line, in an order no
 * prefetcher follows: each line tells the next, so that a walk pays every transfer. */
#ifndef KERNEL_MEASURE_CHAIN_H
#define KERNEL_MEASURE_CHAIN_H

#include <stdint.h>

/* Writes every line; `bytes` is a power of two of at least 16 lines. */
void chain_write(uint8_t *memory, uint64_t bytes);

/* Walks `lines` links and returns where it ended, so that it cannot be left out. */
const void *chain_walk(const uint8_t *memory, uint64_t lines);

/* Out of every cache. */
void chain_flush(const uint8_t *memory, uint64_t bytes);

/* The largest power of two that is not above `bytes`. */
uint64_t chain_floor(uint64_t bytes);

#endif
