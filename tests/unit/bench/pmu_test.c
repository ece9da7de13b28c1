/* The performance counter drivers against registers that record every access. Register
 * numbers, select bits and the order are those of [intel/vol3 21.2] and [amd/vol2 13.2],
 * the event codes those of the vendors' lists. */
#include "tests/unit/bench/fake_registers.h"

static void test_intel_writes(void **state)
{
    static const char *const names[] = { "ct:stores-retired", "ct:bound-on-stores",
                                         "ct:ocr-demand-rfo-any", "ct:ocr-streaming-wr-any" };
    static const struct access expected[] = {
        { 0x38f, 0x71 },                              /* ours stop, the others go on */
        { 0x390, 0x70000008eull },
        { 0x309, 0 }, { 0x30a, 0 }, { 0x30b, 0 },
        { 0x4c4, 0 }, { 0x189, 0x4282d0 },            /* counters 0 to 3 only */
        { 0x4c8, 0 }, { 0x18d, 0x24240a6 },           /* threshold 2 */
        { 0x4c3, 0 }, { 0x1a6, 0x3f3ffc0002ull }, { 0x188, 0x4201b7 },
        { 0x4c2, 0 }, { 0x1a7, 0x10800 }, { 0x187, 0x4201bb },
        { 0x38d, 0x111 },
        { 0x38f, 0x7000000ffull },                    /* all start here */
    };
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_group groups[PMU_MAX_GROUPS];
    (void)state;
    ice_lake(&machine);
    fake_hold(0x4c4, 77);                             /* left there by someone */
    assert_true(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_string_equal(pmu.text,
                        "Intel architectural version 5: 8 counters of 48 bits, 3 fixed");
    assert_int_equal(pmu_plan(&pmu, names, 4, groups), 1);
    fake.log_count = 0;
    assert_true(pmu_start(&pmu, &groups[0]));
    expect_writes(expected, sizeof expected / sizeof expected[0]);

    uint64_t counts[PMU_MAX_SLOTS], value;
    fake_hold(0x309, 1000);
    fake_hold(0x4c4, 2000);
    fake_hold(0x38e, 1u << 7);                        /* counter 7 wrapped */
    assert_true(pmu_stop(&pmu, &groups[0], counts));
    assert_int_equal(counts[0], 1000);
    assert_int_equal(counts[3], 2000);
    assert_true(counts[4] == UINT64_MAX);
    fake_read(NULL, 0x4c4, &value);
    assert_int_equal(value, 77);
    fake_read(NULL, 0x38f, &value);
    assert_int_equal(value, 0xff);
    static const uint32_t zero_again[] = { 0x38d, 0x187, 0x188, 0x189, 0x18d, 0x1a6, 0x1a7 };
    for (uint32_t i = 0; i < sizeof zero_again / sizeof zero_again[0]; i++) {
        fake_read(NULL, zero_again[i], &value);
        assert_int_equal(value, 0);
    }
    /* The global register is the last one to get its value back. */
    assert_int_equal(fake.log[fake.log_count - 1].address, 0x38f);
}

static void test_amd_v2_writes(void **state)
{
    static const char *const names[] = { "cache-misses", "ct:microcode-uops" };
    static const struct access expected[] = {
        { 0xc0000301, 0 }, { 0xc0000302, 0x3c },
        { 0xc001020b, 0 }, { 0xc0010209, 0 }, { 0xc0010207, 0 }, { 0xc0010205, 0 },
        { 0xc001020a, 0x4200c0 },                     /* instructions */
        { 0xc0010208, 0x420076 },                     /* cycles */
        { 0xc0010206, 0x420964 },
        { 0xc0010204, 0x1004200c2ull },               /* event 0x1c2: bits 35:32 */
        { 0xc0000301, 0x3c },
    };
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_group groups[PMU_MAX_GROUPS];
    (void)state;
    genoa(&machine);
    assert_true(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_string_equal(pmu.text, "AMD PerfMonV2: 6 counters of 48 bits");
    assert_int_equal(pmu_plan(&pmu, names, 2, groups), 1);
    /* Zen 4 has the cycles at the TSC rate too; without that counter: 0x3c. */
    groups[0].count = 0;
    for (uint32_t i = 0; i < 4; i++)
        groups[0].slots[groups[0].count++] = (struct pmu_slot){
            .event = pmu_event_find(&machine.facts, &machine.cpus[0],
                                    i == 0 ? "instructions" : i == 1 ? "cpu-cycles" : names[i - 2]),
            .counter = 5 - i };
    for (uint32_t i = 0; i < 4; i++)
        groups[0].slots[i].event_code = groups[0].slots[i].event->event;
    fake.log_count = 0;
    assert_true(pmu_start(&pmu, &groups[0]));
    expect_writes(expected, sizeof expected / sizeof expected[0]);
    uint64_t counts[PMU_MAX_SLOTS], value;
    assert_true(pmu_stop(&pmu, &groups[0], counts));
    for (uint32_t msr = 0xc0010200; msr < 0xc001020c; msr++) {
        fake_read(NULL, msr, &value);
        assert_int_equal(value, 0);
    }
}

/* A K10 has four counters at the old addresses and no global register. */
static void test_amd_legacy(void **state)
{
    static const char *const names[] = { "cache-misses", "L1-dcache-load-misses",
                                         "dTLB-load-misses" };
    static const struct access expected[] = {
        { 0xc0010007, 0 }, { 0xc0010006, 0 }, { 0xc0010005, 0 }, { 0xc0010004, 0 },
        { 0xc0010003, 0x4200c0 }, { 0xc0010002, 0x420076 }, { 0xc0010001, 0x42077e },
        { 0xc0010000, 0x420141 },
    };
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_group groups[PMU_MAX_GROUPS];
    (void)state;
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0x00100f42, 0, 0, 0);
    fake_begin();
    assert_true(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_int_equal(pmu_plan(&pmu, names, 3, groups), 2); /* the third is another pass */
    fake.log_count = 0;
    assert_true(pmu_start(&pmu, &groups[0]));
    expect_writes(expected, sizeof expected / sizeof expected[0]);
}

static void test_counters_in_use_are_left_alone(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    (void)state;
    ice_lake(&machine);
    fake_hold(0x38d, 0x222);
    assert_false(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_string_equal(pmu.text, "firmware uses the performance counters (MSR 0x38d is 0x222): "
                                  "left alone");
    assert_int_equal(fake.log_count, 0);
    ice_lake(&machine);
    fake_hold(0x18b, 0x43003c);
    assert_false(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_int_equal(fake.log_count, 0);
    genoa(&machine);
    fake_hold(0xc0010204, 0x430076);
    assert_false(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_int_equal(fake.log_count, 0);
}

static void test_no_counters(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    (void)state;
    fake_machine_init(&machine, 1, "GenuineIntel"); /* leaf 0xA reads as zero: QEMU's TCG */
    fake_leaf(&machine, 1, 0, 0x000606a6, 0, 0, 0);
    fake_begin();
    assert_false(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_int_equal(fake.log_count, 0);
    genoa(&machine);
    fake.is_forgetful = true;
    assert_false(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    assert_string_equal(pmu.text, "no performance counters: MSR 0xc0010200 keeps nothing");
}

/* A write that faults half way leaves nothing behind. */
static void test_fault_restores(void **state)
{
    static const char *const names[] = { "ct:ocr-demand-rfo-any" };
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_group groups[PMU_MAX_GROUPS];
    uint64_t value;
    (void)state;
    ice_lake(&machine);
    assert_true(pmu_find(&pmu, &machine.facts, &machine.cpus[0], &registers));
    pmu_plan(&pmu, names, 1, groups);
    fake.faults_at = 0x1a6;
    assert_false(pmu_start(&pmu, &groups[0]));
    fake_read(NULL, 0x38f, &value);
    assert_int_equal(value, 0xff);
}

static void test_names_by_model(void **state)
{
    struct fake_machine machine;
    (void)state;
    ice_lake(&machine);
    assert_string_equal(pmu_event_find(&machine.facts, machine.cpus, "L1-dcache-load-misses")->name,
                        "L1D.REPLACEMENT");
    machine.rows[0][2].eax = 0x000806f8; /* Sapphire Rapids: loads only */
    assert_string_equal(pmu_event_find(&machine.facts, machine.cpus, "L1-dcache-load-misses")->name,
                        "L2_RQSTS.ALL_DEMAND_DATA_RD");
    machine.rows[0][2].eax = 0x000006ff; /* a model that no list has: what is architectural */
    assert_string_equal(pmu_event_find(&machine.facts, machine.cpus, "cache-misses")->name,
                        "LLC_MISSES");
    assert_null(pmu_event_find(&machine.facts, machine.cpus, "ct:stores-retired"));
    fake_machine_init(&machine, 1, "HygonGenuine");
    fake_leaf(&machine, 1, 0, 0x00900f01, 0, 0, 0); /* 18h: not the codes of K7 [clear 3.8.3] */
    const struct pmu_event *event = pmu_event_find(&machine.facts, machine.cpus, "cache-misses");
    assert_int_equal(event->event, 0x64);
    assert_int_equal(event->umask, 0x09);
    event = pmu_event_find(&machine.facts, machine.cpus, "cache-references");
    assert_int_equal(event->event, 0x60);
    assert_int_equal(event->umask, 0xff);
    ice_lake(&machine);
    machine.rows[0][2].eax = 0x000006ff;
    machine.rows[0][3].ebx = 1u << 4;    /* and leaf 0xA says that it is not there */
    assert_null(pmu_event_find(&machine.facts, machine.cpus, "cache-misses"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intel_writes),
        cmocka_unit_test(test_amd_v2_writes),
        cmocka_unit_test(test_amd_legacy),
        cmocka_unit_test(test_counters_in_use_are_left_alone),
        cmocka_unit_test(test_no_counters),
        cmocka_unit_test(test_fault_restores),
        cmocka_unit_test(test_names_by_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
