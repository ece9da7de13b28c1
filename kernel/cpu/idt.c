/* 256 gates to the entries of vectors.asm. Every gate switches to a fault stack: the
 * stack that faulted may be the fault. */
#include "kernel/cpu/idt.h"

#include <stdint.h>

#include "kernel/cpu/cpu_local.h"

enum { IDT_VECTORS = 256, VECTOR_NMI = 2, VECTOR_DOUBLE_FAULT = 8, VECTOR_MACHINE_CHECK = 18 };
enum { IST_FAULT = 1, IST_NMI, IST_MACHINE_CHECK, IST_DOUBLE_FAULT };
enum { GATE_INTERRUPT = 0x8e, VECTOR_ENTRY_BYTES = 16 };

struct idt_gate {
    uint16_t offset_low, selector;
    uint8_t ist, type;
    uint16_t offset_middle;
    uint32_t offset_high, reserved;
};

extern const uint8_t vector_entries[];
static struct idt_gate gates[IDT_VECTORS] __attribute__((aligned(16)));

static uint8_t fault_stack(unsigned vector)
{
    switch (vector) {
    case VECTOR_NMI: return IST_NMI;
    case VECTOR_MACHINE_CHECK: return IST_MACHINE_CHECK;
    case VECTOR_DOUBLE_FAULT: return IST_DOUBLE_FAULT;
    default: return IST_FAULT;
    }
}

static void set_gate(unsigned vector, uint64_t entry)
{
    gates[vector] = (struct idt_gate){
        .offset_low = (uint16_t)entry,
        .offset_middle = (uint16_t)(entry >> 16),
        .offset_high = (uint32_t)(entry >> 32),
        .selector = CPU_LOCAL_CODE_SELECTOR,
        .ist = fault_stack(vector),
        .type = GATE_INTERRUPT,
    };
}

void idt_build(void)
{
    for (unsigned vector = 0; vector < IDT_VECTORS; vector++)
        set_gate(vector, (uint64_t)(uintptr_t)vector_entries + vector * VECTOR_ENTRY_BYTES);
}

void idt_set(unsigned vector, void (*entry)(void))
{
    set_gate(vector, (uint64_t)(uintptr_t)entry);
}

void idt_load(void)
{
    struct {
        uint16_t limit;
        uint64_t base;
    } __attribute__((packed)) idtr = {sizeof gates - 1, (uint64_t)(uintptr_t)gates};
    __asm__ volatile("lidt %0" : : "m"(idtr));
}
