/* Builds the pages that trampoline.asm describes. The table page serves as all four
 * levels (or five) at once, so that one page is enough:
 *
 *   entry            read as       leads to
 *   0                each level    this page again, so that the last level is entry N
 *   1                level 3       the kernel's tables for the image, at 1 GiB
 *   N = page >> 12   level 1       the code page
 *   256 … 511        top level     the kernel's upper half
 */
#include "kernel/smp/trampoline.h"

#include <string.h>

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/layout.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/msr_numbers.h"
#include "kernel/cpu/pagetable.h"
#include "kernel/cpu/paging.h"
#include "kernel/cpu/physmap.h"

_Static_assert(LAYOUT_IMAGE == PAGE_1G, "TABLE_IMAGE must be the image's level-3 entry");

enum {
    TABLE_ENTRIES = 512,
    TABLE_SELF = 0,
    TABLE_IMAGE = LAYOUT_IMAGE / PAGE_1G,
    TABLE_UPPER_HALF = 256,
    OPCODE_INT3 = 0xCC,
    GATE_INTERRUPT32 = 0x8E00,
};
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
    uint16_t start64_selector, reserved;
    uint64_t entry;
    _Atomic uint32_t parked;
    uint16_t start64_offset, gdt_offset, gdt_pointer_offset;
    uint16_t idt_offset, idt_pointer_offset, interrupt_offset;
    uint16_t idt_count, code32_selector;
} __attribute__((packed));

struct table_pointer {
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

extern const uint8_t trampoline_start[], trampoline_end[], trampoline_params[];
extern const uint8_t trampoline_park64[];

static uint8_t *page;
static uint64_t page_physical;
static uint64_t table_physical;

static struct trampoline_params *params(void)
{
    return (struct trampoline_params *)(page + (trampoline_params - trampoline_start));
}

/* The level-3 entry that maps the image, from the kernel's own tables. */
static uint64_t image_entry(const uint64_t *root)
{
    const uint64_t *level = root;

    for (uint32_t depth = paging_is_la57() ? 2 : 1; depth > 0; depth--)
        level = physmap(level[0] & PAGETABLE_ADDRESS);
    return level[TABLE_IMAGE];
}

static void fill_table(uint64_t *table)
{
    const uint64_t *kernel_root = physmap(cr3_read() & PAGETABLE_ADDRESS);

    memset(table, 0, TRAMPOLINE_PAGE_BYTES);
    table[TABLE_SELF] = table_physical | PAGETABLE_PRESENT | PAGETABLE_WRITE;
    table[TABLE_IMAGE] = image_entry(kernel_root);
    table[page_physical / PAGE_4K] = page_physical | PAGETABLE_PRESENT | PAGETABLE_WRITE;
    for (uint32_t i = TABLE_UPPER_HALF; i < TABLE_ENTRIES; i++)
        table[i] = kernel_root[i];
}

static void fill_pointers(struct trampoline_params *p)
{
    struct table_pointer *gdt = (void *)(page + p->gdt_pointer_offset);
    struct table_pointer *idt = (void *)(page + p->idt_pointer_offset);
    uint32_t handler = (uint32_t)page_physical + p->interrupt_offset;

    gdt->base = page_physical + p->gdt_offset;
    idt->base = page_physical + p->idt_offset;
    for (uint32_t vector = 0; vector < p->idt_count; vector++) {
        uint32_t *gate = (uint32_t *)(void *)(page + p->idt_offset) + 2 * vector;

        gate[0] = (uint32_t)p->code32_selector << 16 | (handler & 0xFFFF);
        gate[1] = (handler & 0xFFFF0000) | GATE_INTERRUPT32;
    }
}

static void fill_params(struct trampoline_params *p, void (*entry)(void))
{
    uint64_t efer;

    msr_read(MSR_IA32_EFER, &efer);
    p->cr0 = (uint32_t)(cr0_read() & ~(CR0_CACHE_OFF | CR0_TASK_SWITCHED));
    p->cr3 = (uint32_t)table_physical;
    p->cr4 = (uint32_t)(CR4_PAE | (cr4_read() & CR4_LA57));
    p->efer = (uint32_t)(EFER_LME | (efer & EFER_NXE));
    p->start64 = (uint32_t)page_physical + p->start64_offset;
    p->entry = (uint64_t)entry;
}

void trampoline_install(uint64_t physical, void (*entry)(void))
{
    page_physical = physical;
    table_physical = physical + TRAMPOLINE_PAGE_BYTES;
    page = physmap(physical);
    memset(page, OPCODE_INT3, TRAMPOLINE_PAGE_BYTES);
    memcpy(page, trampoline_start, (size_t)(trampoline_end - trampoline_start));
    fill_params(params(), entry);
    fill_pointers(params());
    fill_table(physmap(table_physical));
}

uint64_t trampoline_physical(void)
{
    return page_physical;
}

/* cli; hlt; jmp back: real mode code at the page's first byte. */
void trampoline_close(void)
{
    static const uint8_t halt_loop[] = {0xFA, 0xF4, 0xEB, 0xFC};

    memcpy(page, halt_loop, sizeof(halt_loop));
}

/* The page is not mapped where it must be for turning paging off: through the table
 * page it is. The kernel's half stays mapped until the jump is done. */
void trampoline_park(void)
{
    uint64_t target = page_physical + (uint64_t)(trampoline_park64 - trampoline_start);

    __asm__ volatile("mov %0, %%cr3\n\t"
                     "jmp *%1"
                     :
                     : "r"(table_physical), "r"(target), "D"(page_physical)
                     : "memory");
    __builtin_unreachable();
}

uint32_t trampoline_parked_count(void)
{
    return params()->parked;
}
