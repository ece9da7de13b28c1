/* Builds the address space while the loader's identity map is still in force, so
 * everything called from paging_prepare() is position-independent. */
#include "kernel/cpu/paging.h"

#include <stddef.h>
#include <string.h>

#include "boot/info/memory_map.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/layout.h"
#include "kernel/cpu/msr_numbers.h"
#include "kernel/cpu/pagetable.h"
#include "kernel/cpu/physmap_state.h"

enum {
    CPUID_EXTENDED_FEATURES = 0x80000001,
    CPUID_EDX_NX = 20,
    CPUID_EDX_1G_PAGES = 26,
    CR4_LA57_BIT = 12,
    SWITCH_BYTES = 2 * PAGE_4K,
    /* Tables for device mappings and for the bench's 4 KiB windows. A window of all
     * granted memory takes 1/512 of it; 32 MiB of tables map 16 GiB. */
    DEVICE_TABLES = 128,
    WINDOW_TABLES_MIN = 64,
    WINDOW_TABLES_MAX = 8192,
};

/* Firmware keeps tables in what it calls reserved, so the start of it is mapped. A broken
 * map may call all the address space so, which takes more page tables than there is RAM. */
#define RESERVED_MOST (4 * PAGE_1G)

/* What entry.asm needs for the switch. */
struct paging_switch {
    uint64_t between_cr3; /* the loader's top level plus our LAYOUT_SWITCH pages */
    uint64_t own_cr3;
    uint64_t alias_offset; /* LAYOUT_SWITCH address minus physical address of that code */
};

extern const uint8_t switch_code[];
extern const uint64_t entry_found_pat;
const struct paging_switch *paging_prepare(const struct boot_info *from_loader);

static uint64_t *root; /* first page of the pool: later mappings write to it */
static uint64_t root_la57[512] __attribute__((aligned(4096)));
static uint64_t between[512] __attribute__((aligned(4096)));
static struct boot_info own_info;
static struct paging_switch switching;
static bool is_la57;

static uint64_t image_physical(const void *symbol)
{
    return (uint64_t)(uintptr_t)symbol;
}

uint64_t paging_cr3(void)
{
    return switching.own_cr3;
}

bool paging_is_la57(void)
{
    return is_la57;
}

bool paging_has_no_execute(void)
{
    return physmap_state.table.has_no_execute;
}

struct boot_info *paging_boot_info(void)
{
    return &own_info;
}

void paging_load_pat(void)
{
    /* WB, WT, UC-, UC as at reset; entry 5 becomes WC. [intel/vol3 12.12.4] */
    const uint64_t pat = 0x0007010600070406ull;
    const uint64_t value = (pat & ~(0xffull << 40)) | (1ull << 40);
    __asm__ volatile("wrmsr"
                     :
                     : "c"(MSR_IA32_PAT), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
                     : "memory");
}

uint64_t paging_found_pat(void)
{
    return entry_found_pat;
}

/* One range as it is mapped: whole pages, ascending, what is writable cut inwards. */
struct mapped_range {
    uint64_t start, end;
    uint64_t flags;
};

/* False when the range stays unmapped. `*covered` is the end of the range before. */
static bool mapped_range(const struct boot_range *range, uint64_t *covered,
                         struct mapped_range *mapped)
{
    const uint64_t mask = PAGE_4K - 1;
    if (range->kind == BOOT_RANGE_PERSISTENT || range->kind == BOOT_RANGE_SPECIAL)
        return false;
    bool is_granted = range->kind == BOOT_RANGE_GRANTED;
    mapped->start = is_granted ? (range->start + mask) & ~mask : range->start & ~mask;
    mapped->end = is_granted || range->end > LAYOUT_PHYSMAP_BYTES ? range->end & ~mask
                                                                  : (range->end + mask) & ~mask;
    if (range->kind == BOOT_RANGE_RESERVED && mapped->end - mapped->start > RESERVED_MOST)
        mapped->end = mapped->start + RESERVED_MOST;
    if (mapped->end > LAYOUT_PHYSMAP_BYTES)
        mapped->end = LAYOUT_PHYSMAP_BYTES;
    if (mapped->start < *covered)
        mapped->start = *covered;
    if (mapped->start >= mapped->end)
        return false;
    *covered = mapped->end;
    mapped->flags = is_granted ? PAGETABLE_WRITE : 0;
    return true;
}

