/* The local APIC of the CPU that calls, in xAPIC or x2APIC mode behind one set of
 * operations: its id, messages to other CPUs, and its own interrupt sources. */
#ifndef DRIVERS_APIC_APIC_H
#define DRIVERS_APIC_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/apic/apic_regs.h"

/* What a mode does its own way. All else is built on these in apic.c. */
struct apic_ops {
    const char *name; /* "xapic", "x2apic" */
    uint32_t (*read)(enum apic_reg reg);
    void (*write)(enum apic_reg reg, uint32_t value);
    uint32_t (*read_id)(void);
    /* Hands one message over. False: an earlier one stayed in the register beyond
     * the bound, nothing was sent. */
    bool (*send)(uint32_t apic_id, uint32_t icr_low);
};

extern const struct apic_ops xapic_ops, x2apic_ops;

/* What the boot CPU's APIC was like before we touched it. */
struct apic_handover {
    bool has_base;      /* IA32_APIC_BASE could be read */
    uint64_t base;
    bool is_enabled, is_x2apic;
};

enum apic_open_result {
    APIC_OPEN_OK,
    APIC_OPEN_NONE,        /* CPUID says there is none, or it cannot be switched on */
    APIC_OPEN_NO_MAPPING,  /* the register page could not be mapped */
};

/* Finds the mode, and leaves it as it is when it can name every id up to
 * `max_apic_id`; else switches to x2APIC mode where CPUID has it. Afterwards
 * apic_ops() is what every other call works through. */
enum apic_open_result apic_open(uint32_t max_apic_id);
const struct apic_ops *apic_ops(void);
const struct apic_handover *apic_handover(void);

/* On a CPU that just started: the same mode as the boot CPU, able to take the
 * message of `apic_enable`. False when the mode cannot be reached. */
bool apic_join_mode(void);

/* Takes fixed interrupts of priority class 0xF only; every local source masked. */
void apic_enable_wakeups(uint8_t spurious_vector);
/* Back to what INIT leaves: switched off by software. */
void apic_disable_wakeups(void);

/* Boot CPU, at the end: the mode and the registers as they were handed over. */
void apic_restore(void);

bool apic_send_init(uint32_t apic_id);
bool apic_send_startup(uint32_t apic_id, uint64_t page_physical);
bool apic_send_fixed(uint32_t apic_id, uint8_t vector);
void apic_eoi(void);
/* The vector is in service on this CPU: it needs an end. */
bool apic_is_in_service(uint8_t vector);
uint32_t apic_version(void);

/* For the first instructions of a started CPU: where its id is read. NULL in
 * x2APIC mode. */
const volatile void *apic_xapic_page(void);

#endif
