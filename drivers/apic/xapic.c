/* xAPIC mode: registers in one uncached page, ids of 8 bits, and an ICR in two
 * halves that must be free before it is written. [intel/vol3 11.4, 11.6.1] */
#include "drivers/apic/xapic.h"

#include <stddef.h>

#include "drivers/apic/apic.h"
#include "kernel/cpu/physmap.h"
#include "kernel/cpu/tsc.h"

enum { XAPIC_PAGE_BYTES = 4096, XAPIC_ID_SHIFT = 24, XAPIC_SEND_BOUND_US = 1000 };

static volatile uint8_t *page;

static uint32_t xapic_read(enum apic_reg reg)
{
    return *(volatile uint32_t *)(page + reg);
}

static void xapic_write(enum apic_reg reg, uint32_t value)
{
    *(volatile uint32_t *)(page + reg) = value;
}

static uint32_t xapic_read_id(void)
{
    return xapic_read(APIC_REG_ID) >> XAPIC_ID_SHIFT;
}

static bool is_sent_within_bound(void)
{
    uint64_t start = tsc_read(), bound = tsc_cycles_of_us(XAPIC_SEND_BOUND_US);

    while (xapic_read(APIC_REG_ICR_LOW) & APIC_ICR_DELIVERY_STATUS) {
        if (tsc_read() - start > bound)
            return false;
        __builtin_ia32_pause();
    }
    return true;
}

static bool xapic_send(uint32_t apic_id, uint32_t icr_low)
{
    if (apic_id > APIC_XAPIC_MAX_ID || !is_sent_within_bound())
        return false;
    xapic_write(APIC_REG_ICR_HIGH, apic_id << XAPIC_ID_SHIFT);
    xapic_write(APIC_REG_ICR_LOW, icr_low);
    return true;
}

bool xapic_map(uint64_t physical)
{
    page = physmap_device(physical, XAPIC_PAGE_BYTES, PHYSMAP_UNCACHED);
    return page != NULL;
}

const volatile void *xapic_page(void)
{
    return page;
}

const struct apic_ops xapic_ops = {
    .name = "xapic",
    .read = xapic_read,
    .write = xapic_write,
    .read_id = xapic_read_id,
    .send = xapic_send,
};
