/* The direct map, device mappings, bench windows and guarded stacks, all carved from
 * address ranges that only grow and from the page-table pool sized at start. */
#include "kernel/cpu/physmap.h"

#include <stddef.h>

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/layout.h"
#include "kernel/cpu/paging.h"
#include "kernel/cpu/physmap_state.h"

#define CPUID_ADDRESS_BITS 0x80000008u

struct physmap_state physmap_state;
static uint64_t next_device = LAYOUT_DEVICES;
static uint64_t next_window = LAYOUT_WINDOWS;

void *physmap(uint64_t physical)
{
    return (void *)(LAYOUT_PHYSMAP + physical);
}

uint64_t physmap_physical(const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    if (address >= LAYOUT_PHYSMAP)
        return address - LAYOUT_PHYSMAP;
    return address - LAYOUT_IMAGE + physmap_state.image_physical;
}

bool physmap_is_readable(uint64_t physical, uint64_t bytes)
{
    if (bytes == 0 || physical >= LAYOUT_PHYSMAP_BYTES || bytes > LAYOUT_PHYSMAP_BYTES - physical)
        return false;
    uint64_t first = physical & ~(PAGE_4K - 1);
    for (uint64_t page = first; page < physical + bytes; page += PAGE_4K) {
        if (!pagetable_is_mapped(&physmap_state.table, LAYOUT_PHYSMAP + page))
            return false;
    }
    return true;
}

/* A page table entry with more address bits than the CPU has is a fault when it is used.
 * [intel/vol3 4.1.4] */
static bool is_addressable(uint64_t physical, uint64_t bytes)
{
    uint32_t bits = cpuid_read_if_present(CPUID_ADDRESS_BITS, 0).eax & 0xff;
    uint64_t limit = 1ull << (bits == 0 || bits > 52 ? 36 : bits);

    return physical < limit && bytes <= limit - physical;
}

void *physmap_device(uint64_t physical, uint64_t bytes, enum physmap_cache cache)
{
    const uint64_t uncached = PAGETABLE_CACHE_DISABLE | PAGETABLE_WRITE_THROUGH;
    const uint64_t combining = PAGETABLE_PAT | PAGETABLE_WRITE_THROUGH; /* PAT entry 5 */
    uint64_t flags = PAGETABLE_WRITE | PAGETABLE_NO_EXECUTE |
                     (cache == PHYSMAP_UNCACHED ? uncached : combining);
    uint64_t inside = physical % PAGE_4K;
    if (bytes == 0 || bytes > LAYOUT_DEVICES_END - LAYOUT_DEVICES ||
        !is_addressable(physical, bytes))
        return NULL;
    uint64_t length = (inside + bytes + PAGE_4K - 1) & ~(PAGE_4K - 1);

    /* Same offset in a 2 MiB page as the device, so that large pages fit. */
    uint64_t virtual = ((next_device + PAGE_2M - 1) & ~(PAGE_2M - 1)) +
                       ((physical - inside) & (PAGE_2M - 1));
    if (virtual + length > LAYOUT_DEVICES_END)
        return NULL;
    next_device = virtual + length + PAGE_4K;
    if (!pagetable_map(&physmap_state.table, virtual, physical - inside, length, flags, PAGE_2M))
        return NULL;
    return (void *)(virtual + inside);
}

static bool is_within(enum boot_range_kind kind, uint64_t physical, uint64_t bytes)
{
    const struct boot_info *info = paging_boot_info();
    for (uint32_t i = 0; i < info->range_count; i++) {
        const struct boot_range *range = &info->ranges[i];
        if (range->kind == kind && range->start <= physical &&
            physical + bytes <= range->end)
            return true;
    }
    return false;
}

static void *map_granted(uint64_t physical, uint64_t bytes, uint64_t page_bytes, uint64_t align)
{
    uint64_t virtual = ((next_window + align - 1) & ~(align - 1));
    next_window = virtual + bytes + PAGE_4K;
    if (!pagetable_map(&physmap_state.table, virtual, physical, bytes,
                       PAGETABLE_WRITE | PAGETABLE_NO_EXECUTE, page_bytes))
        return NULL;
    return (void *)virtual;
}

void *physmap_window(uint64_t physical, uint64_t bytes, uint64_t page_bytes)
{
    if (page_bytes != PAGE_4K && page_bytes != PAGE_2M && page_bytes != PAGE_1G)
        return NULL;
    if (page_bytes > physmap_state.table.largest_page || bytes == 0 ||
        (physical | bytes) % page_bytes || bytes > LAYOUT_PHYSMAP_BYTES ||
        !is_within(BOOT_RANGE_GRANTED, physical, bytes))
        return NULL;
    return map_granted(physical, bytes, page_bytes, PAGE_1G);
}

void *physmap_stack(uint64_t physical, uint64_t bytes)
{
    /* The run's own memory is no longer listed as granted once it has been cut off. */
    if (bytes == 0 || (physical | bytes) % PAGE_4K ||
        (!is_within(BOOT_RANGE_GRANTED, physical, bytes) &&
         !is_within(BOOT_RANGE_KERNEL, physical, bytes)))
        return NULL;
    next_window += PAGE_4K; /* the guard page below */
    return map_granted(physical, bytes, PAGE_4K, PAGE_4K);
}
