/* The whole report of a small machine: status, text, KTAP, tree, and that no format
 * contains what the framing forbids. */
#include "tests/unit/report/fixture.h"

#include "kernel/report/groups_text.h"
#include "kernel/report/machine.h"
#include "kernel/report/sentence.h"
#include "kernel/report/tree.h"
#include "kernel/report/writers.h"

static struct fixture fixture;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in\n%s", part, text);
}

static void the_status_is_the_worst_of_checks_and_findings(void **state)
{
    struct report_check *check = &fixture.checks[0];

    (void)state;
    assert_int_equal(report_status(&fixture.model), REPORT_PASS);
    findings_add(&fixture.findings, "x", FINDING_INFO, 0, "leaf 1", "note");
    assert_int_equal(report_status(&fixture.model), REPORT_PASS);
    check->outcome = CHECK_NOT_OK;
    assert_int_equal(report_status(&fixture.model), REPORT_FINDINGS);
    check->voids_run = true;
    assert_int_equal(report_status(&fixture.model), REPORT_FAIL);
    check->outcome = CHECK_OK;
    findings_add(&fixture.findings, "y", FINDING_WARNING, 0, "leaf 1", "note");
    assert_int_equal(report_status(&fixture.model), REPORT_FINDINGS);
    fixture.model.fail_reason = "word 1";
    assert_int_equal(report_status(&fixture.model), REPORT_FAIL);
}

static void the_verdict_names_the_checks_that_are_not_ok(void **state)
{
    char text[400];
    struct textbuf out;

    (void)state;
    textbuf_init(&out, text, sizeof text);
    sentence_put(&out, &fixture.model);
    assert_string_equal(text, "No contradiction was found in what this machine declares.");
    fixture.checks[0].outcome = CHECK_NOT_OK;
    textbuf_init(&out, text, sizeof text);
    sentence_put(&out, &fixture.model);
    assert_string_equal(text, "No contradiction was found in what could be checked. "
                              "1 check is not ok: every-cpu-answered.");
    findings_add(&fixture.findings, "x", FINDING_WARNING, 0, "leaf 1", "note");
    textbuf_init(&out, text, sizeof text);
    sentence_put(&out, &fixture.model);
    assert_string_equal(text, "What this machine declares has 1 warning. "
                              "1 check is not ok: every-cpu-answered.");
}

static void findings_that_did_not_fit_are_not_a_pass(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++)
        findings_add(&fixture.findings, "x", FINDING_INFO, 0, "leaf 1", "note");
    assert_int_equal(fixture.findings.dropped, 1);
    assert_int_equal(report_status(&fixture.model), REPORT_FINDINGS);
}

static void the_machine_is_named_from_its_leaves(void **state)
{
    struct machine_cpu cpu;

    (void)state;
    machine_describe_cpu(&fixture.facts, &fixture.facts.cpus[0], &cpu);
    assert_string_equal(cpu.vendor, "GenuineIntel");
    assert_string_equal(cpu.brand, "Test CPU @ 2.00GHz");
    assert_int_equal(cpu.family, 6);
    assert_int_equal(cpu.model, 85);
    assert_int_equal(cpu.stepping, 4);
    assert_int_equal(cpu.microcode, 0x2000064);
    assert_false(cpu.is_virtual);
}

static void the_text_fits_80_columns_and_starts_with_the_findings(void **state)
{
    struct finding *finding = findings_add(&fixture.findings, "llc-differs", FINDING_ERROR, 3,
                                           "leaf 4.3 EAX", "CPU %u reports %u", 3u, 7u);
    char *text;

    (void)state;
    cpumask_set(&finding->cpus, 3);
    text = fixture_text(&fixture, text_report);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_in_range(strcspn(line, "\n"), 0, 80);
    assert_contains(text, "status              findings\n");
    assert_contains(text, "ERROR llc-differs: CPU 3 reports 7\n    CPUs 3\n"
                          "    source: leaf 4.3 EAX\n    concerns linux-4.9-rfc1 linux-4.9\n");
    assert_true(strstr(text, "ERROR llc") < strstr(text, "\nMachine\n"));
    assert_contains(text, "4 groups of 2: 0-1 2-3 4-5 6-7\n");
    assert_contains(text, "2 groups of 4: 0-3 4-7\n");
    assert_contains(text, "* seed              7\n");
    assert_contains(text, "  budget            5m\n");
    free(text);
}

