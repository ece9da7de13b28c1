/* What each CPU owns: descriptor table, task state, fault stacks, and the record of the
 * exception it took last. Reached through GS. */
#ifndef KERNEL_CPU_CPU_LOCAL_H
#define KERNEL_CPU_CPU_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/exception.h"

enum {
    CPU_LOCAL_GDT_ENTRIES = 5, /* null, code, data, and a task state of two */
    CPU_LOCAL_FAULT_STACK_COUNT = 4,
    CPU_LOCAL_FAULT_STACK_BYTES = 8192,
    CPU_LOCAL_FAULT_STACKS_BYTES = CPU_LOCAL_FAULT_STACK_COUNT * CPU_LOCAL_FAULT_STACK_BYTES,
};

#define CPU_LOCAL_CODE_SELECTOR 0x08
#define CPU_LOCAL_DATA_SELECTOR 0x10
#define CPU_LOCAL_TASK_SELECTOR 0x18

/* [intel/vol3 8.7] */
struct task_state {
    uint32_t reserved0;
    uint64_t rsp[3];
    uint64_t reserved1;
    uint64_t ist[7];
    uint64_t reserved2;
    uint16_t reserved3;
    uint16_t io_map_base;
} __attribute__((packed));

struct cpu_local {
    struct cpu_local *self;        /* first: read through gs:0 */
    uint32_t cpu;                  /* index, CPU_LOCAL_NO_CPU before it is known */
    uint32_t apic_id;              /* from CPUID on this CPU */
    struct recover_point *recover; /* where an exception continues; NULL: it ends the run */
    struct fault_record fault;     /* the exception that went to `recover` */
    bool is_in_dump;
    struct interrupt_counts interrupts;
    struct task_state task;
    uint64_t gdt[CPU_LOCAL_GDT_ENTRIES];
} __attribute__((aligned(64)));

/* The calling CPU's record. Valid after cpu_local_load(). */
static inline struct cpu_local *cpu_local(void)
{
    struct cpu_local *local;
    __asm__ volatile("mov %%gs:0, %0" : "=r"(local));
    return local;
}

/* Fills a record on behalf of CPU `cpu`. `fault_stack_tops` has one entry per fault stack. */
void cpu_local_prepare(struct cpu_local *local, uint32_t cpu,
                       const uint64_t fault_stack_tops[CPU_LOCAL_FAULT_STACK_COUNT]);

/* The same with all fault stacks cut from one block of CPU_LOCAL_FAULT_STACKS_BYTES. */
void cpu_local_prepare_block(struct cpu_local *local, uint32_t cpu, void *fault_stacks);

/* On the CPU itself, in 64-bit mode on our page tables: loads GDT, task state, IDT, GS,
 * and sets the control-register bits, PAT and vector state that all CPUs share. An AP
 * calls this first of all C. */
void cpu_init_local(struct cpu_local *local);

/* SSE, and XSAVE with every vector state the CPU has (AVX, AVX-512), on this CPU.
 * cpu_init_local() calls it. */
void cpu_enable_vectors(void);

/* The boot CPU's record, prepared by the start code. */
struct cpu_local *cpu_local_of_boot_cpu(void);

#endif
