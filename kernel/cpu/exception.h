/* Exceptions: where they go, and what is kept of them. */
#ifndef KERNEL_CPU_EXCEPTION_H
#define KERNEL_CPU_EXCEPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As the entry code of vectors.asm pushes it; lowest address first. */
struct exception_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
    uint64_t rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error_code;
    uint64_t rip, cs, rflags, rsp, ss;
};

/* Of the local APIC: its last vector, as software sets it. */
enum { EXCEPTION_VECTOR_SPURIOUS = 0xFF };

/* What came to a CPU although nobody asked for it. */
struct interrupt_counts {
    uint32_t nmi;
    uint32_t spurious;     /* announced, and gone when the CPU asked which it was */
    uint32_t other;
    uint8_t last_vector;   /* of the others */
};

struct fault_record {
    uint64_t vector, error_code, rip, cr2;
};

/* Saved state that recover_arm() returns to a second time. */
struct recover_point {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
    bool wants_dump; /* set before recover_arm(): the exception is shown as it happens */
};

/* Returns false at once. When the calling CPU then takes an exception, it returns again,
 * true, and cpu_local()->fault says what happened. The caller must disarm before it
 * returns. Points nest: keep the value of cpu_local()->recover and put it back. */
bool recover_arm(struct recover_point *point) __attribute__((returns_twice));
void recover_disarm(struct recover_point *previous);

/* "#GP general protection", for any of the 256 vectors. */
const char *exception_name(uint64_t vector);

/* Where the dump goes besides COM1 and the debug port, which always get it. */
void exception_set_sink(void (*put)(const char *text, size_t length_bytes));

/* Called on the boot CPU after the dump of an exception that ends the run. When it
 * returns, the CPU halts. */
void exception_set_last_words(void (*last_words)(void));

/* Who ends an interrupt: true when the local APIC had it in service, which it was until
 * then. NULL, as at first: nobody. */
void exception_set_interrupt_end(bool (*end)(uint8_t vector));

/* Called by vectors.asm. */
void exception_enter(struct exception_frame *frame);

#endif
