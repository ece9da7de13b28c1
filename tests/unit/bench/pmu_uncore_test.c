/* Counters that CPUs share, against registers that record every access. The codes are those of
 * the vendors' lists, the leaves those of recorded machines. */
#include "tests/unit/bench/fake_registers.h"

#include "kernel/bench/pmu_uncore.h"

static void rome(struct fake_machine *machine)
{
    fake_machine_init(machine, 1, "AuthenticAMD");
    fake_leaf(machine, 1, 0, 0x00830f10, 0, 0, 0);
    fake_leaf(machine, 0x80000001, 0, 0, 0, 0x75c237ff, 0);
    fake_begin();
}

static void find_uncores(struct fake_machine *machine, struct pmu *pmu, struct pmu_uncores *found)
{
    assert_true(pmu_find(pmu, &machine->facts, &machine->cpus[0], &registers));
    fake.log_count = 0;
    pmu_uncore_find(pmu, found);
    /* Whatever was tried, it was put back. */
    for (uint32_t i = 0; i < fake.log_count; i += 2)
        assert_true(fake.log[i].address == fake.log[i + 1].address && fake.log[i + 1].value == 0);
    fake.log_count = 0;
}

static void expect_all_restored(uint32_t first, uint32_t count, uint64_t held)
{
    uint64_t value;
    for (uint32_t msr = first; msr < first + count; msr++) {
        fake_read(NULL, msr, &value);
        assert_true(value == held);
    }
}

/* Reads and writes of each of eight controllers, four register pairs apart. */
static void test_amd_memory_controllers(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    uint64_t rows[PMU_UNCORE_ROWS] = { 0 };
    (void)state;
    genoa(&machine);
    for (uint32_t i = 0; i < 32; i++)
        fake_hold(0xc0010801 + 2 * i, 5);                 /* counted before by nobody we know */
    find_uncores(&machine, &pmu, &found);
    assert_int_equal(found.count, 2);
    assert_true(found.has_memory);
    assert_string_equal(found.text,
                        "AMD UMC: 8 controllers of 4 counters, of this CPU's package");
    struct pmu_uncore *umc = &found.units[0];
    assert_string_equal(umc->rows[0]->name, "umc_cas_cmd.rd");
    assert_true(pmu_uncore_start(&pmu, umc, 0));
    assert_int_equal(fake.log_count, 16 * 3);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t select = 0xc0010800 + 2 * (i / 2 * 4 + i % 2);
        uint64_t event = i % 2 == 0 ? 0x10a : 0x20a;
        assert_int_equal(fake.log[2 * i].address, select);
        assert_true(fake.log[2 * i].value == event);
        assert_int_equal(fake.log[2 * i + 1].address, select + 1);
        assert_true(fake.log[2 * i + 1].value == 0);
        assert_int_equal(fake.log[32 + i].address, select);
        assert_true(fake.log[32 + i].value == (event | 1u << 31));
    }
    for (uint32_t i = 0; i < 8; i++) {
        fake_hold(0xc0010801 + 8 * i, 1000 + i);
        fake_hold(0xc0010803 + 8 * i, 1 + i);
    }
    assert_true(pmu_uncore_stop(&pmu, umc, 0, rows));
    assert_int_equal(rows[0], 8028);
    assert_int_equal(rows[1], 36);
    for (uint32_t i = 0; i < 32; i++) {
        expect_all_restored(0xc0010800 + 2 * i, 1, 0);
        expect_all_restored(0xc0010801 + 2 * i, 1, 5);
    }
}

/* Zen 4's select: all slices, all cores, both threads; the counters of this cache. */
static void test_amd_l3(void **state)
{
    static const struct access expected[] = {
        { 0xc0010230, 0x0300c00000000104 }, { 0xc0010231, 0 },
        { 0xc0010232, 0x0300c0000000ff04 }, { 0xc0010233, 0 },
        { 0xc0010230, 0x0300c00000400104 }, { 0xc0010232, 0x0300c0000040ff04 },
    };
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    (void)state;
    genoa(&machine);
    find_uncores(&machine, &pmu, &found);
    assert_true(pmu_uncore_start(&pmu, &found.units[1], 0));
    expect_writes(expected, 6);
    rome(&machine);                                       /* Zen 2: masks of slices and threads */
    find_uncores(&machine, &pmu, &found);
    assert_true(pmu_uncore_start(&pmu, &found.units[1], 0));
    assert_true(fake.log[0].value == 0xff0f000000000104);
}

/* Rome has no counters of its controllers; its fabric counts the data of eight channels, four
 * at a time. */
static void test_amd_data_fabric(void **state)
{
    static const struct access selected[2][4] = {
        { { 0xc0010240, 0x403807 }, { 0xc0010242, 0x403847 }, { 0xc0010244, 0x403887 },
          { 0xc0010246, 0x4038c7 } },
        { { 0xc0010240, 0x100403807 }, { 0xc0010242, 0x100403847 }, { 0xc0010244, 0x100403887 },
          { 0xc0010246, 0x1004038c7 } },
    };
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    uint64_t rows[PMU_UNCORE_ROWS] = { 0 };
    (void)state;
    rome(&machine);
    find_uncores(&machine, &pmu, &found);
    assert_true(found.has_memory);
    struct pmu_uncore *fabric = &found.units[0];
    assert_int_equal(fabric->passes, 2);
    for (uint32_t pass = 0; pass < 2; pass++) {
        fake.log_count = 0;
        assert_true(pmu_uncore_start(&pmu, fabric, pass));
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(fake.log[8 + i].address, selected[pass][i].address);
            assert_true(fake.log[8 + i].value == selected[pass][i].value);
            fake_hold(0xc0010241 + 2 * i, (pass + 1) * 100 + i);
        }
        assert_true(pmu_uncore_stop(&pmu, fabric, pass, rows));
    }
    assert_int_equal(rows[0], 406 + 806);
    expect_all_restored(0xc0010240, 8, 0);
}

