/* Mode detection and everything that is the same in both modes. The boot CPU's own
 * interrupt sources are never touched: it runs with interrupts masked, and the
 * firmware gets its APIC back as it was. */
#include "drivers/apic/apic.h"

#include <stddef.h>

#include "drivers/apic/apic_state.h"
#include "drivers/apic/xapic.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/bits.h"

enum {
    CPUID_1_ECX_X2APIC = 21,
    CPUID_1_EDX_APIC = 9,
    /* Interrupts of classes below 0xF wait: nobody but us has an account to settle
     * with a started CPU. */
    WAKEUP_TPR = 0xE0,
};

static const struct apic_ops *current_ops;
static struct apic_handover handover;
static struct apic_state handover_state;
static bool is_mode_switched;

static bool has_feature(bool is_ecx, unsigned bit)
{
    uint32_t eax = 1, ebx, ecx = 0, edx;

    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return bits_test(is_ecx ? ecx : edx, bit);
}

static bool write_base(uint64_t value)
{
    return msr_write(MSR_APIC_BASE, value);
}

/* x2APIC mode has one way out: through "disabled", which forgets every register.
 * [intel/vol3 11.12.5.1] */
static bool leave_x2apic(uint64_t base)
{
    return write_base(base & ~(APIC_BASE_ENABLE | APIC_BASE_EXTD)) &&
           write_base((base & ~APIC_BASE_EXTD) | APIC_BASE_ENABLE);
}

static bool switch_to_x2apic(uint64_t base)
{
    apic_state_save(&handover_state, &xapic_ops);
    if (!write_base(base | APIC_BASE_ENABLE | APIC_BASE_EXTD))
        return false;
    is_mode_switched = true;
    return true;
}

enum apic_open_result apic_open(uint32_t max_apic_id)
{
    uint64_t base;

    if (!has_feature(false, CPUID_1_EDX_APIC) || !msr_read(MSR_APIC_BASE, &base))
        return APIC_OPEN_NONE;
    handover = (struct apic_handover){
        .has_base = true,
        .base = base,
        .is_enabled = (base & APIC_BASE_ENABLE) != 0,
        .is_x2apic = (base & APIC_BASE_EXTD) != 0,
    };
    bool has_page = xapic_map(base & APIC_BASE_ADDRESS);

    if (handover.is_x2apic) {
        current_ops = &x2apic_ops;
        return APIC_OPEN_OK;
    }
    if (!has_page)
        return APIC_OPEN_NO_MAPPING;
    if (!handover.is_enabled && !write_base(base | APIC_BASE_ENABLE))
        return APIC_OPEN_NONE;
    current_ops = &xapic_ops;
    if (max_apic_id > APIC_XAPIC_MAX_ID && has_feature(true, CPUID_1_ECX_X2APIC) &&
        switch_to_x2apic(base))
        current_ops = &x2apic_ops;
    return APIC_OPEN_OK;
}

const struct apic_ops *apic_ops(void)
{
    return current_ops;
}

const struct apic_handover *apic_handover(void)
{
    return &handover;
}

const volatile void *apic_xapic_page(void)
{
    return xapic_page();
}

bool apic_join_mode(void)
{
    uint64_t base;

    if (!msr_read(MSR_APIC_BASE, &base))
        return false;
    bool is_x2apic = (base & APIC_BASE_EXTD) != 0, wants_x2apic = current_ops == &x2apic_ops;

    if (wants_x2apic && !is_x2apic)
        return write_base(base | APIC_BASE_ENABLE | APIC_BASE_EXTD);
    if (!wants_x2apic && is_x2apic)
        return leave_x2apic(base);
    return true;
}

void apic_enable_wakeups(uint8_t spurious_vector)
{
    apic_state_mask_sources(current_ops);
    current_ops->write(APIC_REG_TPR, WAKEUP_TPR);
    current_ops->write(APIC_REG_SVR, APIC_SVR_ENABLE | spurious_vector);
}

void apic_disable_wakeups(void)
{
    current_ops->write(APIC_REG_SVR, 0xFF);
}

void apic_restore(void)
{
    if (current_ops == NULL)
        return;
    if (is_mode_switched && leave_x2apic(handover.base)) {
        current_ops = &xapic_ops;
        apic_state_restore(&handover_state, &xapic_ops);
    }
    if (!handover.is_enabled)
        write_base(handover.base);
}

bool apic_send_init(uint32_t apic_id)
{
    return current_ops->send(apic_id, APIC_ICR_DELIVERY_INIT | APIC_ICR_LEVEL_ASSERT);
}

bool apic_send_startup(uint32_t apic_id, uint64_t page_physical)
{
    return current_ops->send(apic_id, APIC_ICR_DELIVERY_STARTUP | APIC_ICR_LEVEL_ASSERT |
                                          (uint32_t)(page_physical >> 12));
}

bool apic_send_fixed(uint32_t apic_id, uint8_t vector)
{
    return current_ops->send(apic_id, APIC_ICR_DELIVERY_FIXED | APIC_ICR_LEVEL_ASSERT | vector);
}

void apic_eoi(void)
{
    current_ops->write(APIC_REG_EOI, 0);
}

bool apic_is_in_service(uint8_t vector)
{
    enum { STEP = 0x10 };

    return current_ops->read((enum apic_reg)(APIC_REG_ISR + vector / 32 * STEP)) >>
               (vector % 32) & 1;
}

uint32_t apic_version(void)
{
    return current_ops->read(APIC_REG_VERSION);
}
