/* Checks of CPUs that are listed and not there. What must be found is said in
 * tests/cases/ap-start-second-message: named with its id, and the run goes on. */
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

static void everybody_there_is_silence(void **state)
{
    (void)state;
    bench_init(&b);
    bench_expect_none(&b, "cpu-silent");
    bench_init(&b);
    bench_expect_none(&b, "cpu-faulted");
}

static void a_silent_cpu_is_named(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[3].state = CPU_SILENT;
    b.s.facts.cpus[3].row_count = 0;
    bench_expect(&b, "cpu-silent", "3", 0);
}

static void many_silent_cpus_are_told_together(void **state)
{
    uint32_t count = 0;

    (void)state;
    bench_init_size(&b, 40);
    for (uint32_t cpu = 10; cpu < 40; cpu++) {
        b.s.facts.cpus[cpu].state = CPU_SILENT;
        b.s.facts.cpus[cpu].row_count = 0;
    }
    bench_run(&b);
    for (uint32_t i = 0; i < b.findings.count; i++)
        count += strcmp(b.findings.list[i].id, "cpu-silent") == 0;
    assert_int_equal(count, 16 + 1);
    for (uint32_t i = 0; i < b.findings.count; i++)
        if (strstr(b.findings.list[i].text, "14 more CPUs, from APIC id 0x1a on"))
            assert_int_equal(cpumask_count(&b.findings.list[i].cpus), 14);
    bench_free(&b);
}

static void a_cpu_lost_in_capture_is_named(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[2].state = CPU_FAULTED;
    bench_expect(&b, "cpu-faulted", "2", 0);
}

static void cpus_that_nobody_called_are_not_silent(void **state)
{
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        bench_init(&b);
        for (uint32_t cpu = 1; cpu < BENCH_CPUS; cpu++) {
            b.s.facts.cpus[cpu].state = CPU_SILENT;
            b.s.facts.cpus[cpu].is_untried = true;
            b.s.facts.cpus[cpu].row_count = 0;
        }
        if (pass == 0)
            bench_expect(&b, "cpu-untried", "1-3", 0);
        else
            bench_expect_none(&b, "cpu-silent");
    }
}

static void a_message_that_was_not_sent_is_no_silence(void **state)
{
    (void)state;
    bench_init(&b);
    bench_expect_none(&b, "cpu-not-called");
    bench_init(&b);
    b.s.facts.cpus[3].state = CPU_SILENT;
    b.s.facts.cpus[3].unsent_count = 3;
    b.s.facts.cpus[3].row_count = 0;
    b.s.facts.cpus[2].unsent_count = 1; /* the second start message reached it */
    bench_run(&b);
    assert_null(bench_find(&b, "cpu-silent"));
    assert_non_null(strstr(bench_find(&b, "cpu-not-called")->text,
                           "4 messages to 2 CPUs, the first with APIC id 0x2, were not sent: the local"));
    bench_free(&b);
    bench_init(&b);
    b.s.facts.cpus[2].unsent_count = 1;
    bench_expect(&b, "cpu-not-called", "2", 0);
}

/* 2^32 - 1 twice. */
static void counts_of_many_cpus_are_added_up_without_wrapping(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 2; cpu < 4; cpu++) {
        b.s.facts.cpus[cpu].unsent_count = UINT32_MAX;
        b.s.facts.cpus[cpu].interrupts = (struct cpu_interrupts){
            UINT32_MAX, UINT32_MAX, UINT32_MAX, 1};
    }
    bench_run(&b);
    assert_non_null(strstr(bench_find(&b, "cpu-not-called")->text,
                           "8589934590 messages to 2 CPUs"));
    assert_non_null(strstr(bench_find(&b, "unexpected-interrupt")->text,
                           "8589934590 NMI, 8589934590 "
                           "spurious, 8589934590 of other vectors"));
    bench_free(&b);
}

static void an_id_that_xapic_messages_cannot_name_is_the_reason(void **state)
{
    (void)state;
    for (uint32_t id = 254; id <= 256; id += 2) {
        bench_init(&b);
        b.s.facts.cpus[3].state = CPU_SILENT;
        b.s.facts.cpus[3].madt_apic_id = id;
        b.s.facts.cpus[3].unsent_count = 3;
        bench_run(&b);
        assert_true(!!strstr(bench_find(&b, "cpu-not-called")->text, "xAPIC mode") == (id > 254));
        bench_free(&b);
    }
}

static void a_disabled_entry_is_neither(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[3].state = CPU_DISABLED;
    b.s.facts.cpus[3].row_count = 0;
    bench_expect_none(&b, "cpu-silent");
}

static void interrupts_that_nobody_asked_for_are_added_up(void **state)
{
    (void)state;
    bench_init(&b);
    bench_expect_none(&b, "unexpected-interrupt");
    bench_init(&b);
    b.s.facts.cpus[1].interrupts = (struct cpu_interrupts){2, 0, 0, 0};
    b.s.facts.cpus[3].interrupts = (struct cpu_interrupts){0, 1, 3, 0xF5};
    bench_run(&b);
    assert_non_null(strstr(bench_find(&b, "unexpected-interrupt")->text,
                           "2 NMI, 1 spurious, 3 of other vectors (the last: 0xf5)"));
    assert_true(cpumask_has(&bench_find(&b, "unexpected-interrupt")->cpus, 3));
    assert_int_equal(cpumask_count(&bench_find(&b, "unexpected-interrupt")->cpus), 2);
    bench_free(&b);
}

