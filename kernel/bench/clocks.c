/* SMI count, core clock and thermal state around samples. [clear 3.4] */
#include "kernel/bench/clocks.h"

#include "kernel/cpu/msr.h"
#include "kernel/lib/bits.h"
#include "kernel/stats/fixed_log.h"

enum {
    MSR_SMI_COUNT = 0x34,
    MSR_MPERF = 0xe7,
    MSR_APERF = 0xe8,
    MSR_THERM_STATUS = 0x19c,
    /* [intel/vol4]: status, critical status and power limit status, as they are now */
    THERM_STATUS_BITS = 1 << 0 | 1 << 4 | 1 << 10,
};

struct reading {
    uint64_t smi, aperf, mperf, thermal;
};

void clocks_find(struct clocks *clocks, const struct machine_facts *facts,
                 const struct cpu_facts *cpu, uint64_t tsc_hz)
{
    struct cpuid_regs basic, power = { 0 };
    uint64_t value;
    *clocks = (struct clocks){ .tsc_hz = tsc_hz };
    facts_cpuid(facts, cpu, 1, 0, &basic);
    if (bits_test(basic.ecx, 31))
        return;
    if (facts_max_basic_leaf(facts, cpu) >= 6)
        facts_cpuid(facts, cpu, 6, 0, &power);
    clocks->has_smi_count = msr_read(MSR_SMI_COUNT, &value);
    clocks->has_core_clock = tsc_hz != 0 && bits_test(power.ecx, 0) &&
                             msr_read(MSR_APERF, &value) && msr_read(MSR_MPERF, &value);
    clocks->has_thermal = bits_test(power.eax, 0) && msr_read(MSR_THERM_STATUS, &value);
}

static struct reading read_now(const struct clocks *clocks)
{
    struct reading now = { 0 };
    if (clocks->has_smi_count)
        msr_read(MSR_SMI_COUNT, &now.smi);
    if (clocks->has_thermal)
        msr_read(MSR_THERM_STATUS, &now.thermal);
    if (clocks->has_core_clock) {
        msr_read(MSR_APERF, &now.aperf);
        msr_read(MSR_MPERF, &now.mperf);
    }
    return now;
}

void clocks_time_pass(const struct clocks *clocks, const struct timed_pass *pass,
                      struct engine_marks *marks)
{
    marks->has_smi = clocks->has_smi_count;
    marks->has_core_hz = clocks->has_core_clock;
    marks->has_thermal_log = clocks->has_thermal;
    marks->has_preempted = false;
    if (!clocks->has_smi_count && !clocks->has_core_clock && !clocks->has_thermal) {
        timed_pass(pass);
        return;
    }
    struct timed_pass one = *pass;
    one.sample_count = 1;
    for (uint32_t i = 0; i < pass->sample_count; i++) {
        one.order = pass->order + i;
        one.samples = pass->samples + i;
        struct reading before = read_now(clocks);
        timed_pass(&one);
        struct reading after = read_now(clocks);
        marks->smi_before[i] = before.smi;
        marks->smi_after[i] = after.smi;
        marks->has_thermal[i] = (after.thermal & THERM_STATUS_BITS) != 0;
        marks->core_hz[i] = after.mperf == before.mperf
            ? 0
            : fixed_log_scale(clocks->tsc_hz, after.aperf - before.aperf,
                              after.mperf - before.mperf);
    }
}
