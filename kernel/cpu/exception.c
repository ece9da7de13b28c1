/* Decides what an exception means: an instruction with a fix-up, a recover point, or the
 * end of the run with a dump. An NMI or an interrupt that nobody asked for is counted. */
#include "kernel/cpu/exception.h"

#include "kernel/cpu/cpu_local.h"
#include "kernel/cpu/fault_dump.h"
#include "kernel/cpu/instructions.h"

/* No CPU raises vector 15. The 8259 does, numbered as a BIOS does: its IRQ7, the one that
 * stands for an interrupt that went away. */
enum { VECTOR_NMI = 2, VECTOR_8259_SPURIOUS = 15, VECTOR_EXCEPTIONS = 32 };

struct fixup {
    uint64_t instruction, resume;
};

extern const struct fixup fixups_start[], fixups_end[];

static const char names[VECTOR_EXCEPTIONS][32] = {
    "#DE divide error", "#DB debug", "NMI", "#BP breakpoint", "#OF overflow",
    "#BR bound range", "#UD invalid opcode", "#NM no device", "#DF double fault",
    "coprocessor overrun", "#TS invalid TSS", "#NP segment not present", "#SS stack fault",
    "#GP general protection", "#PF page fault", "reserved vector", "#MF x87 error",
    "#AC alignment check", "#MC machine check", "#XM SIMD error", "#VE virtualization",
    "#CP control protection", "reserved vector", "reserved vector", "reserved vector",
    "reserved vector", "reserved vector", "reserved vector", "#HV hypervisor injection",
    "#VC VMM communication", "#SX security", "reserved vector",
};

const char *exception_name(uint64_t vector)
{
    return vector < VECTOR_EXCEPTIONS ? names[vector] : "unexpected interrupt";
}

static bool (*interrupt_end)(uint8_t vector);

void exception_set_interrupt_end(bool (*end)(uint8_t vector))
{
    interrupt_end = end;
}

static bool is_interrupt(uint64_t vector)
{
    return vector == VECTOR_NMI || vector == VECTOR_8259_SPURIOUS || vector >= VECTOR_EXCEPTIONS;
}

/* The spurious vector has nothing in service, and one end too many would end another
 * interrupt. But a message may name the same vector, and stays in service. [intel/vol3 11.9] */
static void count_interrupt(struct interrupt_counts *counts, uint8_t vector)
{
    bool was_in_service = vector != VECTOR_NMI && interrupt_end && interrupt_end(vector);

    if (vector == VECTOR_NMI) {
        counts->nmi++;
    } else if (!was_in_service &&
               (vector == EXCEPTION_VECTOR_SPURIOUS || vector == VECTOR_8259_SPURIOUS)) {
        counts->spurious++;
    } else {
        counts->other++;
        counts->last_vector = vector;
    }
}

static bool apply_fixup(struct exception_frame *frame)
{
    for (const struct fixup *fixup = fixups_start; fixup < fixups_end; fixup++) {
        if (frame->rip == fixup->instruction) {
            frame->rip = fixup->resume;
            return true;
        }
    }
    return false;
}

/* Makes the interrupted code return from recover_arm() a second time. */
static void resume_at(struct exception_frame *frame, const struct recover_point *point)
{
    frame->rbx = point->rbx;
    frame->rbp = point->rbp;
    frame->r12 = point->r12;
    frame->r13 = point->r13;
    frame->r14 = point->r14;
    frame->r15 = point->r15;
    frame->rsp = point->rsp;
    frame->rip = point->rip;
    frame->rax = 1;
}

void recover_disarm(struct recover_point *previous)
{
    cpu_local()->recover = previous;
}

void exception_enter(struct exception_frame *frame)
{
    struct cpu_local *local = cpu_local();

    if (is_interrupt(frame->vector)) {
        count_interrupt(&local->interrupts, (uint8_t)frame->vector);
        return;
    }
    if (apply_fixup(frame))
        return;
    if (local->recover) {
        local->fault = (struct fault_record){frame->vector, frame->error_code, frame->rip,
                                             cr2_read()};
        if (local->recover->wants_dump)
            fault_dump(frame);
        resume_at(frame, local->recover);
        local->recover = NULL;
        return;
    }
    fault_dump(frame);
    fault_last_words();
    for (;;)
        cpu_halt();
}
