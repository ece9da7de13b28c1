/* inject=: grammar, groups, and what is refused. */
#include <string.h>

#include "kernel/options/inject.h"
#include "tests/unit/unit_test.h"

static struct inject inject;
static struct input_error error;

static bool parse(const char *text)
{
    return inject_parse(&inject, text, 0, &error);
}

static void groups_are_split_by_slashes_and_lists_by_commas(void **state)
{
    (void)state;
    assert_true(parse("slow:cpus=0-1,6/2-3,7/4,ns=60"));
    assert_int_equal(inject.kind, INJECT_SLOW);
    assert_int_equal(inject.ns, 60);
    assert_int_equal(inject_group(&inject, 0), 0);
    assert_int_equal(inject_group(&inject, 6), 0);
    assert_int_equal(inject_group(&inject, 7), 1);
    assert_int_equal(inject_group(&inject, 4), 2);
    assert_int_equal(inject_group(&inject, 5), INJECT_NO_GROUP);
}

static void only_pairs_across_groups_are_slow(void **state)
{
    (void)state;
    assert_true(parse("slow:ns=60,cpus=0-3/4-7"));
    assert_int_equal(inject_pair_ns(&inject, 0, 4), 60);
    assert_int_equal(inject_pair_ns(&inject, 7, 3), 60);
    assert_int_equal(inject_pair_ns(&inject, 0, 3), 0);
    assert_int_equal(inject_pair_ns(&inject, 0, 8), 0);
    assert_true(parse("contend:cpus=0-3/4-7,percent=40"));
    assert_int_equal(inject_pair_ns(&inject, 0, 4), 0);
    assert_int_equal(inject.percent, 40);
}

static void apic_ids_may_be_several_and_hexadecimal(void **state)
{
    (void)state;
    assert_true(parse("silent:apic=3,0x104"));
    assert_true(inject_has_apic_id(&inject, 3));
    assert_true(inject_has_apic_id(&inject, 260));
    assert_false(inject_has_apic_id(&inject, 4));
    assert_true(parse("fault:in=bench,apic=1"));
    assert_int_equal(inject.part, INJECT_IN_BENCH);
    assert_true(parse("fault:apic=1"));
    assert_int_equal(inject.part, INJECT_IN_CAPTURE);
    assert_true(parse("late:apic=1,ms=20"));
    assert_int_equal(inject.ms, 20);
    assert_true(parse("interrupt:apic=1,vector=0xff"));
    assert_int_equal(inject.vector, 255);
    assert_true(parse("spurious:apic=1"));
    assert_int_equal(inject.kind, INJECT_SPURIOUS);
    assert_true(parse("caches-off:apic=1,2"));
    assert_int_equal(inject.kind, INJECT_CACHES_OFF);
    assert_true(parse("stuck:apic=2"));
    assert_int_equal(inject.kind, INJECT_STUCK);
    assert_true(inject_has_apic_id(&inject, 2));
    assert_true(parse("stray-store:at=0x123456789"));
    assert_true(inject.address == 0x123456789);
}

static void what_is_not_understood_is_refused_with_an_example(void **state)
{
    static const char *const wrong[] = {
        "", "silent", "silent:", "silent:apic", "silent:apic=", "silent:apic=x", "silent:cpu=3",
        "silent:apic=3,ms=1", "silent:apic=3,apic=4", "late:apic=3", "late:apic=3,ms=0",
        "late:apic=3,ms=60001", "late:ms=3,4,apic=1", "fault:in=bench", "fault:apic=1,in=nowhere",
        "silent:apic=1,in=bench", "slow:cpus=0-3,ns=60,", "slow:ns=60",
        "slow:cpus=0-3/2-5,ns=1", "slow:cpus=0-3//4,ns=1", "slow:cpus=0,0,ns=1",
        "slow:cpus=0/1,ns=1000001", "contend:cpus=0/1,percent=100", "loud:apic=3",
        "silent:4294967295", "silent:apic=4294967295", "stray-store:", "caches-off:", "stuck:",
        "interrupt:apic=1", "interrupt:apic=1,vector=15", "interrupt:apic=1,vector=256",
        "stuck:apic=1,ms=5",
        "stray-store:at=0x10000000000000",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        error.text[0] = '\0';
        if (parse(wrong[i]))
            fail_msg("\"%s\" was taken", wrong[i]);
        assert_non_null(strstr(error.text, "right would be"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_split_by_slashes_and_lists_by_commas),
        cmocka_unit_test(only_pairs_across_groups_are_slow),
        cmocka_unit_test(apic_ids_may_be_several_and_hexadecimal),
        cmocka_unit_test(what_is_not_understood_is_refused_with_an_example),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
