/* What each kernel picks, against the table of [clear 1.4]. */
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/cpu_model.h"
#include "kernel/stats/kernel_choice.h"
#include "tests/unit/stats/fake_cpu.h"

enum { ERMS = 1 << 9 };
static const char *const profiles[] = { "linux-6.1", "linux-6.12", "linux-7.2" };
static uint8_t memory[1 << 16];
static struct arena arena;

static const struct bench_choice *choices_of(const char *vendor, uint32_t signature,
                                             uint32_t leaf7_ebx, int64_t misc_enable)
{
    static struct fake_machine machine;
    fake_machine_init(&machine, 1, vendor);
    fake_leaf(&machine, 1, 0, signature, 0, 0, 0);
    fake_leaf(&machine, 7, 0, 0, leaf7_ebx, 0, 0);
    if (misc_enable >= 0)
        fake_msr(&machine, 0, 0x1a0, (uint64_t)misc_enable);
    arena_init(&arena, memory, sizeof memory);
    struct bench_choice *choices =
        kernel_choice_make(&machine.facts, &machine.cpus[0], profiles, 3, &arena);
    assert_non_null(choices);
    return choices;
}

static void assert_picks(const struct bench_choice *choices, const char *old, const char *new)
{
    assert_string_equal(choices[0].variant, old);
    assert_string_equal(choices[1].variant, old);
    assert_string_equal(choices[2].variant, new);
}

/* Signatures and ERMS as in the dumps of [clear 1.4]. */
static void each_cpu_gets_what_the_table_says(void **state)
{
    (void)state;
    assert_picks(choices_of("GenuineIntel", 0x206a7, 0, 0x850089), "stosq", "stosq");
    assert_picks(choices_of("GenuineIntel", 0x306a9, ERMS, 0x850089), "stosb", "stosb");
    assert_picks(choices_of("GenuineIntel", 0x606a6, ERMS, 1), "stosb", "stosb");
    assert_picks(choices_of("AuthenticAMD", 0x100f43, 0, -1), "stosq", "stosq");
    assert_picks(choices_of("AuthenticAMD", 0x830f10, 0, -1), "stosq", "stosq");
    assert_picks(choices_of("AuthenticAMD", 0xa00f11, ERMS, -1), "stosb", "stosb");
    assert_picks(choices_of("HygonGenuine", 0x900f11, 0, -1), "stosq", "stosq");
    assert_picks(choices_of("CentaurHauls", 0x006f8, 0, -1), "stosq", "stosq");
    assert_picks(choices_of("CentaurHauls", 0x006d0, 0, -1), "orig", "orig");
}

static void fast_strings_off_takes_both_bits_away(void **state)
{
    (void)state;
    const struct bench_choice *choices = choices_of("GenuineIntel", 0x606a6, ERMS, 0);
    assert_picks(choices, "orig", "orig");
    assert_non_null(strstr(choices[0].why, "FAST_STRING) is 0"));
}

/* K8: revision C is 0x0f48 and later. Pentium M Banias (model 9) is before Dothan:
 * REP_GOOD by family up to 6.12, not in 7.2. */
static void old_cpus_part_by_revision_and_kernel(void **state)
{
    (void)state;
    assert_picks(choices_of("AuthenticAMD", 0x0f47, 0, -1), "orig", "orig");
    assert_picks(choices_of("AuthenticAMD", 0x0f48, 0, -1), "stosq", "stosq");
    assert_picks(choices_of("AuthenticAMD", 0x0f50, 0, -1), "orig", "orig");
    assert_picks(choices_of("AuthenticAMD", 0x0f58, 0, -1), "stosq", "stosq");
    assert_picks(choices_of("GenuineIntel", 0x0695, 0, -1), "stosq", "orig");
}

static void an_unread_register_is_said(void **state)
{
    (void)state;
    const struct bench_choice *choices = choices_of("GenuineIntel", 0x606a6, ERMS, -1);
    assert_picks(choices, "stosb", "stosb");
    assert_non_null(strstr(choices[2].why, "not read"));
}

static void only_the_new_kernel_clears_extents(void **state)
{
    (void)state;
    const struct bench_choice *choices = choices_of("AuthenticAMD", 0xa00f11, ERMS, -1);
    assert_int_equal(choices[0].max_extent_bytes, 4096);
    assert_int_equal(choices[1].max_extent_bytes, 4096);
    assert_true(choices[2].max_extent_bytes > 4096);
}

static void family_and_model_are_those_of_the_manuals(void **state)
{
    (void)state;
    static struct fake_machine machine;
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0xb00f21, 0, 0, 0);
    struct cpu_model model = cpu_model_of(&machine.facts, &machine.cpus[0]);
    assert_int_equal(model.family, 0x1a);
    assert_int_equal(model.model, 0x02);
    assert_int_equal(model.stepping, 1);
    assert_int_equal(model.vendor, CPU_AMD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cpu_gets_what_the_table_says),
        cmocka_unit_test(fast_strings_off_takes_both_bits_away),
        cmocka_unit_test(old_cpus_part_by_revision_and_kernel),
        cmocka_unit_test(an_unread_register_is_said),
        cmocka_unit_test(only_the_new_kernel_clears_extents),
        cmocka_unit_test(family_and_model_are_those_of_the_manuals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
