/* Marks on samples and the summary of a pass. [clear 4.3] */
#include "kernel/stats/samples.h"

#include <string.h>

#include "kernel/stats/order.h"

/* In 1/256 cycle for one extent. */
static uint64_t per_extent_q8(uint64_t cycles, uint32_t calls)
{
    return (cycles << 8) / calls;
}

uint32_t samples_excluding_marks(void)
{
    return 1u << BENCH_FLAG_SMI | 1u << BENCH_FLAG_FREQUENCY | 1u << BENCH_FLAG_THERMAL |
           1u << BENCH_FLAG_OVERFLOW | 1u << BENCH_FLAG_PREEMPTED | 1u << BENCH_FLAG_FIRST;
}

static int64_t median_of(const uint64_t *values, uint32_t count, int64_t *scratch)
{
    for (uint32_t i = 0; i < count; i++)
        scratch[i] = (int64_t)values[i];
    return order_median(scratch, count);
}

static bool is_off_by_a_percent(uint64_t value, uint64_t reference)
{
    uint64_t gap = value > reference ? value - reference : reference - value;
    return gap > reference / 100;
}

void samples_mark(const struct samples *samples, uint32_t *flags, int64_t *scratch)
{
    uint64_t median = (uint64_t)median_of(samples->cycles, samples->count, scratch);
    uint64_t core_hz = 0;
    if (samples->core_hz != NULL)
        core_hz = (uint64_t)median_of(samples->core_hz, samples->count, scratch);
    for (uint32_t i = 0; i < samples->count; i++) {
        uint32_t marks = 0;
        if (samples->smi_after != NULL && samples->smi_after[i] != samples->smi_before[i])
            marks |= 1u << BENCH_FLAG_SMI;
        if (core_hz != 0 && is_off_by_a_percent(samples->core_hz[i], core_hz))
            marks |= 1u << BENCH_FLAG_FREQUENCY;
        if (samples->has_thermal != NULL && samples->has_thermal[i])
            marks |= 1u << BENCH_FLAG_THERMAL;
        if (samples->is_preempted != NULL && samples->is_preempted[i])
            marks |= 1u << BENCH_FLAG_PREEMPTED;
        if (samples->cycles[i] > INT64_MAX >> 8)
            marks |= 1u << BENCH_FLAG_OVERFLOW;
        if (samples->turn_samples != 0 && i % samples->turn_samples == 0)
            marks |= 1u << BENCH_FLAG_FIRST;
        if ((marks & samples_excluding_marks()) == 0 &&
            samples->cycles[i] / SAMPLES_GAP_FACTOR > median)
            marks |= 1u << BENCH_FLAG_UNEXPLAINED;
        flags[i] = marks;
    }
}

/* Copies the used samples to scratch; all of them when `marks` is 0. */
static uint32_t collect(const struct samples *samples, const uint32_t *flags, uint32_t marks,
                        int64_t *scratch)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < samples->count; i++)
        if ((flags[i] & marks) == 0)
            scratch[count++] = (int64_t)per_extent_q8(samples->cycles[i], samples->calls);
    return count;
}

void samples_summarise(const struct samples *samples, const uint32_t *flags, int64_t *scratch,
                       struct bench_block *out)
{
    memset(out, 0, sizeof *out);
    out->sample_count = samples->count;
    for (uint32_t i = 0; i < samples->count; i++)
        for (uint32_t flag = 0; flag < BENCH_FLAG_COUNT; flag++)
            out->flag_counts[flag] += flags[i] >> flag & 1;
    if (samples->count == 0)
        return;
    uint32_t count = collect(samples, flags, 0, scratch);
    out->all_median_cycles_q8 = (uint64_t)order_median(scratch, count);
    count = collect(samples, flags, samples_excluding_marks(), scratch);
    if (count * 2 < samples->count)
        count = collect(samples, flags, 0, scratch);
    out->used_count = count;
    out->median_cycles_q8 = (uint64_t)order_median(scratch, count);
    out->q1_cycles_q8 = (uint64_t)order_quantile(scratch, count, 250000);
    out->q3_cycles_q8 = (uint64_t)order_quantile(scratch, count, 750000);
    out->p95_cycles_q8 = (uint64_t)order_quantile(scratch, count, 950000);
    out->p99_cycles_q8 = (uint64_t)order_quantile(scratch, count, 990000);
    out->min_cycles_q8 = (uint64_t)order_select(scratch, count, 0);
    out->max_cycles_q8 = (uint64_t)order_select(scratch, count, count - 1);
    if (samples->core_hz != NULL)
        out->core_hz = (uint64_t)median_of(samples->core_hz, samples->count, scratch);
}