static void an_injected_fault_is_told_at_the_top(void **state)
{
    char *text;

    (void)state;
    fixture.options.inject_count = 1;
    fixture.options.is_given[OPTION_INJECT] = true;
    strcpy(fixture.options.inject_text, "silent:apic=3");
    text = fixture_text(&fixture, text_report);
    assert_contains(text, "injected            silent:apic=3 (faults on purpose");
    free(text);
}

static void help_is_the_table_of_options_and_nothing_else(void **state)
{
    static const struct options_words words;
    char *text;

    (void)state;
    fixture.options.is_help = true;
    fixture.model.words = &words;
    text = fixture_text(&fixture, text_report);
    assert_contains(text, "\nbudget=TIME  (default 5m)\n");
    assert_null(strstr(text, "Findings"));
    free(text);
    fixture.model.fail_reason = "word 2";
    text = fixture_text(&fixture, text_report);
    assert_contains(text, "the run stopped     word 2\n");
    free(text);
}

static void a_virtual_machine_says_so(void **state)
{
    struct cpuid_row *row = fixture.facts.cpus[0].rows;
    char *text;

    (void)state;
    while (row->leaf != 1)
        row++;
    row->ecx |= 1u << 31;
    text = fixture_text(&fixture, text_report);
    assert_contains(text, "virtual machine     yes, under \"unnamed hypervisor\"");
    free(text);
}

/* https://docs.kernel.org/dev-tools/ktap.html */
static void checks_are_ktap_version_1(void **state)
{
    char *text;

    (void)state;
    fixture.checks[2] = (struct report_check){"cpu-3-answered", CHECK_NOT_OK, "APIC\nID 3", true};
    fixture.model.check_count = 3;
    fixture.model.fail_reason = "word 2 is no option";
    text = fixture_text(&fixture, tap_report);
    assert_string_equal(text, "KTAP version 1\n1..4\n"
                              "ok 1 every-cpu-answered\n"
                              "ok 2 no-pmu # SKIP no counters\n"
                              "not ok 3 cpu-3-answered\n# APIC ID 3\n"
                              "not ok 4 run-completed\n# word 2 is no option\n");
    free(text);
}

static void a_model_without_anything_is_told_in_every_format(void **state)
{
    static const struct report_model empty = {.fail_reason = "no memory map"};

    (void)state;
    for (uint32_t i = 0; i < report_format_count; i++) {
        char text[4096];
        struct textbuf out;

        textbuf_init(&out, text, sizeof(text));
        report_formats[i].write(&empty, &out);
        assert_false(out.is_cut);
    }
}

static void assert_secure_boot(struct efi_variable state, struct efi_variable mode,
                               const char *in_text, const char *in_json)
{
    char *text, *json;

    fixture.facts.secure_boot = state;
    fixture.facts.setup_mode = mode;
    text = fixture_text(&fixture, text_report);
    json = fixture_text(&fixture, json_report);
    assert_contains(text, in_text);
    assert_contains(json, in_json);
    free(text);
    free(json);
}

static void secure_boot_is_told_as_it_was_read(void **state)
{
    static const struct efi_variable none = {0}, zero = {true, 0}, one = {true, 1}, odd = {true, 7};

    (void)state;
    strcpy(fixture.facts.firmware_vendor, "A");
    assert_secure_boot(one, zero, " on, user mode\n", "\"secure_boot\":1");
    assert_secure_boot(zero, one, " off, setup mode\n", "\"setup_mode\":1");
    assert_secure_boot(one, none, " on\n", "\"setup_mode\":null");
    assert_secure_boot(odd, zero, " not known: SecureBoot is 7", "\"secure_boot\":7");
    assert_secure_boot(none, none, " no variable SecureBoot\n", "\"secure_boot\":null");
}

