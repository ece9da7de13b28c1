/* Findings from the measurements that are not about groups. */
#include "kernel/stats/measured_summary.h"
#include "kernel/topology/findings.h"

enum {
    RATE_PPM = 500,                 /* what one second's watchdog tolerates is of this size */
    GAP_NS = 1000000,               /* an SMI that takes the CPU away for a millisecond */
};

static void name_cpu(struct finding *finding, const struct measured_results *results,
                     uint32_t slot)
{
    if (finding)
        cpumask_set(&finding->cpus, results->cpus[slot].cpu);
}

static void check_contention(const struct measured_results *results, struct findings *findings)
{
    const struct measured_contention *contention = results->contention;
    const char *source = results->is_injected ? "contention, inject=" : "contention";

    for (uint32_t i = 0; i < contention->pair_count; i++) {
        const struct measured_contention_pair *pair = &contention->pairs[i];
        bool is_shared = pair->verdict == CONTENTION_SHARED_CORE;

        if (pair->verdict == CONTENTION_CANNOT_TELL || is_shared == pair->is_claimed_sibling)
            continue;
        struct finding *finding =
            findings_add(findings, is_shared ? "undeclared-siblings" : "siblings-do-not-contend",
                         is_shared ? FINDING_ERROR : FINDING_WARNING, 0, source,
                         "CPUs %u and %u %s, but CPU %u keeps %u.%u %% of its throughput while "
                         "the other is busy.",
                         results->cpus[pair->slot].cpu, results->cpus[pair->partner_slot].cpu,
                         is_shared ? "are not declared as threads of one core" :
                                     "are declared as threads of one core",
                         results->cpus[pair->slot].cpu, pair->throughput_permille / 10,
                         pair->throughput_permille % 10);

        name_cpu(finding, results, pair->slot);
        name_cpu(finding, results, pair->partner_slot);
    }
}

static void check_llc(const struct measured_results *results, struct findings *findings)
{
    const struct measured_llc_sharing *llc = results->llc_sharing;

    for (uint32_t i = 0; i < llc->pair_count; i++) {
        const struct measured_llc_pair *pair = &llc->pairs[i];

        if (pair->verdict == LLC_CANNOT_TELL ||
            (pair->verdict == LLC_SHARED) == pair->is_claimed_shared)
            continue;
        struct finding *finding = findings_add(
            findings, "llc-capacity", FINDING_WARNING, 0, "LLC capacity test",
            "CPU %u reads what CPU %u has loaded in %u ps a line (its own: %u ps, memory: %u ps), "
            "although the last-level cache is %sdeclared as shared.",
            results->cpus[pair->reader_slot].cpu, results->cpus[pair->slot].cpu,
            pair->partner_ps_per_line, pair->own_ps_per_line, pair->memory_ps_per_line,
            pair->is_claimed_shared ? "" : "not ");

        name_cpu(finding, results, pair->slot);
        name_cpu(finding, results, pair->reader_slot);
    }
}

static void check_tsc(const struct measured_results *results, struct findings *findings)
{
    const struct measured_tsc *tsc = results->tsc;

    for (uint32_t i = 0; i < tsc->cpu_count; i++) {
        const struct measured_tsc_cpu *cpu = &tsc->cpus[i];

        if (cpu->warp_count)
            name_cpu(findings_add(findings, "tsc-warp", FINDING_ERROR, 0, "TSC of CPU pairs",
                                  "The TSC of CPU %u was seen %llu cycles behind the boot CPU's "
                                  "%u times: Linux marks the TSC unstable.",
                                  results->cpus[cpu->slot].cpu,
                                  (unsigned long long)cpu->max_warp_cycles, cpu->warp_count),
                     results, cpu->slot);
    }
    if (tsc->has_rate &&
        (tsc->rate_deviation_ppm > RATE_PPM || tsc->rate_deviation_ppm < -RATE_PPM))
        findings_add(findings, "tsc-rate", FINDING_WARNING, 0, tsc->second_clock,
                     "The TSC ran %d ppm off the rate measured at start: Linux's clock watchdog "
                     "would mark it unstable.", tsc->rate_deviation_ppm);
}

static void check_noise(const struct measured_results *results, struct findings *findings)
{
    const struct measured_noise *noise = results->noise;
    const struct measured_noise_cpu *worst = NULL;

    for (uint32_t i = 0; i < noise->cpu_count; i++)
        if (noise->cpus[i].longest_gap_ns >= GAP_NS &&
            (!worst || noise->cpus[i].longest_gap_ns > worst->longest_gap_ns))
            worst = &noise->cpus[i];
    if (!worst)
        return;
    name_cpu(findings_add(findings, "long-gap", FINDING_WARNING, 0, "gap scan",
                          "CPU %u was away for %llu us %s.", results->cpus[worst->slot].cpu,
                          (unsigned long long)(worst->longest_gap_ns / 1000),
                          worst->longest_gap_smi == SMI_COUNTED ? "in a system management "
                                                                  "interrupt" :
                          worst->longest_gap_smi == SMI_NOT_COUNTED ?
                                                      "without an SMI being counted" :
                                                      "and there is no SMI counter to explain it"),
             results, worst->slot);
}

/* Not a verdict on how fast the machine is: a CPU that is lost is lost in a VM, too. */
static void check_cycles(const struct measured_results *results, struct findings *findings)
{
    for (uint32_t i = 0; i < results->cycles->cpu_count; i++) {
        const struct measured_cycle_cpu *cpu = &results->cycles->cpus[i];

        if (cpu->failures)
            name_cpu(findings_add(findings, "cpu-did-not-return", FINDING_ERROR, 0,
                                  "offline/online cycles",
                                  "CPU %u did not start again within the bound in %u of %u cycles, "
                                  "first in cycle %u.", results->cpus[cpu->slot].cpu,
                                  cpu->failures, cpu->attempts,
                                  cpu->first_failed_cycle),
                     results, cpu->slot);
    }
}

void measured_findings(const struct measured_results *results, struct findings *findings)
{
    bool is_silent = results->is_virtual && !results->is_injected;

    if (results->cycles)
        check_cycles(results, findings);
    if (results->contention && !is_silent)
        check_contention(results, findings);
    if (results->is_virtual)
        return;
    if (results->llc_sharing)
        check_llc(results, findings);
    if (results->tsc)
        check_tsc(results, findings);
    if (results->noise)
        check_noise(results, findings);
}
