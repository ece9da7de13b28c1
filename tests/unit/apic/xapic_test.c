/* Tests drivers/apic/xapic.c with the register page in ordinary memory. */
#include "drivers/apic/xapic.c"

#include <string.h>

#include "tests/unit/unit_test.h"

static _Alignas(4096) uint8_t registers[XAPIC_PAGE_BYTES];
static uint64_t bound_us;

void *physmap_device(uint64_t physical, uint64_t bytes, enum physmap_cache cache)
{
    assert_int_equal(physical, 0xFEE00000);
    assert_int_equal(bytes, XAPIC_PAGE_BYTES);
    assert_int_equal(cache, PHYSMAP_UNCACHED);
    return registers;
}

uint64_t tsc_cycles_of_us(uint64_t microseconds)
{
    bound_us = microseconds;
    return microseconds;
}

static uint32_t *reg(enum apic_reg which)
{
    return (uint32_t *)(void *)(registers + which);
}

static int start(void **state)
{
    (void)state;
    memset(registers, 0, sizeof(registers));
    bound_us = 0;
    assert_true(xapic_map(0xFEE00000));
    return 0;
}

static void a_stuck_icr_is_given_up_and_not_written(void **state)
{
    (void)state;
    *reg(APIC_REG_ICR_LOW) = APIC_ICR_DELIVERY_STATUS;
    assert_false(xapic_ops.send(3, APIC_ICR_DELIVERY_INIT));
    assert_int_equal(bound_us, 1000);
    assert_int_equal(*reg(APIC_REG_ICR_LOW), APIC_ICR_DELIVERY_STATUS);
    assert_int_equal(*reg(APIC_REG_ICR_HIGH), 0);
}

static void a_free_icr_gets_the_id_and_the_message(void **state)
{
    (void)state;
    assert_true(xapic_ops.send(0xFE, APIC_ICR_DELIVERY_INIT));
    assert_int_equal(*reg(APIC_REG_ICR_HIGH), 0xFE000000);
    assert_int_equal(*reg(APIC_REG_ICR_LOW), APIC_ICR_DELIVERY_INIT);
}

static void an_id_of_more_than_eight_bits_is_refused(void **state)
{
    (void)state;
    assert_false(xapic_ops.send(256, APIC_ICR_DELIVERY_INIT));
    assert_int_equal(*reg(APIC_REG_ICR_LOW), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_stuck_icr_is_given_up_and_not_written, start),
        cmocka_unit_test_setup(a_free_icr_gets_the_id_and_the_message, start),
        cmocka_unit_test_setup(an_id_of_more_than_eight_bits_is_refused, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
