/* Bit fields of registers and the small arithmetic of APIC IDs. */
#ifndef KERNEL_LIB_BITS_H
#define KERNEL_LIB_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* value[high:low] in the manuals' notation. */
static inline uint32_t bits_get(uint32_t value, unsigned high, unsigned low)
{
    return (value >> low) & (high - low >= 31 ? UINT32_MAX : (1u << (high - low + 1)) - 1);
}

static inline bool bits_test(uint32_t value, unsigned bit)
{
    return (value >> bit) & 1;
}

/* Smallest k with 2^k >= n. order(0) is the kernel's malformed case; callers
 * report it and take 0. */
static inline unsigned bits_order(uint32_t n)
{
    return n <= 1 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

/* 2^k - 1, for k up to 32. */
static inline uint32_t bits_ones(unsigned k)
{
    return k >= 32 ? UINT32_MAX : (1u << k) - 1;
}

/* value >> shift, zero when the shift is 32 or more. */
static inline uint32_t bits_shift_right(uint32_t value, unsigned shift)
{
    return shift >= 32 ? 0 : value >> shift;
}

#endif
