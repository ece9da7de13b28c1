/* x2APIC mode: registers are MSRs, ids have 32 bits, the ICR is one 64-bit write
 * that never has to be waited for. [intel/vol3 11.12] */
#include "drivers/apic/apic.h"
#include "kernel/cpu/msr.h"

enum { MSR_X2APIC_ICR = MSR_X2APIC_FIRST + APIC_REG_ICR_LOW / 16 };

static uint32_t msr_of(enum apic_reg reg)
{
    return MSR_X2APIC_FIRST + (uint32_t)reg / 16;
}

static uint32_t x2apic_read(enum apic_reg reg)
{
    uint64_t value;

    msr_read(msr_of(reg), &value);
    return (uint32_t)value;
}

static void x2apic_write(enum apic_reg reg, uint32_t value)
{
    uint32_t x2apic_register = msr_of(reg);

    msr_write(x2apic_register, value);
}

static uint32_t x2apic_read_id(void)
{
    return x2apic_read(APIC_REG_ID);
}

/* WRMSR to the x2APIC range does not wait for earlier stores: the receiver could
 * see the message before the work it announces. [intel/vol3 11.12.3] */
static bool x2apic_send(uint32_t apic_id, uint32_t icr_low)
{
    __asm__ volatile("mfence; lfence" ::: "memory");
    return msr_write(MSR_X2APIC_ICR, (uint64_t)apic_id << 32 | icr_low);
}

const struct apic_ops x2apic_ops = {
    .name = "x2apic",
    .read = x2apic_read,
    .write = x2apic_write,
    .read_id = x2apic_read_id,
    .send = x2apic_send,
};
