/* Which registers a local APIC has depends on its version; touching one that is not
 * there raises an APIC error. [intel/vol3 11.4.8] */
#include "drivers/apic/apic_state.h"

#include "kernel/lib/bits.h"

/* In the order in which versions added them. */
static const enum apic_reg lvt_regs[APIC_STATE_MAX_LVT] = {
    APIC_REG_LVT_TIMER, APIC_REG_LVT_LINT0, APIC_REG_LVT_LINT1,   APIC_REG_LVT_ERROR,
    APIC_REG_LVT_PERF,  APIC_REG_LVT_THERMAL, APIC_REG_LVT_CMCI,
};

static uint32_t lvt_count(const struct apic_ops *ops)
{
    uint32_t count = bits_get(ops->read(APIC_REG_VERSION), 23, 16) + 1;

    return count < APIC_STATE_MAX_LVT ? count : APIC_STATE_MAX_LVT;
}

void apic_state_save(struct apic_state *state, const struct apic_ops *ops)
{
    state->tpr = ops->read(APIC_REG_TPR);
    state->ldr = ops->read(APIC_REG_LDR);
    state->dfr = ops->read(APIC_REG_DFR);
    state->svr = ops->read(APIC_REG_SVR);
    state->timer_divide = ops->read(APIC_REG_TIMER_DIVIDE);
    state->timer_initial = ops->read(APIC_REG_TIMER_INITIAL);
    for (uint32_t i = 0; i < lvt_count(ops); i++)
        state->lvt[i] = ops->read(lvt_regs[i]);
}

/* SVR first: while the APIC is switched off by software every LVT entry stays masked.
 * The initial count last: writing it starts the timer. */
void apic_state_restore(const struct apic_state *state, const struct apic_ops *ops)
{
    ops->write(APIC_REG_DFR, state->dfr);
    ops->write(APIC_REG_LDR, state->ldr);
    ops->write(APIC_REG_SVR, state->svr);
    ops->write(APIC_REG_TPR, state->tpr);
    for (uint32_t i = 0; i < lvt_count(ops); i++)
        ops->write(lvt_regs[i], state->lvt[i]);
    ops->write(APIC_REG_TIMER_DIVIDE, state->timer_divide);
    ops->write(APIC_REG_TIMER_INITIAL, state->timer_initial);
}

void apic_state_mask_sources(const struct apic_ops *ops)
{
    for (uint32_t i = 0; i < lvt_count(ops); i++)
        ops->write(lvt_regs[i], ops->read(lvt_regs[i]) | APIC_LVT_MASKED);
}
