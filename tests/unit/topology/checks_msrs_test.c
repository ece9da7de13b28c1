/* Checks of what CPUs should have alike: registers, memory types, features, clocks. */
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

/* The values of tests/cases/msr-microcode-differs and msr-pmu-in-use are checked
 * with the cases; here stand the rest. */
static void microcode_is_compared_in_the_half_that_is_used(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00800F11);
    bench_msr_all(&b, 0x8B, 0x08001137);
    bench_expect_none(&b, "msr-microcode-differs");
    bench_init_amd(&b, 0x00800F11);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0x8B, cpu == 2 ? 0x08001129 : 0x08001137);
    bench_expect(&b, "msr-microcode-differs", "2", 0);
}

static void a_tsc_that_firmware_moved(void **state)
{
    (void)state;
    bench_init(&b);
    bench_msr_all(&b, 0x3B, 0);
    bench_expect_none(&b, "msr-tsc-adjust");
    bench_init(&b);
    bench_msr_all(&b, 0x3B, 0xFFFFFFFFFFFF0000);
    bench_expect(&b, "msr-tsc-adjust", "", 0);
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0x3B, cpu == 1 ? 0x1234 : 0);
    bench_expect(&b, "msr-tsc-adjust", "1", 0);
}

static void two_boot_cpus(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        bench_init(&b);
        for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
            bench_msr(&b, cpu, 0x1B, 0xFEE00800 | (cpu <= (uint32_t)round ? 0x100 : 0));
        if (round == 1)
            bench_expect(&b, "msr-bsp-bit", "1", 0);
        else if (round == 0)
            bench_expect_none(&b, "msr-bsp-bit");
        else
            bench_expect(&b, "msr-bsp-bit", "2", 0);
    }
}

/* The BSP bit differs by design; the mode bits must not. */
static void apics_in_different_modes(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0x1B, cpu ? 0xFEE00800 : 0xFEE00900);
    bench_expect_none(&b, "msr-apic-base-differs");
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0x1B, cpu == 3 ? 0xFEE00C00 : 0xFEE00800);
    bench_expect(&b, "msr-apic-base-differs", "3", 0);
}

static void a_register_that_differs_is_named(void **state)
{
    static const struct { uint32_t msr; const char *id; } registers[] = {
        {0x3A, "msr-feature-control-differs"},      {0x1A0, "msr-misc-enable-differs"},
        {0x277, "msr-pat-differs"},                 {0x1A4, "msr-prefetch-differs"},
        {0x1B0, "msr-energy-bias-differs"},         {0x10A, "msr-arch-capabilities-differ"},
        {0xC0010010, "msr-syscfg-differs"},         {0xC0010015, "msr-hwcr-differs"},
        {0xC001001A, "msr-top-of-memory-differs"},  {0xC001001D, "msr-top-of-memory2-differs"},
        {0xC0011029, "msr-decode-config-differs"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
        bench_init(&b);
        bench_msr_all(&b, registers[i].msr, 6);
        bench_expect_none(&b, registers[i].id);
        bench_init(&b);
        for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
            bench_msr(&b, cpu, registers[i].msr, cpu == 2 ? 5 : 6);
        bench_expect(&b, registers[i].id, "2", 0);
    }
}

static void cores_of_different_kind_may_differ(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        synthetic_vendor(&b.s, cpu, "GenuineIntel", 0x1A);
        synthetic_row(&b.s, cpu, 0x1A, 0, cpu < 2 ? 0x40000001 : 0x20000001, 0, 0, 0);
        bench_msr(&b, cpu, 0x1A4, cpu < 2 ? 0 : 1);
    }
    bench_expect_none(&b, "msr-prefetch-differs");
}

static void mtrr_pair(uint32_t cpu, uint32_t slot, uint64_t base, uint64_t mask)
{
    bench_msr(&b, cpu, 0x200 + 2 * slot, base);
    bench_msr(&b, cpu, 0x201 + 2 * slot, mask | 1 << 11);
}

/* Write-back by default, UC above 2 GiB: in whichever pair, and in one piece or in
 * two halves, the effect is one. */
static void mtrrs_are_compared_by_effect(void **state)
{
    const uint64_t size_2g = 0xFFFFFFFF80000000u & 0xFFFFFFFFFu;
    const uint64_t size_1g = 0xFFFFFFFFC0000000u & 0xFFFFFFFFFu;

    (void)state;
    bench_init(&b);
    bench_msr_all(&b, 0x2FF, 0x806);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        if (cpu == 3) {
            mtrr_pair(cpu, 0, 0xC0000000, size_1g);
            mtrr_pair(cpu, 4, 0x80000000, size_1g);
        } else {
            mtrr_pair(cpu, cpu, 0x80000000, size_2g);
        }
    }
    bench_expect_none(&b, "msr-mtrr-differs");
    bench_init(&b);
    bench_msr_all(&b, 0x2FF, 0x806);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        mtrr_pair(cpu, 0, 0x80000000, cpu == 3 ? size_1g : size_2g);
    bench_expect(&b, "msr-mtrr-differs", "3", 0);
}

