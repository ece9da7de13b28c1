/* Which variants a CPU can run, by its bits. */
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/variants.h"
#include "tests/unit/stats/fake_cpu.h"

static uint8_t memory[1 << 14];
static struct arena arena;
static struct fake_machine machine;

/* The bits of Zen 5: AVX-512, CLZERO, MOVDIR64B, lines of 64 bytes. */
static void full_machine(uint32_t leaf1_ebx, uint32_t leaf7_ebx)
{
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0xb00f21, leaf1_ebx, 1 << 26 | 1 << 27 | 1 << 28, 1 << 26);
    fake_leaf(&machine, 7, 0, 0, leaf7_ebx, 1 << 28, 0);
    fake_leaf(&machine, 0xd, 0, 0xe7, 0, 0, 0);
    fake_leaf(&machine, 0x80000008, 0, 0, 1, 0, 0);
}

static const char *lacks(uint32_t needs, uint64_t xcr0)
{
    struct clear_variant variant = { .id = "any", .needs = needs };
    return variant_lacks(&variant, &machine.facts, &machine.cpus[0], xcr0, &arena);
}

static void a_full_machine_lacks_nothing(void **state)
{
    (void)state;
    full_machine(8 << 8, 1 << 16);
    assert_null(lacks(0, 0));
    assert_null(lacks(VARIANT_NEEDS_SSE, 0));
    assert_null(lacks(VARIANT_NEEDS_AVX, 0x7));
    assert_null(lacks(VARIANT_NEEDS_AVX512F, 0xe7));
    assert_null(lacks(VARIANT_NEEDS_CLZERO | VARIANT_NEEDS_LINE_64, 0));
    assert_null(lacks(VARIANT_NEEDS_MOVDIR64B | VARIANT_NEEDS_LINE_64, 0));
}

static void vector_state_that_is_not_enabled_is_a_lack(void **state)
{
    (void)state;
    full_machine(8 << 8, 1 << 16);
    assert_non_null(strstr(lacks(VARIANT_NEEDS_AVX, 0x3), "XCR0 is 0x3"));
    assert_non_null(strstr(lacks(VARIANT_NEEDS_AVX512F, 0x7), "XCR0 is 0x7"));
}

static void a_missing_bit_is_named(void **state)
{
    (void)state;
    full_machine(8 << 8, 0);
    assert_non_null(strstr(lacks(VARIANT_NEEDS_AVX512F, 0xe7), "AVX512F"));
    full_machine(16 << 8, 1 << 16);
    assert_non_null(strstr(lacks(VARIANT_NEEDS_CLZERO | VARIANT_NEEDS_LINE_64, 0), "128 bytes"));
}

static void a_leaf_that_was_not_recorded_is_not_a_zero(void **state)
{
    (void)state;
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0xb00f21, 8 << 8, 0, 1 << 26);
    assert_non_null(strstr(lacks(VARIANT_NEEDS_MOVDIR64B, 0), "not recorded"));
    assert_non_null(strstr(lacks(VARIANT_NEEDS_CLZERO, 0), "not recorded"));
}

static void a_full_arena_does_not_make_a_variant_runnable(void **state)
{
    (void)state;
    full_machine(8 << 8, 0);
    arena_init(&arena, memory, 4);
    assert_non_null(lacks(VARIANT_NEEDS_AVX512F, 0xe7));
}

static void wanted_xcr0_is_what_leaf_d_and_the_features_have(void **state)
{
    (void)state;
    full_machine(8 << 8, 1 << 16);
    assert_int_equal(variant_wanted_xcr0(&machine.facts, &machine.cpus[0]), 0xe7);
    full_machine(8 << 8, 0);
    assert_int_equal(variant_wanted_xcr0(&machine.facts, &machine.cpus[0]), 0x7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_machine_lacks_nothing),
        cmocka_unit_test(vector_state_that_is_not_enabled_is_a_lack),
        cmocka_unit_test(a_missing_bit_is_named),
        cmocka_unit_test(a_leaf_that_was_not_recorded_is_not_a_zero),
        cmocka_unit_test(a_full_arena_does_not_make_a_variant_runnable),
        cmocka_unit_test(wanted_xcr0_is_what_leaf_d_and_the_features_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
