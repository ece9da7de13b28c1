/* Fills the page that trampoline.asm describes. The kernel's own tables map it where it
 * lies (kernel/cpu/paging.c), so that they serve from the first instruction on. */
#include "kernel/smp/trampoline.h"

#include <string.h>

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/paging.h"
#include "kernel/cpu/physmap.h"

enum { PAGE_BYTES = 4096, FIRST_MIB = 0x100000, OPCODE_INT3 = 0xCC };
#define CR0_CACHE_OFF (UINT64_C(3) << 29) /* CD and NW: INIT sets them */
#define CR0_TASK_SWITCHED (UINT64_C(1) << 3)
#define CR4_PAE (UINT64_C(1) << 5)
#define CR4_LA57 (UINT64_C(1) << 12)
#define EFER_LME (UINT64_C(1) << 8)
#define EFER_NXE (UINT64_C(1) << 11)

/* As laid out at `params` in trampoline.asm. */
struct trampoline_params {
    uint32_t cr0, cr3, cr4, efer;
    uint32_t start64;
    uint16_t start64_selector, start64_offset;
    uint64_t entry;
    uint64_t pat; /* what the boot CPU had: a parked CPU has it again */
    _Atomic uint32_t parked, is_closed;
    uint16_t gdt_offset, gdt_base_offset;
    uint16_t park_offset, park_base_offset;
    uint16_t interrupt_offset, park_vectors;
} __attribute__((packed, aligned(16)));

extern const uint8_t trampoline_start[], trampoline_end[], trampoline_params[];

static uint8_t *page;
static uint64_t page_physical;

static struct trampoline_params *params(void)
{
    return (struct trampoline_params *)(page + (trampoline_params - trampoline_start));
}

static void put_u32(uint32_t offset, uint64_t value)
{
    uint32_t word = (uint32_t)value;

    memcpy(page + offset, &word, sizeof(word));
}

static void fill_pointers(const struct trampoline_params *p)
{
    uint64_t handler = page_physical / 16 << 16 | p->interrupt_offset; /* segment, offset */

    put_u32(p->gdt_base_offset, page_physical + p->gdt_offset);
    put_u32(p->park_base_offset, page_physical + p->park_offset);
    for (uint32_t vector = 0; vector < p->park_vectors; vector++)
        put_u32(p->park_offset + 4 * vector, handler);
}

static void fill_params(struct trampoline_params *p, void (*entry)(void))
{
    p->cr0 = (uint32_t)(cr0_read() & ~(CR0_CACHE_OFF | CR0_TASK_SWITCHED));
    p->cr3 = (uint32_t)paging_cr3();
    p->cr4 = (uint32_t)(CR4_PAE | (paging_is_la57() ? CR4_LA57 : 0));
    p->efer = (uint32_t)(EFER_LME | (paging_has_no_execute() ? EFER_NXE : 0));
    p->start64 = (uint32_t)page_physical + p->start64_offset;
    p->entry = (uint64_t)entry;
    p->pat = paging_found_pat();
}

bool trampoline_install(uint64_t physical, void (*entry)(void))
{
    if (physical == 0 || physical >= FIRST_MIB || paging_cr3() > UINT32_MAX)
        return false;
    page_physical = physical;
    page = physmap(physical);
    memset(page, OPCODE_INT3, PAGE_BYTES);
    memcpy(page, trampoline_start, (size_t)(trampoline_end - trampoline_start));
    fill_params(params(), entry);
    fill_pointers(params());
    return true;
}

uint64_t trampoline_physical(void)
{
    return page_physical;
}

void trampoline_close(void)
{
    params()->is_closed = 1;
}

uint32_t trampoline_parked_count(void)
{
    return params()->parked;
}