/* The end of a run adds the counts, after all other checks have spoken. */
static void one_check_can_be_run_alone(void **state)
{
    static uint8_t memory[1 << 20];
    struct findings findings;
    struct arena arena;

    (void)state;
    arena_init(&arena, memory, sizeof(memory));
    bench_init(&b);
    b.s.facts.cpus[1].interrupts.nmi = 1;
    b.s.facts.cpus[2].state = CPU_FAULTED;
    assert_true(findings_init(&findings, 8, BENCH_CPUS + 1, &arena));
    assert_true(checks_run_one(&b.s.facts, NULL, 0, &arena, &findings,
                               "unexpected-interrupt"));
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].id, "unexpected-interrupt");
    synthetic_free(&b.s);
}

/* QEMU's q35, where GCS bit 5 keeps the timer from resetting, and the same without. */
static void a_watchdog_that_runs_is_a_finding_unless_it_cannot_reset(void **state)
{
    static struct facts_register registers[] = {
        {FACTS_PCI, 4, 0xF8000, 0x29188086}, {FACTS_PCI, 4, 0xF8008, 0x06010002},
        {FACTS_PCI, 4, 0xF8040, 0x00000601}, {FACTS_PCI, 4, 0xF8044, 0x00000080},
        {FACTS_PCI, 4, 0xF80F0, 0xFED1C001}, {FACTS_MEMORY, 4, 0xFED1F410, 0x20},
        {FACTS_PORT, 2, 0x668, 0},           {FACTS_PORT, 2, 0x672, 4},
    };

    (void)state;
    for (int can_reset = 0; can_reset < 2; can_reset++) {
        bench_init(&b);
        registers[5].value = can_reset ? 0 : 0x20;
        b.s.facts.registers = registers;
        b.s.facts.register_count = sizeof(registers) / sizeof(registers[0]);
        if (can_reset)
            bench_expect(&b, "watchdog-running", "", 0);
        else
            bench_expect_none(&b, "watchdog-running");
    }
}

/* CD alone, NW alone and both, as INIT leaves them [intel/vol3 table 10-1]. */
static void a_cpu_with_its_caches_off_is_named(void **state)
{
    static const uint64_t off[] = {0xC0010033, 0xA0010033, 0xE0010033};

    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        b.s.facts.cpus[cpu].has_cr0 = true;
        b.s.facts.cpus[cpu].cr0 = 0x80010033;
    }
    bench_expect_none(&b, "cpu-caches-off");
    for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
        bench_init(&b);
        b.s.facts.cpus[2].cr0 = off[i];
        bench_expect_none(&b, "cpu-caches-off"); /* not read */
        bench_init(&b);
        b.s.facts.cpus[2].has_cr0 = true;
        b.s.facts.cpus[2].cr0 = off[i];
        bench_expect(&b, "cpu-caches-off", "2", 0);
    }
}

/* QEMU clears MTRRs at INIT: every boot there would be an error. A hypervisor's MTRRs
 * that are on and differ are told as anywhere. */
static void an_emulators_cleared_mtrrs_are_no_contradiction(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_row(&b.s, cpu, 1, 0, 0x50654, cpu << 24 | 4 << 16, 1u << 31 | 1 << 21,
                      1 << 9 | 1 << 28);
        bench_msr(&b, cpu, 0x2FF, cpu == 0 ? 0x806 : 0);
    }
    bench_expect_none(&b, "msr-mtrr-differs");
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_row(&b.s, cpu, 1, 0, 0x50654, cpu << 24 | 4 << 16, 1u << 31 | 1 << 21,
                      1 << 9 | 1 << 28);
        bench_msr(&b, cpu, 0x2FF, cpu == 2 ? 0x800 : 0x806);
    }
    bench_expect(&b, "msr-mtrr-differs", "2", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_there_is_silence),
        cmocka_unit_test(a_silent_cpu_is_named),
        cmocka_unit_test(many_silent_cpus_are_told_together),
        cmocka_unit_test(a_cpu_lost_in_capture_is_named),
        cmocka_unit_test(cpus_that_nobody_called_are_not_silent),
        cmocka_unit_test(a_message_that_was_not_sent_is_no_silence),
        cmocka_unit_test(counts_of_many_cpus_are_added_up_without_wrapping),
        cmocka_unit_test(an_id_that_xapic_messages_cannot_name_is_the_reason),
        cmocka_unit_test(a_disabled_entry_is_neither),
        cmocka_unit_test(interrupts_that_nobody_asked_for_are_added_up),
        cmocka_unit_test(one_check_can_be_run_alone),
        cmocka_unit_test(a_watchdog_that_runs_is_a_finding_unless_it_cannot_reset),
        cmocka_unit_test(a_cpu_with_its_caches_off_is_named),
        cmocka_unit_test(an_emulators_cleared_mtrrs_are_no_contradiction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
