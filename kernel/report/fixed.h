/* Numbers with a decimal point, made of integers only: value 12345 with 3 decimals
 * is 12.345. Nothing here can overflow silently. */
#ifndef KERNEL_REPORT_FIXED_H
#define KERNEL_REPORT_FIXED_H

#include <stdint.h>

#include "kernel/lib/textbuf.h"

/* a * b / c, rounded to nearest (half up), with a 128-bit product; UINT64_MAX when
 * the result does not fit or c is 0. */
uint64_t fixed_muldiv(uint64_t a, uint64_t b, uint64_t c);

/* "12.345", "-0.050", "7" with 0 decimals. At most 18 decimals. */
void fixed_put(struct textbuf *out, int64_t value, unsigned decimals);

/* Bytes per second as GiB/s (2^30) with 2 decimals, without the unit. */
void fixed_put_gib_per_s(struct textbuf *out, uint64_t bytes_per_s);

/* A byte count as people write it: 4K, 16M, 1G, 1T when it is a whole number of
 * them (the largest that fits), else plain bytes. K is 1,024. */
void fixed_put_size(struct textbuf *out, uint64_t bytes);

/* TSC cycles as picoseconds; UINT64_MAX when tsc_hz is 0 (not known). */
uint64_t fixed_cycles_to_ps(uint64_t cycles, uint64_t tsc_hz);

#endif
