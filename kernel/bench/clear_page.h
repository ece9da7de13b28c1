/* The assembler side of the bench: the variants' table and the timed loop. The
 * same objects are linked into the image and into the desk tool. */
#ifndef KERNEL_BENCH_CLEAR_PAGE_H
#define KERNEL_BENCH_CLEAR_PAGE_H

#include <stdint.h>

#include "kernel/stats/variants.h"

/* Emitted by the CLEAR_PAGE blocks of clear_page.asm. */
extern const struct clear_variant clear_page_variants[];
extern const struct clear_variant clear_page_variants_end[];

static inline uint32_t clear_page_variant_count(void)
{
    return (uint32_t)(clear_page_variants_end - clear_page_variants);
}

/* What timed_pass() does; the layout is known to timed.asm. */
struct timed_pass {
    void (*clear)(void *start, uint64_t bytes);
    void *start;
    uint64_t extent_bytes;
    const uint32_t *order;   /* sample i begins at start + order[i] * calls * extent_bytes */
    uint64_t *samples;       /* TSC cycles */
    uint32_t sample_count;
    uint32_t calls;          /* neighbouring extents in one sample, one call each */
};

void timed_pass(const struct timed_pass *pass);

/* Stores `pattern` over the range with ordinary stores; bytes: multiple of 64. */
void timed_fill(void *start, uint64_t bytes, uint64_t pattern);

/* Drops the range from all caches by CLFLUSHOPT, or by CLFLUSH (_old). */
void timed_flush(const void *start, uint64_t bytes, uint64_t line_bytes);
void timed_flush_old(const void *start, uint64_t bytes, uint64_t line_bytes);

/* How many 8-byte words of the range differ from `pattern`. */
uint64_t timed_holds(const void *start, uint64_t bytes, uint64_t pattern);

#endif
