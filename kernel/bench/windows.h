/* Memory of one node seen through pages of each size. */
#ifndef KERNEL_BENCH_WINDOWS_H
#define KERNEL_BENCH_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/plan.h"

enum { WINDOWS_PAGE_KINDS = 3 };

/* A granted range. */
struct bench_memory {
    int32_t node;                   /* -1: not known */
    uint64_t physical, bytes;
};

struct windows {
    int32_t node;
    uint64_t physical, usable_bytes;
    uint64_t page_bytes[WINDOWS_PAGE_KINDS];
    uint8_t *starts[WINDOWS_PAGE_KINDS];
    uint32_t page_count;
};

/* `map`: bit 0: 4K, 1: 2M, 2: 1G; 0: the largest pages for large regions, and 2M for
 * those that are no multiple of them. False: none can be mapped. */
bool windows_map(struct windows *windows, const struct bench_memory *memory,
                 const struct plan_request *wishes, uint32_t map);

/* What windows_map() can use of it. */
uint64_t windows_usable(const struct bench_memory *memory);

/* NULL: no such pages, or not that much. */
void *windows_find(const struct windows *windows, uint64_t region_bytes, uint64_t page_bytes);

extern const uint64_t windows_page_kinds[WINDOWS_PAGE_KINDS];

#endif
