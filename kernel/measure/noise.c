/* Reads the TSC as fast as it can and keeps the steps that were too long: what took
 * the CPU away when nothing of ours did. An SMI is told by its counter, not by size. */
#include "kernel/cpu/msr.h"
#include "kernel/measure/measuring.h"
#include "kernel/stats/measured_summary.h"

enum {
    SCAN_US = 300000, VIRTUAL_SCAN_US = 20000, BOUND_SCANS = 20,
    FIRST_BIN_NS = 250, BIN_STEP = 4,
    MSR_SMI_COUNT = 0x34,        /* Intel, since Nehalem [intel/vol4 2.2] */
    ASK_SMI_NS = 16000,          /* shorter gaps are no SMI: entering alone takes as long */
};

struct scan {
    struct measured_noise_cpu *by_fact; /* each CPU writes its own */
    uint64_t bin_start_cycles[NOISE_BINS];
    uint64_t ask_cycles, limit_cycles;
    bool has_smi_counter;
};

/* Longer than a cache line, and the histogram of one CPU is nobody else's. */
struct tally {
    uint32_t bins[NOISE_BINS];
    uint64_t gaps, longest_cycles, longest_at_cycles, shortest_cycles;
    bool is_longest_smi;
    uint64_t smi_first, smi_last;
};

static void count_gap(const struct scan *scan, struct tally *tally, uint64_t step, uint64_t at)
{
    uint32_t bin = NOISE_BINS - 1;
    bool is_smi = false;

    while (step < scan->bin_start_cycles[bin])
        bin--;
    tally->bins[bin]++;
    tally->gaps++;
    if (scan->has_smi_counter && step >= scan->ask_cycles) {
        uint64_t smi = 0;

        msr_read(MSR_SMI_COUNT, &smi);
        is_smi = (uint32_t)smi != (uint32_t)tally->smi_last;
        tally->smi_last = smi;
    }
    if (step > tally->longest_cycles) {
        tally->longest_cycles = step;
        tally->longest_at_cycles = at;
        tally->is_longest_smi = is_smi;
    }
}

static void scan_steps(const struct scan *scan, struct tally *tally, uint64_t *observed_cycles)
{
    uint64_t start = tsc_read(), last = start, now;

    do {
        now = tsc_read();
        uint64_t step = now - last;

        if (step < tally->shortest_cycles)
            tally->shortest_cycles = step;
        if (step >= scan->bin_start_cycles[0]) {
            count_gap(scan, tally, step, now - start);
            now = tsc_read(); /* our own counting is no gap */
        }
        last = now;
    } while (now - start < scan->limit_cycles);
    *observed_cycles = now - start;
}

static void scan_cpu(uint32_t cpu, void *context)
{
    const struct scan *scan = context;
    struct measured_noise_cpu *noise = &scan->by_fact[cpu];
    struct tally tally = {.shortest_cycles = UINT64_MAX};
    uint64_t hz = tsc_hz(), observed;

    if (scan->has_smi_counter)
        msr_read(MSR_SMI_COUNT, &tally.smi_first);
    tally.smi_last = tally.smi_first;
    scan_steps(scan, &tally, &observed);
    if (scan->has_smi_counter)
        msr_read(MSR_SMI_COUNT, &tally.smi_last);
    for (uint32_t bin = 0; bin < NOISE_BINS; bin++)
        noise->bin_counts[bin] = tally.bins[bin];
    noise->gap_count = tally.gaps;
    noise->longest_gap_ns = cycles_to_ns(tally.longest_cycles, hz);
    noise->longest_gap_at_ns = cycles_to_ns(tally.longest_at_cycles, hz);
    noise->observed_ns = cycles_to_ns(observed, hz);
    noise->shortest_step_ns_x16 = cycles_to_ns(tally.shortest_cycles * 16, hz);
    noise->has_smi_count = scan->has_smi_counter;
    noise->smi_count = (uint32_t)(tally.smi_last - tally.smi_first);
    noise->longest_gap_smi = !scan->has_smi_counter ? SMI_NO_COUNTER :
                             tally.is_longest_smi ? SMI_COUNTED : SMI_NOT_COUNTED;
}

/* The recorded list knows: a CPU without the counter faulted when it was captured. */
static bool has_smi_counter(const struct machine_facts *facts)
{
    const struct msr_row *row = facts_msr(&facts->cpus[0], MSR_SMI_COUNT);

    return row && !row->has_faulted;
}

bool measure_noise(struct measuring *measuring)
{
    struct measured_results *results = measuring->results;
    struct measured_noise *noise = ARENA_NEW(measuring->arena, struct measured_noise, 1);
    struct cpumask all;
    struct scan scan = {.limit_cycles = measuring_limit(measuring, SCAN_US, VIRTUAL_SCAN_US),
                        .ask_cycles = tsc_cycles_of_us(ASK_SMI_NS / 1000),
                        .has_smi_counter = has_smi_counter(measuring->job->facts)};

    scan.by_fact = ARENA_NEW(measuring->arena, struct measured_noise_cpu,
                             measuring->job->facts->cpu_count);
    if (!noise || !scan.by_fact ||
        !cpumask_init(&all, measuring->job->facts->cpu_count, measuring->arena))
        return false;
    noise->cpus = ARENA_NEW(measuring->arena, struct measured_noise_cpu, results->cpu_count);
    if (!noise->cpus)
        return false;
    if (!measuring_has_time(measuring))
        return true;
    for (uint64_t bin = 0, ns = FIRST_BIN_NS; bin < NOISE_BINS; bin++, ns *= BIN_STEP) {
        noise->bin_start_ns[bin] = ns;
        scan.bin_start_cycles[bin] = tsc_cycles_of_us(ns) / 1000;
    }
    for (uint32_t slot = 0; slot < results->cpu_count; slot++)
        cpumask_set(&all, measuring_fact(measuring, slot));
    cpumask_and(&all, smp_running());
    /* Where one processor plays all CPUs they scan one after the other. */
    if (!smp_run_on(&all, scan_cpu, &scan,
                    (results->cpu_count + BOUND_SCANS) * scan.limit_cycles + tsc_hz(), NULL))
        results->is_budget_spent = true;
    for (uint32_t slot = 0; slot < results->cpu_count; slot++) {
        struct measured_noise_cpu *cpu = &noise->cpus[noise->cpu_count];

        *cpu = scan.by_fact[measuring_fact(measuring, slot)];
        cpu->slot = slot;
        noise->cpu_count += cpu->observed_ns != 0;
    }
    results->noise = noise;
    return true;
}