static uint64_t count_tables(const struct pagetable *table, const struct boot_info *info)
{
    struct pagetable_cost cost = {0};
    uint64_t covered = 0, granted = 0;
    for (uint32_t i = 0; i < info->range_count; i++) {
        struct mapped_range range;
        if (!mapped_range(&info->ranges[i], &covered, &range))
            continue;
        pagetable_cost_add(&cost, table, LAYOUT_PHYSMAP + range.start, range.start,
                           range.end - range.start, PAGE_1G);
        if (info->ranges[i].kind == BOOT_RANGE_GRANTED)
            granted += range.end - range.start;
    }
    uint64_t windows = granted / PAGE_2M + granted / PAGE_1G;
    windows = windows > WINDOW_TABLES_MAX ? WINDOW_TABLES_MAX : windows;
    /* The pool and the image split ranges: at most eight more tables. */
    const uint64_t image = 3 + (uint64_t)(image_end - image_start) / PAGE_2M;
    return cost.pages + 1 + 8 + image + 6 + DEVICE_TABLES + windows + WINDOW_TABLES_MIN;
}

/* The first granted range that is large enough gives its end. BIOS: below 4 GiB, where
 * the early identity map reaches. */
static bool take_pool(struct boot_info *info, uint64_t pages, uint64_t *start)
{
    const uint64_t bytes = pages * PAGE_4K, limit = 1ull << 32;
    for (uint32_t i = 0; i < info->range_count; i++) {
        const struct boot_range *range = &info->ranges[i];
        uint64_t end = (range->end < limit ? range->end : limit) & ~(PAGE_4K - 1);
        if (range->kind != BOOT_RANGE_GRANTED || range->start >= end || range->start < 1u << 20)
            continue;
        if (end - range->start < bytes + PAGE_4K)
            continue;
        *start = end - bytes;
        memory_map_take(info, *start, end, BOOT_RANGE_KERNEL);
        return memory_map_is_writable(info, *start, end);
    }
    return false;
}

static bool map_direct_part(struct pagetable *table, uint64_t start, uint64_t end, uint64_t flags)
{
    return start >= end || pagetable_map(table, LAYOUT_PHYSMAP + start, start, end - start,
                                         flags | PAGETABLE_NO_EXECUTE, PAGE_1G);
}

/* What is ours is writable here too (page tables, trampoline), but not the image: its
 * text must not be. */
static bool map_own(struct pagetable *table, const struct mapped_range *range)
{
    uint64_t image = image_physical(image_start), image_stop = image_physical(image_end);
    uint64_t before = range->end < image ? range->end : image;
    uint64_t after = range->start > image_stop ? range->start : image_stop;
    uint64_t start = range->start > image ? range->start : image;
    uint64_t end = range->end < image_stop ? range->end : image_stop;
    return map_direct_part(table, range->start, before, PAGETABLE_WRITE) &&
           map_direct_part(table, start, end, 0) &&
           map_direct_part(table, after, range->end, PAGETABLE_WRITE);
}

static bool map_direct(struct pagetable *table, const struct boot_info *info)
{
    uint64_t covered = 0;
    for (uint32_t i = 0; i < info->range_count; i++) {
        struct mapped_range range;
        if (!mapped_range(&info->ranges[i], &covered, &range))
            continue;
        bool is_mapped = info->ranges[i].kind == BOOT_RANGE_KERNEL
                             ? map_own(table, &range)
                             : map_direct_part(table, range.start, range.end, range.flags);
        if (!is_mapped)
            return false;
    }
    return true;
}

static bool map_image_part(struct pagetable *table, const uint8_t *start, const uint8_t *end,
                           uint64_t flags)
{
    return pagetable_map(table, LAYOUT_IMAGE + (uint64_t)(start - image_start),
                         image_physical(start), (uint64_t)(end - start), flags, PAGE_4K);
}

