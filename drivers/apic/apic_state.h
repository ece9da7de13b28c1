/* The registers of one local APIC as a value: saved before a change of mode that
 * forgets them, put back afterwards. */
#ifndef DRIVERS_APIC_APIC_STATE_H
#define DRIVERS_APIC_APIC_STATE_H

#include <stdint.h>

#include "drivers/apic/apic.h"

enum { APIC_STATE_MAX_LVT = 7 };

struct apic_state {
    uint32_t tpr, ldr, dfr, svr, timer_divide, timer_initial;
    uint32_t lvt[APIC_STATE_MAX_LVT];
};

void apic_state_save(struct apic_state *state, const struct apic_ops *ops);
/* In xAPIC mode only: LDR and DFR cannot be written in the other one. */
void apic_state_restore(const struct apic_state *state, const struct apic_ops *ops);

/* Masks every local source the APIC has. */
void apic_state_mask_sources(const struct apic_ops *ops);

#endif