static void mtrrs_off_on_one_cpu(void **state)
{
    (void)state;
    bench_init(&b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0x2FF, cpu == 1 ? 0x6 : 0x806);
    bench_expect(&b, "msr-mtrr-differs", "1", 0);
}

static void features_differ_but_for_those_that_follow_cr4(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 2, 1, 0, 0x50654, 2 << 24 | 4 << 16, 1 << 21 | 1 << 27, 1 << 9 | 1 << 28);
    bench_expect_none(&b, "cpuid-features-differ");
    bench_init(&b);
    synthetic_row(&b.s, 2, 1, 0, 0x50654, 2 << 24 | 4 << 16, 1 << 21 | 1 << 28, 1 << 9 | 1 << 28);
    bench_expect(&b, "cpuid-features-differ", "2", 0);
}

static void steppings_differ(void **state)
{
    (void)state;
    bench_init(&b);
    synthetic_row(&b.s, 1, 1, 0, 0x50657, 1 << 24 | 4 << 16, 1 << 21, 1 << 9 | 1 << 28);
    bench_expect(&b, "cpuid-version-differs", "1", 0);
}

static void a_tsc_that_does_not_count_p0(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00800F11);
    bench_msr_all(&b, 0xC0010015, 1 << 24);
    bench_expect_none(&b, "tsc-not-p0");
    bench_init_amd(&b, 0x00800F11);
    bench_msr_all(&b, 0xC0010015, 0);
    bench_expect(&b, "tsc-not-p0", "0-3", ALL_PROFILES);
}

/* tests/cases/cpuid-tsc-frequency: leaf 0x16 says 2300 MHz, the TSC runs at 2304. */
static void a_measured_tsc_more_than_one_percent_off(void **state)
{
    static const struct { uint64_t measured_hz; bool is_apart; } rounds[] = {
        {2304000000u, false}, {2322000000u, false}, {2324000000u, true}, {4400000000u, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
        bench_init(&b);
        synthetic_vendor(&b.s, 0, "GenuineIntel", 0x16);
        synthetic_row(&b.s, 0, 0x15, 0, 2, 120, 0, 0);
        synthetic_row(&b.s, 0, 0x16, 0, 2300, 4400, 100, 0);
        b.s.facts.has_tsc_hz = true;
        b.s.facts.tsc_hz = rounds[i].measured_hz;
        if (rounds[i].is_apart)
            bench_expect(&b, "tsc-frequency-deviates", "", 0);
        else
            bench_expect_none(&b, "tsc-frequency-deviates");
    }
}

/* 1 % of 2304 MHz are 23.04 MHz; what the clocks' own readings took comes on top. */
static void two_clocks_that_disagree_about_the_tsc(void **state)
{
    static const struct { struct tsc_rate timer, pit; bool is_apart; } rounds[] = {
        {{2304000000u, 12}, {2304100000u, 40}, false},
        {{2280000000u, 12}, {2304000000u, 40}, true},
        {{2328000000u, 12}, {2304000000u, 40}, true},
        {{2280000000u, 12}, {2304000000u, 1000}, false}, /* 24 MHz of 25.3 allowed */
        {{6912000000u, 0}, {2304000000u, 0}, true},
        {{6912000000u, 0}, {0, 0}, false},                /* the other one did not run */
        {{0, 0}, {2304000000u, 0}, false},
        {{UINT64_MAX, UINT32_MAX}, {1, UINT32_MAX}, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
        bench_init(&b);
        b.s.facts.tsc_rates[TSC_CLOCK_PM_TIMER] = rounds[i].timer;
        b.s.facts.tsc_rates[TSC_CLOCK_PIT] = rounds[i].pit;
        if (rounds[i].is_apart)
            bench_expect(&b, "tsc-clocks-disagree", "", 0);
        else
            bench_expect_none(&b, "tsc-clocks-disagree");
    }
}

static void amd_counters_in_use(void **state)
{
    (void)state;
    bench_init_amd(&b, 0x00800F11);
    bench_msr_all(&b, 0xC0010200, 0);
    bench_expect_none(&b, "msr-pmu-in-use");
    bench_init_amd(&b, 0x00800F11);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++)
        bench_msr(&b, cpu, 0xC0010202, cpu == 1 ? 0x430076 : 0);
    bench_expect(&b, "msr-pmu-in-use", "1", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(microcode_is_compared_in_the_half_that_is_used),
        cmocka_unit_test(a_tsc_that_firmware_moved),
        cmocka_unit_test(two_boot_cpus),
        cmocka_unit_test(apics_in_different_modes),
        cmocka_unit_test(a_register_that_differs_is_named),
        cmocka_unit_test(cores_of_different_kind_may_differ),
        cmocka_unit_test(mtrrs_are_compared_by_effect),
        cmocka_unit_test(mtrrs_off_on_one_cpu),
        cmocka_unit_test(features_differ_but_for_those_that_follow_cr4),
        cmocka_unit_test(steppings_differ),
        cmocka_unit_test(a_tsc_that_does_not_count_p0),
        cmocka_unit_test(a_measured_tsc_more_than_one_percent_off),
        cmocka_unit_test(two_clocks_that_disagree_about_the_tsc),
        cmocka_unit_test(amd_counters_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
