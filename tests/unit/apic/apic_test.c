/* Tests drivers/apic/apic.c against a local APIC whose x2APIC mode is locked: with
 * LEGACY_XAPIC_DISABLED of IA32_XAPIC_DISABLE_STATUS set, a WRMSR that would leave the mode
 * is #GP. [intel/vol4 2.1, MSR 0xBD] */
#include "drivers/apic/apic.c"

#include "tests/unit/unit_test.h"

enum { PAGE = 0xFEE00000 };

static uint64_t base;
static bool is_locked;
static uint32_t refused_count, written_count;
static uint32_t sent_to;

bool msr_read(uint32_t address, uint64_t *value)
{
    assert_int_equal(address, MSR_APIC_BASE);
    *value = base;
    return true;
}

bool msr_write(uint32_t address, uint64_t value)
{
    assert_int_equal(address, MSR_APIC_BASE);
    written_count++;
    if (is_locked && !(value & APIC_BASE_EXTD)) {
        refused_count++;
        return false;
    }
    base = value;
    return true;
}

bool xapic_map(uint64_t physical)
{
    assert_int_equal(physical, PAGE);
    return true;
}

const volatile void *xapic_page(void)
{
    return NULL;
}

static uint32_t in_service[8]; /* [intel/vol3 11.8.4]: bit n of register i is vector 32 i + n */

static uint32_t read_nothing(enum apic_reg which)
{
    unsigned at = (unsigned)which - 0x100;

    return at < 0x80 ? in_service[at / 0x10] : 0;
}

static void write_nothing(enum apic_reg which, uint32_t value)
{
    (void)which;
    (void)value;
}

static bool send(uint32_t apic_id, uint32_t icr_low)
{
    (void)icr_low;
    sent_to = apic_id;
    return true;
}

const struct apic_ops xapic_ops = {.name = "xapic", .read = read_nothing,
                                   .write = write_nothing, .send = send};
const struct apic_ops x2apic_ops = {.name = "x2apic", .read = read_nothing,
                                    .write = write_nothing, .send = send};

void apic_state_save(struct apic_state *state, const struct apic_ops *ops)
{
    (void)state;
    assert_ptr_equal(ops, &xapic_ops);
}

void apic_state_restore(const struct apic_state *state, const struct apic_ops *ops)
{
    (void)state;
    assert_ptr_equal(ops, &xapic_ops);
}

void apic_state_mask_sources(const struct apic_ops *ops)
{
    (void)ops;
}

static void start(uint64_t mode, bool locked)
{
    base = PAGE | mode;
    is_locked = locked;
    refused_count = written_count = 0;
    is_mode_switched = false;
    current_ops = NULL;
}

static void a_locked_x2apic_is_used_as_it_is_and_left_so(void **state)
{
    (void)state;
    start(APIC_BASE_ENABLE | APIC_BASE_EXTD, true);
    assert_int_equal(apic_open(7), APIC_OPEN_OK);
    assert_ptr_equal(apic_ops(), &x2apic_ops);
    assert_true(apic_send_init(0x12345));
    assert_int_equal(sent_to, 0x12345);
    assert_true(apic_join_mode());
    apic_restore();
    assert_int_equal(written_count, 0);
}

static void a_started_cpu_that_is_locked_in_the_other_mode_says_so(void **state)
{
    (void)state;
    start(APIC_BASE_ENABLE, false);
    assert_int_equal(apic_open(7), APIC_OPEN_OK);
    assert_ptr_equal(apic_ops(), &xapic_ops);
    base |= APIC_BASE_EXTD; /* now the started CPU's own register */
    is_locked = true;
    assert_false(apic_join_mode());
    assert_int_equal(refused_count, 1);
}

static void a_lock_that_comes_with_the_mode_keeps_it(void **state)
{
    (void)state;
    if (!has_feature(true, CPUID_1_ECX_X2APIC))
        skip();
    start(APIC_BASE_ENABLE, true);
    assert_int_equal(apic_open(300), APIC_OPEN_OK);
    assert_ptr_equal(apic_ops(), &x2apic_ops);
    apic_restore();
    assert_true(base & APIC_BASE_EXTD);
    assert_ptr_equal(apic_ops(), &x2apic_ops);
}

static void a_vector_in_service_is_found_and_no_other(void **state)
{
    (void)state;
    current_ops = &xapic_ops;
    in_service[7] = 1u << 31 | 1u << 17; /* 0xFF, 0xF1 */
    in_service[1] = 1;                   /* 0x20 */
    for (unsigned vector = 0; vector < 256; vector++)
        assert_int_equal(apic_is_in_service((uint8_t)vector),
                         vector == 0xFF || vector == 0xF1 || vector == 0x20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_locked_x2apic_is_used_as_it_is_and_left_so),
        cmocka_unit_test(a_started_cpu_that_is_locked_in_the_other_mode_says_so),
        cmocka_unit_test(a_vector_in_service_is_found_and_no_other),
        cmocka_unit_test(a_lock_that_comes_with_the_mode_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
