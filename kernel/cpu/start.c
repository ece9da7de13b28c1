/* Sets up the boot CPU, runs kernel_main(), and makes its result readable to a loader
 * that sees physical addresses. */
#include "kernel/cpu/start.h"

#include "kernel/cpu/cpu_local.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/layout.h"
#include "kernel/cpu/paging.h"
#include "kernel/cpu/physmap.h"

/* Each stack lies above a page that paging.c leaves unmapped. */
struct image_stacks {
    uint8_t guard[LAYOUT_PAGE_BYTES];
    uint8_t boot[LAYOUT_BOOT_STACK_BYTES];
    struct {
        uint8_t guard[LAYOUT_PAGE_BYTES];
        uint8_t stack[LAYOUT_FAULT_STACK_BYTES];
    } fault[LAYOUT_FAULT_STACK_COUNT];
};

extern struct image_stacks boot_stacks;
static struct cpu_local boot_cpu;

struct cpu_local *cpu_local_of_boot_cpu(void)
{
    return &boot_cpu;
}

static void init_boot_cpu(void)
{
    uint64_t tops[CPU_LOCAL_FAULT_STACK_COUNT];
    for (int i = 0; i < CPU_LOCAL_FAULT_STACK_COUNT; i++)
        tops[i] = (uint64_t)(uintptr_t)(boot_stacks.fault[i].stack + LAYOUT_FAULT_STACK_BYTES);
    idt_build();
    cpu_local_prepare(&boot_cpu, 0, tops);
    cpu_init_local(&boot_cpu);
}

struct boot_result *kernel_start(void)
{
    struct boot_info *info = paging_boot_info();
    init_boot_cpu();
    if (info->call == BOOT_CALL_GOODBYE) {
        kernel_goodbye(info);
        return NULL;
    }
    if (info->call == BOOT_CALL_KEY) {
        kernel_key(info);
        return NULL;
    }
    struct boot_result *result = kernel_main(info);
    if (!info->can_end_machine) { /* nothing to save, nobody to go back to */
        kernel_goodbye(info);
        return NULL;
    }
    for (uint32_t i = 0; i < result->file_count; i++)
        result->files[i].bytes = (const void *)physmap_physical(result->files[i].bytes);
    return (struct boot_result *)physmap_physical(result);
}
