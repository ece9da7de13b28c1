/* The order is a full-period linear congruence: i -> a*i + c modulo a power of two
 * visits every line once, with a step that keeps changing. */
#include "kernel/measure/chain.h"

#include "kernel/measure/measuring.h"

enum { MULTIPLIER = 0x5D588B65, INCREMENT = 0x3C6EF35F }; /* 1 modulo 4, and odd */

void chain_write(uint8_t *memory, uint64_t bytes)
{
    uint64_t lines = bytes / LINE_BYTES;

    for (uint64_t i = 0; i < lines; i++) {
        uint64_t next = (i * MULTIPLIER + INCREMENT) & (lines - 1);

        *(void **)(memory + i * LINE_BYTES) = memory + next * LINE_BYTES;
    }
}

const void *chain_walk(const uint8_t *memory, uint64_t lines)
{
    const void *at = memory;

    for (uint64_t i = 0; i < lines; i++)
        at = *(const void *const volatile *)at;
    return at;
}

void chain_flush(const uint8_t *memory, uint64_t bytes)
{
    for (uint64_t offset = 0; offset < bytes; offset += LINE_BYTES)
        measuring_flush(memory + offset);
    __asm__ volatile("mfence" ::: "memory");
}

uint64_t chain_floor(uint64_t bytes)
{
    return bytes ? 1ull << (63 - __builtin_clzll(bytes)) : 0;
}
