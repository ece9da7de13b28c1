/* report.json: clocks, offline/online cycles, noise. */
#include "kernel/report/json_measured.h"

static void put_tsc(struct json *json, const struct measured_results *measured)
{
    const struct measured_tsc *tsc = measured->tsc;

    json_open_object(json, "tsc");
    json_bool(json, "is_invariant", tsc->is_invariant);
    json_text(json, "second_clock", tsc->second_clock);
    if (tsc->has_rate) {
        json_u64(json, "rate_hz", tsc->rate_hz);
        json_u64(json, "rate_window_us", tsc->rate_window_us);
        json_i64(json, "rate_deviation_ppm", tsc->rate_deviation_ppm);
    }
    json_u64(json, "warp_reads_per_cpu", tsc->warp_reads);
    json_open_array(json, "cpus");
    for (uint32_t i = 0; i < tsc->cpu_count; i++) {
        const struct measured_tsc_cpu *cpu = &tsc->cpus[i];

        json_open_object(json, NULL);
        json_measured_cpu(json, "cpu", measured, cpu->slot);
        if (cpu->has_offset) {
            json_i64(json, "offset_cycles", cpu->offset_cycles);
            json_u64(json, "offset_bound_cycles", cpu->offset_bound_cycles);
        }
        json_u64(json, "warp_count", cpu->warp_count);
        json_u64(json, "max_warp_cycles", cpu->max_warp_cycles);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_duration(struct json *json, const char *key,
                         const struct measured_duration *duration)
{
    json_open_object(json, key);
    json_u64(json, "count", duration->count);
    if (duration->count) {
        json_u64(json, "min_ns", duration->min_ns);
        json_u64(json, "max_ns", duration->max_ns);
        json_u64(json, "average_ns", duration->average_ns);
        json_u64(json, "standard_deviation_ns", duration->deviation_ns);
    }
    json_end(json);
}

static void put_cycles(struct json *json, const struct measured_results *measured)
{
    static const char *const names[] = {[CYCLE_HALF] = "half", [CYCLE_ALL_BUT_BOOT] = "all"};
    const struct measured_cycles *cycles = measured->cycles;

    json_open_object(json, "cycles");
    for (uint32_t i = 0; i < CYCLE_SETS; i++) {
        const struct measured_cycle_set *set = &cycles->sets[i];

        json_open_object(json, names[i]);
        json_u64(json, "cpu_count", set->cpu_count);
        json_u64(json, "cycles_asked", set->cycles_asked);
        json_u64(json, "cycles_done", set->cycles_done);
        json_u64(json, "cycles_incomplete", set->cycles_incomplete);
        put_duration(json, "whole", &set->whole);
        json_end(json);
    }
    json_open_array(json, "cpus");
    for (uint32_t i = 0; i < cycles->cpu_count; i++) {
        const struct measured_cycle_cpu *cpu = &cycles->cpus[i];

        if (!cpu->attempts)
            continue;
        json_open_object(json, NULL);
        json_measured_cpu(json, "cpu", measured, cpu->slot);
        json_u64(json, "attempts", cpu->attempts);
        json_u64(json, "failures", cpu->failures);
        if (cpu->failures)
            json_u64(json, "first_failed_cycle", cpu->first_failed_cycle);
        put_duration(json, "start", &cpu->start);
        json_u64(json, "median_ns", cpu->median_ns);
        json_u64(json, "p95_ns", cpu->p95_ns);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_noise_cpu(struct json *json, const struct measured_results *measured,
                          const struct measured_noise_cpu *cpu)
{
    static const char *const coincidences[] = {
        [SMI_NO_COUNTER] = "no-smi-counter", [SMI_NOT_COUNTED] = "no-smi", [SMI_COUNTED] = "smi",
    };

    json_open_object(json, NULL);
    json_measured_cpu(json, "cpu", measured, cpu->slot);
    json_u64(json, "observed_ns", cpu->observed_ns);
    json_u64(json, "gaps", cpu->gap_count);
    json_open_array(json, "bin_counts");
    for (uint32_t bin = 0; bin < NOISE_BINS; bin++)
        json_u64(json, NULL, cpu->bin_counts[bin]);
    json_end(json);
    json_u64(json, "longest_gap_ns", cpu->longest_gap_ns);
    json_u64(json, "longest_gap_at_ns", cpu->longest_gap_at_ns);
    json_text(json, "longest_gap_cause", cpu->gap_count ? coincidences[cpu->longest_gap_smi] :
                                                            NULL);
    json_u64(json, "shortest_step_ns_x16", cpu->shortest_step_ns_x16);
    if (cpu->has_smi_count)
        json_u64(json, "smi_count", cpu->smi_count);
    json_end(json);
}

static void put_noise(struct json *json, const struct measured_results *measured)
{
    json_open_object(json, "noise");
    json_open_array(json, "bin_start_ns");
    for (uint32_t bin = 0; bin < NOISE_BINS; bin++)
        json_u64(json, NULL, measured->noise->bin_start_ns[bin]);
    json_end(json);
    json_open_array(json, "cpus");
    for (uint32_t i = 0; i < measured->noise->cpu_count; i++)
        put_noise_cpu(json, measured, &measured->noise->cpus[i]);
    json_end(json);
    json_end(json);
}

void json_measured_times(struct json *json, const struct measured_results *measured)
{
    if (measured->tsc)
        put_tsc(json, measured);
    if (measured->cycles)
        put_cycles(json, measured);
    if (measured->noise)
        put_noise(json, measured);
}
