/* Per-CPU descriptor tables and the control-register bits every CPU runs with. */
#include "kernel/cpu/cpu_local.h"

#include <string.h>

#include "kernel/cpu/idt.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/layout.h"
#include "kernel/cpu/msr_numbers.h"
#include "kernel/cpu/paging.h"

#define GDT_CODE 0x00af9b000000ffffull /* 64-bit, present, read, accessed */
#define GDT_DATA 0x00cf93000000ffffull
#define GDT_TASK_AVAILABLE (0x89ull << 40)

#define CR0_MONITOR_COPROCESSOR (1ull << 1)
#define CR0_EMULATION (1ull << 2)
#define CR0_TASK_SWITCHED (1ull << 3)
#define CR0_NUMERIC_ERROR (1ull << 5)
#define CR0_WRITE_PROTECT (1ull << 16)
#define CR0_ALIGNMENT_MASK (1ull << 18)
#define CR0_NOT_WRITE_THROUGH (1ull << 29)
#define CR4_MACHINE_CHECK (1ull << 6)
#define CR4_OSFXSR (1ull << 9)
#define CR4_OSXMMEXCPT (1ull << 10)
#define CR4_OSXSAVE (1ull << 18)
#define CR4_SMEP (1ull << 20)
#define XCR0_X87_SSE 0x3ull
#define XCR0_AVX (1ull << 2)
#define XCR0_AVX512 (7ull << 5)

/* Leaf 1 ECX and EDX, leaf 7 EBX. */
enum { CPUID_XSAVE_BIT = 26, CPUID_MACHINE_CHECK_BIT = 7, CPUID_SMEP_BIT = 7 };

void cpu_local_prepare(struct cpu_local *local, uint32_t cpu,
                       const uint64_t fault_stack_tops[CPU_LOCAL_FAULT_STACK_COUNT])
{
    memset(local, 0, sizeof *local);
    local->self = local;
    local->cpu = cpu;
    for (int i = 0; i < CPU_LOCAL_FAULT_STACK_COUNT; i++)
        local->task.ist[i] = fault_stack_tops[i];
    local->task.io_map_base = sizeof local->task;

    uint64_t base = (uint64_t)(uintptr_t)&local->task;
    local->gdt[CPU_LOCAL_CODE_SELECTOR / 8] = GDT_CODE;
    local->gdt[CPU_LOCAL_DATA_SELECTOR / 8] = GDT_DATA;
    local->gdt[CPU_LOCAL_TASK_SELECTOR / 8] = GDT_TASK_AVAILABLE | (sizeof local->task - 1) |
                                              (base & 0xffffff) << 16 | (base >> 24 & 0xff) << 56;
    local->gdt[CPU_LOCAL_TASK_SELECTOR / 8 + 1] = base >> 32;
}

void cpu_local_prepare_block(struct cpu_local *local, uint32_t cpu, void *fault_stacks)
{
    uint64_t tops[CPU_LOCAL_FAULT_STACK_COUNT];
    for (int i = 0; i < CPU_LOCAL_FAULT_STACK_COUNT; i++)
        tops[i] = (uint64_t)(uintptr_t)fault_stacks + (i + 1ull) * CPU_LOCAL_FAULT_STACK_BYTES;
    cpu_local_prepare(local, cpu, tops);
}

/* AMD and Intel number the initial APIC ID alike in leaf 1; leaf 0xB has all 32 bits. */
static uint32_t own_apic_id(void)
{
    struct cpuid_result extended = cpuid_read_if_present(0xb, 0);
    return extended.ebx & 0xffff ? extended.edx : cpuid_read(1, 0).ebx >> 24;
}

static void load_descriptors(struct cpu_local *local)
{
    struct {
        uint16_t limit;
        uint64_t base;
    } __attribute__((packed)) gdtr = {sizeof local->gdt - 1, (uint64_t)(uintptr_t)local->gdt};

    /* A task state that is marked busy would fault: the CPU may come here again after INIT. */
    local->gdt[CPU_LOCAL_TASK_SELECTOR / 8] &= ~(2ull << 40);
    __asm__ volatile("lgdt %0\n\t"
                     "pushq %1\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "lretq\n"
                     "1:\tmovw %w2, %%ds\n\t"
                     "movw %w2, %%es\n\t"
                     "movw %w2, %%ss\n\t"
                     "movw %w3, %%fs\n\t"
                     "movw %w3, %%gs\n\t"
                     "ltr %w4\n\t"
                     "lldt %w3"
                     :
                     : "m"(gdtr), "i"(CPU_LOCAL_CODE_SELECTOR), "r"(CPU_LOCAL_DATA_SELECTOR),
                       "r"(0), "r"(CPU_LOCAL_TASK_SELECTOR)
                     : "rax", "memory");
    uint64_t self = (uint64_t)(uintptr_t)local;
    __asm__ volatile("wrmsr"
                     :
                     : "c"(MSR_IA32_GS_BASE), "a"((uint32_t)self), "d"((uint32_t)(self >> 32))
                     : "memory");
    idt_load();
}

/* A CPU whose CPUID ends below leaf 0xD (firmware's "limit CPUID" switch) still says XSAVE
 * in leaf 1, but not what XCR0 may hold: a write can be #GP, and SSE needs none. */
void cpu_enable_vectors(void)
{
    struct cpuid_result state = cpuid_read_if_present(0xd, 0);
    bool has_xsave = (cpuid_read(1, 0).ecx >> CPUID_XSAVE_BIT & 1) &&
                     (state.eax & XCR0_X87_SSE) == XCR0_X87_SSE;

    cr0_write((cr0_read() | CR0_MONITOR_COPROCESSOR | CR0_NUMERIC_ERROR) &
              ~(CR0_EMULATION | CR0_TASK_SWITCHED));
    uint64_t cr4 = cr4_read() | CR4_OSFXSR | CR4_OSXMMEXCPT;
    cr4_write(has_xsave ? cr4 | CR4_OSXSAVE : cr4);
    if (!has_xsave)
        return;

    uint64_t wanted = state.eax & (XCR0_X87_SSE | XCR0_AVX);
    if ((state.eax & XCR0_AVX512) == XCR0_AVX512 && (wanted & XCR0_AVX))
        wanted |= XCR0_AVX512; /* the three parts are enabled together or not at all */
    xcr0_write(wanted);
}

void cpu_init_local(struct cpu_local *local)
{
    load_descriptors(local);
    local->apic_id = own_apic_id();
    local->recover = NULL;
    local->is_in_dump = false;
    cr0_write((cr0_read() | CR0_WRITE_PROTECT) &
              ~(CR0_ALIGNMENT_MASK | CR0_CACHE_DISABLE | CR0_NOT_WRITE_THROUGH));
    if (cpuid_read_if_present(7, 0).ebx >> CPUID_SMEP_BIT & 1)
        cr4_write(cr4_read() | CR4_SMEP);
    /* Without this bit a machine check ends in a reset that nobody can explain. */
    if (cpuid_read(1, 0).edx >> CPUID_MACHINE_CHECK_BIT & 1)
        cr4_write(cr4_read() | CR4_MACHINE_CHECK);
    paging_load_pat();
    cpu_enable_vectors();
}