static void test_shared_counters_in_use_are_left_alone(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    (void)state;
    genoa(&machine);
    fake_hold(0xc001083e, 0x8000020a);                    /* the last one of them */
    find_uncores(&machine, &pmu, &found);
    assert_false(found.has_memory);
    assert_int_equal(found.count, 1);                     /* the L3's are free */
    assert_string_equal(found.text,
                        "firmware uses the UMC's counters (MSR 0xc001083e is 0x8000020a)");
    genoa(&machine);
    fake_hold(0xc001023a, 0x400104);
    find_uncores(&machine, &pmu, &found);
    assert_true(found.has_memory);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.text, "AMD UMC: 8 controllers of 4 counters, of this CPU's package; "
                                    "firmware uses the L3's counters (MSR 0xc001023a is 0x400104)");
}

static void test_shared_counters_that_are_not_there(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    uint64_t rows[PMU_UNCORE_ROWS];
    (void)state;
    genoa(&machine);
    fake.faults_at = 0xc0010800;                          /* KVM has none */
    find_uncores(&machine, &pmu, &found);
    assert_false(found.has_memory);
    assert_string_equal(found.text,
                        "CPUID and the event lists name none, or its registers keep nothing");
    genoa(&machine);
    find_uncores(&machine, &pmu, &found);
    fake.faults_at = 0xc0010820;                          /* half way */
    assert_false(pmu_uncore_start(&pmu, &found.units[0], 0));
    expect_all_restored(0xc0010800, 64, 0);
    fake.faults_at = UINT32_MAX;
    memset(rows, 0, sizeof rows);
    assert_true(pmu_uncore_start(&pmu, &found.units[0], 0));
    fake.faults_at = 0xc0010801;
    assert_false(pmu_uncore_stop(&pmu, &found.units[0], 0, rows));
    genoa(&machine);
    machine.rows[0][machine.cpus[0].row_count - 1].ecx = 0;   /* no controller is named */
    find_uncores(&machine, &pmu, &found);
    assert_false(found.has_memory);
}

/* Tiger Lake H and later: two controllers, reads at 0xd858 and writes at 0xd8a0. */
static void test_intel_client_memory(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    uint64_t rows[PMU_UNCORE_ROWS] = { 0 };
    (void)state;
    ice_lake(&machine);
    machine.rows[0][2].eax = 0x000b0671;                  /* Raptor Lake */
    fake.mchbar = 0xfedc0001;
    find_uncores(&machine, &pmu, &found);
    assert_true(found.has_memory);
    assert_true(fake.mapped == 0xfedc0000);
    memset(device, 0, sizeof device);
    device[0xd858 / 4] = 0xfffffff0;                      /* wraps in the pass */
    device[0x1d8a0 / 4] = 7;
    assert_true(pmu_uncore_start(&pmu, &found.units[0], 0));
    device[0xd858 / 4] = 0x10;
    device[0xd8a0 / 4] = 100;
    device[0x1d858 / 4] = 3;
    device[0x1d8a0 / 4] = 10;
    assert_true(pmu_uncore_stop(&pmu, &found.units[0], 0, rows));
    assert_int_equal(rows[0], 0x20 + 3);
    assert_int_equal(rows[1], 103);
    assert_int_equal(fake.log_count, 0);                  /* nothing is written */

    machine.rows[0][2].eax = 0x000506e3;                  /* Skylake: one, side by side */
    find_uncores(&machine, &pmu, &found);
    device[0x5050 / 4] = device[0x5054 / 4] = 1;
    assert_true(pmu_uncore_start(&pmu, &found.units[0], 0));
    device[0x5050 / 4] = 5;
    device[0x5054 / 4] = 2;
    rows[0] = rows[1] = 0;
    assert_true(pmu_uncore_stop(&pmu, &found.units[0], 0, rows));
    assert_int_equal(rows[0], 4);
    assert_int_equal(rows[1], 1);
}

static void test_intel_memory_that_cannot_be_read(void **state)
{
    struct fake_machine machine;
    struct pmu pmu;
    struct pmu_uncores found;
    (void)state;
    ice_lake(&machine);                                   /* a server: PCI and MMIO boxes */
    fake.mchbar = 0xfed10001;
    find_uncores(&machine, &pmu, &found);
    assert_string_equal(found.text,
                        "those of this model are in PCI space or MMIO and have to be programmed");
    assert_int_equal(found.count, 0);
    machine.rows[0][2].eax = 0x000506e3;
    fake.mchbar = 0xfed10000;
    find_uncores(&machine, &pmu, &found);
    assert_string_equal(found.text, "MCHBAR (PCI 00:00.0 register 0x48) is off");
    fake.mchbar = 0xfed10001;
    machine.rows[0][2].ecx |= 1u << 31;
    find_uncores(&machine, &pmu, &found);
    assert_string_equal(found.text, "a virtual machine has no memory controller");
    assert_false(found.has_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amd_memory_controllers),
        cmocka_unit_test(test_amd_l3),
        cmocka_unit_test(test_amd_data_fabric),
        cmocka_unit_test(test_shared_counters_in_use_are_left_alone),
        cmocka_unit_test(test_shared_counters_that_are_not_there),
        cmocka_unit_test(test_intel_client_memory),
        cmocka_unit_test(test_intel_memory_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
