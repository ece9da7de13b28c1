/* Tests host/input.c: files, case directories, single tables, and refusals. */
#include "host/input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit_test.h"

static struct input input;

static void a_case_directory_brings_its_parts(void **state)
{
    (void)state;
    assert_true(input_load("tests/cases/cpuid-snc2", &input));
    assert_int_equal(input.facts.cpu_count, 8);
    assert_true(input.facts.has_linux_numbers);
    assert_int_equal(input.facts.stated_nodes[5], 1);
    assert_non_null(facts_table(&input.facts, "SRAT"));
    assert_non_null(expectations_find(&input.expectations, EXPECT_CASE, 5, EXPECTATION_NONE,
                                      "llc"));
    input_free(&input);
}

static void a_file_of_a_case_brings_its_neighbours(void **state)
{
    (void)state;
    assert_true(input_load("tests/cases/cpuid-snc2/cpuid.txt", &input));
    assert_non_null(facts_table(&input.facts, "SRAT"));
    input_free(&input);
    assert_true(input_load("tests/cases/madt-boot-cpu-not-first/madt.bin", &input));
    assert_int_equal(input.facts.cpu_count, 10);
    assert_int_equal(input.facts.cpus[0].apic_id, 0x20);
    assert_true(input.facts.has_handover_apic_base);
    assert_false(input.facts.has_linux_numbers);
    input_free(&input);
}

/* Two MADTs are two machines; each brings the expectations of its own revision. */
static void one_of_two_tables_is_chosen_by_its_path(void **state)
{
    (void)state;
    assert_false(input_load("tests/cases/madt-disabled-entries", &input));
    input_free(&input);
    assert_true(input_load("tests/cases/madt-disabled-entries/madt-rev3.bin", &input));
    assert_int_equal(input.facts.cpu_count, 4);
    assert_int_equal(input.expectations.count, 4);
    input_free(&input);
}

static void memory_and_msrs_alone_are_machines(void **state)
{
    (void)state;
    assert_true(input_load("tests/cases/e820-hole-below-1tib", &input));
    assert_int_equal(input.facts.memory_count, 9);
    input_free(&input);
    assert_true(input_load("tests/cases/msr-pmu-in-use", &input));
    assert_int_equal(input.facts.cpu_count, 4);
    input_free(&input);
}

static void a_kernel_record_and_a_corpus_file_are_machines(void **state)
{
    (void)state;
    assert_true(input_load("tests/oracle/recorded/6.1/intel-2c2t.txt", &input));
    assert_int_equal(input.facts.cpu_count, 4);
    input_free(&input);
    assert_true(input_load("tests/corpus/machines/amd-zen1-3020e-2t.txt", &input));
    assert_int_equal(input.facts.cpu_count, 2);
    input_free(&input);
}

static void what_is_no_machine_is_refused(void **state)
{
    static const char *const paths[] = {"tests/cases/no-such-case", "tests/cases/samples-smi",
                                        "Makefile", "/dev/null",
                                        "tests/cases/madt-x2apic-only/expected-cpus.txt"};
    (void)state;

    for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        assert_false(input_load(paths[i], &input));
        input_free(&input);
    }
}

/* A short text may stand for a large machine: the memory grows with the need. */
static void eight_thousand_cpus_in_a_short_text_are_read(void **state)
{
    char path[] = "/tmp/coretruth-input-XXXXXX";
    int handle = mkstemp(path);
    FILE *file = fdopen(handle, "w");
    (void)state;

    assert_non_null(file);
    fputs("# coretruth-cpuid 2\ncpu 0\napic 0\n", file);
    for (unsigned leaf = 0; leaf < 100; leaf++)
        fprintf(file, "%08x 0 1 2 3 4\n", leaf);
    for (unsigned cpu = 1; cpu < 8192; cpu++)
        fprintf(file, "cpu %u\nlike 0\napic %x\n", cpu, cpu);
    fclose(file);
    assert_true(input_load(path, &input));
    assert_int_equal(input.facts.cpu_count, 8192);
    assert_int_equal(input.facts.cpus[8191].row_count, 100);
    assert_int_equal(input.facts.cpus[8191].apic_id, 8191);
    input_free(&input);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_directory_brings_its_parts),
        cmocka_unit_test(a_file_of_a_case_brings_its_neighbours),
        cmocka_unit_test(one_of_two_tables_is_chosen_by_its_path),
        cmocka_unit_test(memory_and_msrs_alone_are_machines),
        cmocka_unit_test(a_kernel_record_and_a_corpus_file_are_machines),
        cmocka_unit_test(what_is_no_machine_is_refused),
        cmocka_unit_test(eight_thousand_cpus_in_a_short_text_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
