/* The gap scan before and after the measurement: steps of the TSC of 10 us and more.
 * [clear 3.4.8] */
#include "kernel/bench/gaps.h"

#include "kernel/cpu/msr.h"
#include "kernel/cpu/tsc.h"

enum { LIMIT_US = 10, MSR_SMI_COUNT = 0x34 };

void gaps_scan(struct bench_gaps *gaps, uint64_t observe_us, bool has_smi_count)
{
    uint64_t limit = tsc_cycles_of_us(LIMIT_US), length = tsc_cycles_of_us(observe_us);
    uint64_t smi_before = 0, smi_after = 0, longest = 0, sum = 0, per_us = tsc_hz() / 1000000;
    *gaps = (struct bench_gaps){ .limit_us = LIMIT_US };
    if (per_us == 0)
        return;
    gaps->has_smi_count = has_smi_count && msr_read(MSR_SMI_COUNT, &smi_before);
    uint64_t start = tsc_read(), last = start, now;
    do {
        now = tsc_read();
        uint64_t step = now - last;
        if (step >= limit) {
            gaps->count++;
            sum += step;
            longest = step > longest ? step : longest;
        }
        last = now;
    } while (now - start < length);
    if (gaps->has_smi_count)
        msr_read(MSR_SMI_COUNT, &smi_after);
    gaps->observed_us = (now - start) / per_us;
    gaps->longest_us = longest / per_us;
    gaps->sum_us = sum / per_us;
    gaps->smi_count = (uint32_t)(smi_after - smi_before);
}