static void files_are_lines_without_cr_and_without_frame_marks(void **state)
{
    (void)state;
    strcpy(fixture.facts.firmware_vendor, "A\r\nB\x80");
    fixture.model.cmdline = "\r\n#x";
    for (uint32_t i = 0; i < report_format_count; i++) {
        char *text = fixture_text(&fixture, report_formats[i].write);
        size_t length = strlen(text);

        assert_null(strchr(text, '\r'));
        assert_null(strstr(text, "#coretruth "));
        assert_int_equal(text[length - 1], '\n');
        free(text);
    }
}

static void the_tree_goes_from_package_to_core(void **state)
{
    static const enum tree_level way[] = {TREE_PACKAGE, TREE_L3, TREE_L2, TREE_L1, TREE_CORE};
    const struct topology *topology = report_newest(&fixture.model);
    const struct cpumask *scope = &topology->online;
    uint32_t used = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(way) / sizeof(way[0]); i++) {
        enum tree_level level = tree_next_level(topology, 0, scope, used);

        assert_int_equal(level, way[i]);
        used |= 1u << level;
        scope = tree_set(topology, 0, level);
    }
    assert_int_equal(tree_next_level(topology, 0, scope, used), TREE_COUNT);
}

/* "Threads" 3 and 4 lie in different packages: neither they nor the packages, caches
 * and cores they cut can be objects; the core of CPUs 0 and 1 still is. */
static void sets_that_cut_each_other_are_left_out_of_the_tree(void **state)
{
    struct topology *topology = &fixture.topologies[RULE_PROFILE_COUNT - 1];
    struct cpumask *masks = ARENA_NEW(&fixture.arena, struct cpumask, topology->mask_count + 1);

    (void)state;
    memcpy(masks, topology->masks, topology->mask_count * sizeof(*masks));
    topology->masks = masks;
    assert_true(cpumask_init(&masks[topology->mask_count], 8, &fixture.arena));
    for (uint32_t cpu = 3; cpu < 5; cpu++) {
        cpumask_set(&masks[topology->mask_count], cpu);
        topology->cpus[cpu].mask[TOPOLOGY_SMT] = topology->mask_count;
    }
    topology->mask_count++;
    assert_int_equal(tree_next_level(topology, 0, &topology->online, 0), TREE_L2);
    assert_int_equal(tree_next_level(topology, 3, &topology->online, 0), TREE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_status_is_the_worst_of_checks_and_findings, start, end),
        cmocka_unit_test_setup_teardown(the_verdict_names_the_checks_that_are_not_ok, start, end),
        cmocka_unit_test_setup_teardown(findings_that_did_not_fit_are_not_a_pass, start, end),
        cmocka_unit_test_setup_teardown(the_machine_is_named_from_its_leaves, start, end),
        cmocka_unit_test_setup_teardown(the_text_fits_80_columns_and_starts_with_the_findings,
                                        start, end),
        cmocka_unit_test_setup_teardown(an_injected_fault_is_told_at_the_top, start, end),
        cmocka_unit_test_setup_teardown(help_is_the_table_of_options_and_nothing_else, start, end),
        cmocka_unit_test_setup_teardown(a_virtual_machine_says_so, start, end),
        cmocka_unit_test_setup_teardown(checks_are_ktap_version_1, start, end),
        cmocka_unit_test_setup_teardown(a_model_without_anything_is_told_in_every_format, start,
                                        end),
        cmocka_unit_test_setup_teardown(secure_boot_is_told_as_it_was_read, start, end),
        cmocka_unit_test_setup_teardown(files_are_lines_without_cr_and_without_frame_marks, start,
                                        end),
        cmocka_unit_test_setup_teardown(the_tree_goes_from_package_to_core, start, end),
        cmocka_unit_test_setup_teardown(sets_that_cut_each_other_are_left_out_of_the_tree, start,
                                        end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
