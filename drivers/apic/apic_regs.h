/* The local APIC's registers and bits, by the manuals' names. [intel/vol3 11.4] [amd/vol2 16.3] */
#ifndef DRIVERS_APIC_APIC_REGS_H
#define DRIVERS_APIC_APIC_REGS_H

/* Offsets in the xAPIC page; the x2APIC MSR is 0x800 + offset / 16. */
enum apic_reg {
    APIC_REG_ID = 0x20,
    APIC_REG_VERSION = 0x30,
    APIC_REG_TPR = 0x80,
    APIC_REG_EOI = 0xB0,
    APIC_REG_LDR = 0xD0,            /* read only in x2APIC mode */
    APIC_REG_DFR = 0xE0,            /* absent in x2APIC mode */
    APIC_REG_SVR = 0xF0,
    APIC_REG_ISR = 0x100,           /* eight registers of 32 vectors, 0x10 apart */
    APIC_REG_LVT_CMCI = 0x2F0,
    APIC_REG_ICR_LOW = 0x300,
    APIC_REG_ICR_HIGH = 0x310,      /* absent in x2APIC mode: one 64-bit ICR */
    APIC_REG_LVT_TIMER = 0x320,
    APIC_REG_LVT_THERMAL = 0x330,
    APIC_REG_LVT_PERF = 0x340,
    APIC_REG_LVT_LINT0 = 0x350,
    APIC_REG_LVT_LINT1 = 0x360,
    APIC_REG_LVT_ERROR = 0x370,
    APIC_REG_TIMER_INITIAL = 0x380,
    APIC_REG_TIMER_DIVIDE = 0x3E0,
};

enum {
    APIC_SVR_ENABLE = 1u << 8,
    APIC_LVT_MASKED = 1u << 16,

    APIC_ICR_DELIVERY_FIXED = 0u << 8,
    APIC_ICR_DELIVERY_NMI = 4u << 8,
    APIC_ICR_DELIVERY_INIT = 5u << 8,
    APIC_ICR_DELIVERY_STARTUP = 6u << 8,
    APIC_ICR_DELIVERY_STATUS = 1u << 12, /* send pending; absent in x2APIC mode */
    APIC_ICR_LEVEL_ASSERT = 1u << 14,
};

enum {
    MSR_APIC_BASE = 0x1B,
    MSR_X2APIC_FIRST = 0x800,
};

#define APIC_BASE_BSP (UINT64_C(1) << 8)
#define APIC_BASE_EXTD (UINT64_C(1) << 10)
#define APIC_BASE_ENABLE (UINT64_C(1) << 11)
#define APIC_BASE_ADDRESS UINT64_C(0x000FFFFFFFFFF000)

/* The highest id that an 8-bit destination can name: 0xFF is "all". */
enum { APIC_XAPIC_MAX_ID = 254 };

#endif
