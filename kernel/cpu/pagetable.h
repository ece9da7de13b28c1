/* Builds x86-64 page tables from a pool of pages that was sized beforehand. */
#ifndef KERNEL_CPU_PAGETABLE_H
#define KERNEL_CPU_PAGETABLE_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_4K 0x1000ull
#define PAGE_2M 0x200000ull
#define PAGE_1G 0x40000000ull

/* Entry bits [intel/vol3 4.5]. The PAT bit is bit 7 in a 4 KiB entry and bit 12 in a
 * large one; PAGETABLE_PAT is moved to where it belongs. */
#define PAGETABLE_PRESENT (1ull << 0)
#define PAGETABLE_WRITE (1ull << 1)
#define PAGETABLE_WRITE_THROUGH (1ull << 3)
#define PAGETABLE_CACHE_DISABLE (1ull << 4)
#define PAGETABLE_LARGE (1ull << 7)
#define PAGETABLE_PAT (1ull << 7)
#define PAGETABLE_PAT_LARGE (1ull << 12)
#define PAGETABLE_NO_EXECUTE (1ull << 63)
#define PAGETABLE_ADDRESS 0x000ffffffffff000ull

struct pagetable {
    uint64_t root;         /* physical address of the PML4 */
    uint64_t table_offset; /* add to a table's physical address to reach it */
    uint64_t pool_next, pool_end;
    uint64_t largest_page; /* PAGE_1G where the CPU has it, else PAGE_2M */
    bool has_no_execute;
};

/* Maps `bytes` at `virtual` to `physical`, all multiples of 4 KiB, with the largest pages
 * up to `page_limit` that fit. `flags` without PRESENT and LARGE. False: the pool is
 * empty, or something is mapped there already. */
bool pagetable_map(struct pagetable *table, uint64_t virtual, uint64_t physical, uint64_t bytes,
                   uint64_t flags, uint64_t page_limit);

bool pagetable_is_mapped(const struct pagetable *table, uint64_t virtual);

/* Counts the pages that pagetable_map() will take for mappings made in ascending order. */
struct pagetable_cost {
    uint64_t pages;
    uint64_t last_pdpt, last_pd, last_pt; /* index + 1 of the table counted last */
};
void pagetable_cost_add(struct pagetable_cost *cost, const struct pagetable *table,
                        uint64_t virtual, uint64_t physical, uint64_t bytes,
                        uint64_t page_limit);

#endif