static bool map_image(struct pagetable *table)
{
    const uint64_t data = PAGETABLE_WRITE | PAGETABLE_NO_EXECUTE;
    bool is_mapped = map_image_part(table, image_start, image_rodata, 0) &&
                     map_image_part(table, image_rodata, image_data, PAGETABLE_NO_EXECUTE) &&
                     map_image_part(table, image_data, image_stacks, data);

    const uint8_t *stack = image_stacks + LAYOUT_PAGE_BYTES;
    uint32_t bytes = LAYOUT_BOOT_STACK_BYTES;
    for (int i = 0; i < 1 + LAYOUT_FAULT_STACK_COUNT; i++) {
        is_mapped = is_mapped && map_image_part(table, stack, stack + bytes, data);
        stack += bytes + LAYOUT_PAGE_BYTES;
        bytes = LAYOUT_FAULT_STACK_BYTES;
    }
    return is_mapped;
}

static bool map_switch(struct pagetable *table)
{
    uint64_t physical = image_physical(switch_code) & ~(PAGE_4K - 1);
    switching.alias_offset = LAYOUT_SWITCH - physical;
    return pagetable_map(table, LAYOUT_SWITCH, physical, SWITCH_BYTES, 0, PAGE_4K);
}

/* APs turn paging on inside the trampoline page, so it is also mapped where it lies. */
static bool map_trampoline(struct pagetable *table, uint64_t physical)
{
    return physical == 0 || pagetable_map(table, physical, physical, PAGE_4K, 0, PAGE_4K);
}

static void prepare_switch(void)
{
    const uint64_t link = PAGETABLE_PRESENT | PAGETABLE_WRITE;
    const uint64_t *loader_root = (const uint64_t *)(cr3_read() & PAGETABLE_ADDRESS);

    is_la57 = cr4_read() >> CR4_LA57_BIT & 1;
    memcpy(between, loader_root, sizeof between);
    if (is_la57) {
        /* Both ends of the 57-bit space use one PML4: its lower half and its upper half. */
        root_la57[0] = root_la57[511] = image_physical(root) | link;
        between[511] = image_physical(root) | link;
    } else {
        between[511] = root[511];
    }
    switching.between_cr3 = image_physical(between);
    switching.own_cr3 = image_physical(is_la57 ? root_la57 : root);
}

/* The second entry finds everything built; only what the loader tells is new. */
static const struct paging_switch *prepare_goodbye(const struct boot_info *from_loader)
{
    own_info.call = from_loader->call;
    own_info.key = from_loader->key;
    own_info.is_save_failed = from_loader->is_save_failed;
    memcpy(own_info.saved, from_loader->saved, sizeof own_info.saved);
    prepare_switch();
    return &switching;
}

const struct paging_switch *paging_prepare(const struct boot_info *from_loader)
{
    struct pagetable *table = &physmap_state.table;
    if (from_loader->call != BOOT_CALL_RUN)
        return prepare_goodbye(from_loader);
    struct cpuid_result features = cpuid_read_if_present(CPUID_EXTENDED_FEATURES, 0);

    memcpy(&own_info, from_loader, sizeof own_info);
    table->has_no_execute = features.edx >> CPUID_EDX_NX & 1;
    table->largest_page = features.edx >> CPUID_EDX_1G_PAGES & 1 ? PAGE_1G : PAGE_2M;

    uint64_t pages = count_tables(table, &own_info), pool;
    if (!take_pool(&own_info, pages, &pool))
        return NULL;
    root = (uint64_t *)pool;
    memset(root, 0, PAGE_4K);
    table->root = pool;
    table->pool_next = pool + PAGE_4K;
    table->pool_end = pool + pages * PAGE_4K;
    physmap_state.image_physical = image_physical(image_start);
    if (!map_direct(table, &own_info) || !map_image(table) ||
        !map_switch(table) || !map_trampoline(table, own_info.trampoline_physical))
        return NULL;
    prepare_switch();
    table->table_offset = LAYOUT_PHYSMAP;
    return &switching;
}
