/* Page-table construction. Runs at the physical address before the switch to our own
 * tables and at the virtual one afterwards, hence no absolute addresses. */
#include "kernel/cpu/pagetable.h"

#include <stddef.h>
#include <string.h>

enum { ENTRIES = 512, SHIFT_4K = 12, SHIFT_2M = 21, SHIFT_1G = 30, SHIFT_512G = 39 };

static uint64_t *table_at(const struct pagetable *table, uint64_t physical)
{
    return (uint64_t *)(physical + table->table_offset);
}

static size_t entry_index(uint64_t virtual, unsigned shift)
{
    return (virtual >> shift) % ENTRIES;
}

/* The table one level down, made when it is not there. NULL: no page left, or a large
 * page is mapped here. */
static uint64_t *next_table(struct pagetable *table, uint64_t *entry)
{
    if (*entry & PAGETABLE_PRESENT) {
        if (*entry & PAGETABLE_LARGE)
            return NULL;
        return table_at(table, *entry & PAGETABLE_ADDRESS);
    }
    if (table->pool_next >= table->pool_end)
        return NULL;
    uint64_t physical = table->pool_next;
    table->pool_next += PAGE_4K;
    memset(table_at(table, physical), 0, PAGE_4K);
    *entry = physical | PAGETABLE_PRESENT | PAGETABLE_WRITE;
    return table_at(table, physical);
}

static uint64_t page_for(const struct pagetable *table, uint64_t virtual, uint64_t physical,
                         uint64_t bytes, uint64_t page_limit)
{
    uint64_t both = virtual | physical;
    uint64_t limit = page_limit < table->largest_page ? page_limit : table->largest_page;
    if (limit >= PAGE_1G && both % PAGE_1G == 0 && bytes >= PAGE_1G)
        return PAGE_1G;
    if (limit >= PAGE_2M && both % PAGE_2M == 0 && bytes >= PAGE_2M)
        return PAGE_2M;
    return PAGE_4K;
}

static uint64_t leaf_flags(const struct pagetable *table, uint64_t flags, uint64_t page)
{
    if (!table->has_no_execute)
        flags &= ~PAGETABLE_NO_EXECUTE;
    if (page == PAGE_4K)
        return flags | PAGETABLE_PRESENT;
    if (flags & PAGETABLE_PAT)
        flags = (flags & ~PAGETABLE_PAT) | PAGETABLE_PAT_LARGE;
    return flags | PAGETABLE_PRESENT | PAGETABLE_LARGE;
}

static bool map_page(struct pagetable *table, uint64_t virtual, uint64_t physical, uint64_t page,
                     uint64_t flags)
{
    uint64_t *level = table_at(table, table->root);
    unsigned leaf_shift = page == PAGE_1G ? SHIFT_1G : page == PAGE_2M ? SHIFT_2M : SHIFT_4K;

    for (unsigned shift = SHIFT_512G; shift > leaf_shift; shift -= 9) {
        level = next_table(table, &level[entry_index(virtual, shift)]);
        if (!level)
            return false;
    }
    uint64_t *leaf = &level[entry_index(virtual, leaf_shift)];
    if (*leaf & PAGETABLE_PRESENT)
        return false;
    *leaf = physical | leaf_flags(table, flags, page);
    return true;
}

bool pagetable_map(struct pagetable *table, uint64_t virtual, uint64_t physical, uint64_t bytes,
                   uint64_t flags, uint64_t page_limit)
{
    while (bytes > 0) {
        uint64_t page = page_for(table, virtual, physical, bytes, page_limit);
        if (!map_page(table, virtual, physical, page, flags))
            return false;
        virtual += page;
        physical += page;
        bytes -= page;
    }
    return true;
}

bool pagetable_is_mapped(const struct pagetable *table, uint64_t virtual)
{
    const uint64_t *level = table_at(table, table->root);
    for (unsigned shift = SHIFT_512G; shift >= SHIFT_4K; shift -= 9) {
        uint64_t entry = level[entry_index(virtual, shift)];
        if (!(entry & PAGETABLE_PRESENT))
            return false;
        if (shift == SHIFT_4K || (shift < SHIFT_512G && (entry & PAGETABLE_LARGE)))
            return true;
        level = table_at(table, entry & PAGETABLE_ADDRESS);
    }
    return false;
}

static void count_table(struct pagetable_cost *cost, uint64_t *last, uint64_t index)
{
    if (*last == index + 1)
        return;
    *last = index + 1;
    cost->pages++;
}

void pagetable_cost_add(struct pagetable_cost *cost, const struct pagetable *table,
                        uint64_t virtual, uint64_t physical, uint64_t bytes, uint64_t page_limit)
{
    virtual &= (1ull << 48) - 1;
    while (bytes > 0) {
        uint64_t page = page_for(table, virtual, physical, bytes, page_limit);
        count_table(cost, &cost->last_pdpt, virtual >> SHIFT_512G);
        if (page < PAGE_1G)
            count_table(cost, &cost->last_pd, virtual >> SHIFT_1G);
        if (page < PAGE_2M)
            count_table(cost, &cost->last_pt, virtual >> SHIFT_2M);
        virtual += page;
        physical += page;
        bytes -= page;
    }
}
