/* Findings: what is kept, what is counted as dropped, and what is copied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/topology/findings.h"

static uint8_t storage[16384];
static struct arena arena;

static void a_finding_keeps_its_own_copy_of_text_and_source(void **state)
{
    struct findings findings;
    char source[] = "leaf 0xB.0 EDX";

    (void)state;
    arena_init(&arena, storage, sizeof(storage));
    assert_true(findings_init(&findings, 4, 256, &arena));
    struct finding *finding = findings_add(&findings, "apic-id-mismatch", FINDING_WARNING, 0x60,
                                           source, "CPU %u says %s", 7u, "9");
    memset(source, 'x', sizeof(source) - 1);
    assert_non_null(finding);
    cpumask_set(&finding->cpus, 255);
    assert_string_equal(findings.list[0].id, "apic-id-mismatch");
    assert_string_equal(findings.list[0].text, "CPU 7 says 9");
    assert_string_equal(findings.list[0].source, "leaf 0xB.0 EDX");
    assert_int_equal(findings.list[0].rules, 0x60);
    assert_true(cpumask_has(&findings.list[0].cpus, 255));
    assert_int_equal(cpumask_count(&findings.list[0].cpus), 1);
}

static void a_full_list_counts_what_it_drops(void **state)
{
    struct findings findings;

    (void)state;
    arena_init(&arena, storage, sizeof(storage));
    assert_true(findings_init(&findings, 1, 64, &arena));
    assert_non_null(findings_add(&findings, "a", FINDING_INFO, 0, "", "one"));
    assert_null(findings_add(&findings, "b", FINDING_ERROR, 0, "", "two"));
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.dropped, 1);
}

static void an_exhausted_arena_drops_the_finding(void **state)
{
    struct findings findings;

    (void)state;
    arena_init(&arena, storage, 2 * sizeof(struct finding) + 24);
    assert_true(findings_init(&findings, 2, 64, &arena));
    assert_null(findings_add(&findings, "a", FINDING_ERROR, 0, "MADT+0x2C",
                             "a sentence that does not fit into what is left"));
    assert_int_equal(findings.count, 0);
    assert_int_equal(findings.dropped, 1);
}

static void a_very_long_text_is_cut_not_overrun(void **state)
{
    struct findings findings;
    char text[900];

    (void)state;
    memset(text, 'w', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    arena_init(&arena, storage, sizeof(storage));
    assert_true(findings_init(&findings, 1, 64, &arena));
    struct finding *finding = findings_add(&findings, "a", FINDING_INFO, 0, "", "%s", text);
    assert_non_null(finding);
    assert_in_range(strlen(finding->text), 256, 512);
}

static void the_worst_severity_wins(void **state)
{
    struct findings findings;

    (void)state;
    arena_init(&arena, storage, sizeof(storage));
    assert_true(findings_init(&findings, 3, 64, &arena));
    assert_int_equal(findings_worst(&findings), FINDING_INFO);
    findings_add(&findings, "a", FINDING_WARNING, 0, "", "w");
    assert_int_equal(findings_worst(&findings), FINDING_WARNING);
    findings_add(&findings, "b", FINDING_ERROR, 0, "", "e");
    findings_add(&findings, "c", FINDING_INFO, 0, "", "i");
    assert_int_equal(findings_worst(&findings), FINDING_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_keeps_its_own_copy_of_text_and_source),
        cmocka_unit_test(a_full_list_counts_what_it_drops),
        cmocka_unit_test(an_exhausted_arena_drops_the_finding),
        cmocka_unit_test(a_very_long_text_is_cut_not_overrun),
        cmocka_unit_test(the_worst_severity_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
