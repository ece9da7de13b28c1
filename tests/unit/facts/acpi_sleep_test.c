/* The sleep type of S5: encodings by hand from the AML grammar [acpi 20.2], the first of
 * them as QEMU's DSDT has it. */
#include <string.h>

#include "kernel/facts/acpi_sleep.h"
#include "tests/unit/unit_test.h"

enum { HEADER_BYTES = 36, TABLE_BYTES = 128, FADT_BYTES = 244 };

/* A DSDT with `aml` at some offset behind its header. */
static bool scan(const uint8_t *aml, size_t aml_bytes, uint8_t *a, uint8_t *b)
{
    uint8_t table[TABLE_BYTES] = {0};
    memcpy(table + HEADER_BYTES + 7, aml, aml_bytes);
    return acpi_sleep_s5(table, HEADER_BYTES + 7 + aml_bytes, a, b);
}

#define SCAN(a, b, ...) \
    scan((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), a, b)

static void zeros_are_a_sleep_type(void **state)
{
    uint8_t a = 9, b = 9;
    (void)state;
    assert_true(SCAN(&a, &b, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 0x04, 0, 0, 0, 0));
    assert_int_equal(a, 0);
    assert_int_equal(b, 0);
}

static void bytes_and_a_root_prefix_are_read(void **state)
{
    uint8_t a = 0, b = 0;
    (void)state;
    assert_true(SCAN(&a, &b, 0x08, 0x5c, '_', 'S', '5', '_', 0x12, 0x0a, 0x04, 0x0a, 5, 0x0a, 7,
                     0, 0));
    assert_int_equal(a, 5);
    assert_int_equal(b, 7);
}

static void a_long_package_length_is_passed_over(void **state)
{
    uint8_t a = 0, b = 0;
    (void)state;
    assert_true(SCAN(&a, &b, 0x08, '_', 'S', '5', '_', 0x12, 0x46, 0x01, 0x02, 0x0b, 7, 0, 1));
    assert_int_equal(a, 7);
    assert_int_equal(b, 1);
}

static void one_element_counts_for_both_registers(void **state)
{
    uint8_t a = 0, b = 0;
    (void)state;
    assert_true(SCAN(&a, &b, 0x08, '_', 'S', '5', '_', 0x12, 0x04, 0x01, 0x0a, 6));
    assert_int_equal(a, 6);
    assert_int_equal(b, 6);
}

static void a_use_of_the_name_is_not_its_definition(void **state)
{
    uint8_t a, b;
    (void)state;
    assert_false(SCAN(&a, &b, 0x70, '_', 'S', '5', '_', 0x12, 0x06, 0x04, 0, 0, 0, 0));
}

static void what_is_not_a_small_integer_is_refused(void **state)
{
    uint8_t a, b;
    (void)state;
    assert_false(SCAN(&a, &b, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 0x04, 0x0a, 8, 0, 0));
    assert_false(SCAN(&a, &b, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 0x04, 'A', 'B', 'C', 'D'));
    assert_false(SCAN(&a, &b, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 0x00));
}

static void a_cut_table_has_none(void **state)
{
    const uint8_t aml[] = {0x08, '_', 'S', '5', '_', 0x12, 0x06, 0x04, 0x0a, 5, 0x0a, 5};
    uint8_t a, b;
    (void)state;
    for (size_t length = 0; length < sizeof aml; length++)
        assert_false(scan(aml, length, &a, &b));
    assert_true(scan(aml, sizeof aml, &a, &b));
}

static void the_long_dsdt_address_wins_and_reduced_hardware_has_no_registers(void **state)
{
    uint8_t fadt[FADT_BYTES] = {0};
    struct acpi_sleep_registers registers;
    (void)state;
    memcpy(fadt + 40, "\x00\x10\x00\x00", 4); /* DSDT 0x1000 */
    memcpy(fadt + 48, "\xb2\x00\x00\x00", 4); /* SMI_CMD */
    fadt[52] = 0xf1;                          /* ACPI_ENABLE */
    memcpy(fadt + 64, "\x04\x06\x00\x00", 4); /* PM1a_CNT_BLK */
    assert_true(acpi_sleep_registers(&registers, fadt, 132));
    assert_int_equal(registers.dsdt, 0x1000);
    assert_int_equal(registers.pm1a_control, 0x604);
    assert_int_equal(registers.smi_command, 0xb2);
    assert_int_equal(registers.acpi_enable, 0xf1);
    fadt[144] = 2;                            /* X_DSDT 0x200000000 */
    assert_true(acpi_sleep_registers(&registers, fadt, sizeof fadt));
    assert_int_equal(registers.dsdt, 0x200000000);
    assert_false(acpi_sleep_registers(&registers, fadt, 115));
    fadt[114] = 0x10;                         /* HW_REDUCED_ACPI */
    assert_false(acpi_sleep_registers(&registers, fadt, sizeof fadt));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_a_sleep_type),
        cmocka_unit_test(bytes_and_a_root_prefix_are_read),
        cmocka_unit_test(a_long_package_length_is_passed_over),
        cmocka_unit_test(one_element_counts_for_both_registers),
        cmocka_unit_test(a_use_of_the_name_is_not_its_definition),
        cmocka_unit_test(what_is_not_a_small_integer_is_refused),
        cmocka_unit_test(a_cut_table_has_none),
        cmocka_unit_test(the_long_dsdt_address_wins_and_reduced_hardware_has_no_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
