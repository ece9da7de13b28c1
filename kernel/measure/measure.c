/* The parts in order, inside one budget. */
#include "kernel/measure/measure.h"

#include "kernel/measure/measuring.h"
#include "kernel/stats/agreement.h"
#include "kernel/stats/groups.h"
#include "kernel/stats/measured_summary.h"

enum { HYPERVISOR_BIT = 1u << 31, RUN_BOUND_US = 2000000, RUN_BOUND_VIRTUAL_US = 30000000 };

struct part {
    bool (*measure)(struct measuring *measuring);
    bool is_cycle;
};

static const struct part parts[] = {
    {measure_tsc, false},       {measure_latency, false}, {measure_contention, false},
    {measure_groups, false},    {measure_llc, false},     {measure_migration, false},
    {measure_noise, false},     {measure_cycles, true},
};

bool measuring_has_time(struct measuring *measuring)
{
    if (tsc_read() < measuring->end_cycles)
        return true;
    measuring->results->is_budget_spent = true;
    return false;
}

void measuring_tell(struct measuring *measuring, uint64_t done, uint64_t total)
{
    uint64_t now = tsc_read(), spent = now - measuring->start_cycles;
    uint64_t left = measuring->end_cycles > now ? measuring->end_cycles - now : 0;
    uint64_t permille = (measuring->part * 1000ull + (total ? done * 1000 / total : 0)) /
                        measuring->part_count;
    uint64_t expected = permille ? spent / permille * (1000 - permille) : left;

    if (measuring->job->progress)
        measuring->job->progress(measuring->job->progress_context, (uint32_t)(permille / 10),
                                 cycles_to_ns(expected < left ? expected : left, tsc_hz()) /
                                     1000000);
}

uint64_t measuring_limit(const struct measuring *measuring, uint64_t hardware_us,
                         uint64_t virtual_us)
{
    return tsc_cycles_of_us(measuring->results->is_virtual ? virtual_us : hardware_us);
}

uint32_t measuring_fact(const struct measuring *measuring, uint32_t slot)
{
    return measuring->results->cpus[slot].fact;
}

int32_t measuring_node(const struct measuring *measuring, uint32_t slot)
{
    return measuring->job->topology->cpus[measuring->results->cpus[slot].cpu].node;
}

const struct measure_memory *measuring_memory(const struct measuring *measuring, uint32_t slot)
{
    int32_t node = measuring_node(measuring, slot);

    for (uint32_t i = 0; i < measuring->job->memory_count; i++)
        if (measuring->job->memory[i].node == node)
            return &measuring->job->memory[i];
    return &measuring->job->memory[0];
}

bool measuring_on_pair(struct measuring *measuring, uint32_t slot_a, uint32_t slot_b,
                       smp_function function, void *context)
{
    cpumask_clear(&measuring->pair);
    cpumask_set(&measuring->pair, measuring_fact(measuring, slot_a));
    cpumask_set(&measuring->pair, measuring_fact(measuring, slot_b));
    return cpumask_is_subset(&measuring->pair, smp_running()) &&
           smp_run_on(&measuring->pair, function, context,
                      measuring_limit(measuring, RUN_BOUND_US, RUN_BOUND_VIRTUAL_US), NULL);
}

bool measuring_on(struct measuring *measuring, uint32_t slot, smp_function function,
                  void *context)
{
    return measuring_on_pair(measuring, slot, slot, function, context);
}

/* CPUs that run, are allowed, and have a number in the newest profile; by that number. */
static bool list_cpus(struct measuring *measuring)
{
    const struct measure_job *job = measuring->job;
    struct measured_results *results = measuring->results;

    results->cpus = ARENA_NEW(measuring->arena, struct measured_cpu, job->topology->cpu_count);
    if (!results->cpus || !cpumask_init(&measuring->pair, job->facts->cpu_count, measuring->arena))
        return false;
    for (uint32_t cpu = 0; cpu < job->topology->cpu_count; cpu++) {
        const struct topology_cpu *declared = &job->topology->cpus[cpu];

        if (declared->is_online && declared->fact != FACTS_NO_CPU &&
            cpumask_has(job->cpus, declared->fact) && cpumask_has(smp_running(), declared->fact))
            results->cpus[results->cpu_count++] =
                (struct measured_cpu){declared->fact, cpu, declared->apic_id};
    }
    return true;
}

static void describe(const struct measure_job *job, struct measured_results *results)
{
    struct cpuid_regs regs;

    facts_cpuid(job->facts, &job->facts->cpus[0], 1, 0, &regs);
    results->is_virtual = regs.ecx & HYPERVISOR_BIT;
    results->is_injected = job->inject.pair_ns || job->inject.contend_percent;
    results->injected = job->inject.text;
    results->budget_ms = job->budget_ms;
    results->tsc_hz = tsc_hz();
}

bool measure_groups(struct measuring *measuring)
{
    struct measured_results *results = measuring->results;
    struct measured_groups *groups = ARENA_NEW(measuring->arena, struct measured_groups, 1);
    struct measured_agreement *agreement =
        ARENA_NEW(measuring->arena, struct measured_agreement, 1);
    const struct measure_memory *memory = &measuring->job->memory[0];
    struct arena scratch;

    if (!results->latency || (results->is_virtual && !results->is_injected))
        return true; /* the times of an emulator are no property of the machine */
    arena_init(&scratch, memory->bytes, memory->size_bytes);
    if (!groups || !agreement ||
        !groups_find(results->latency->median_ps, results->cpu_count, results->latency->is_sampled,
                     measuring->arena, &scratch, groups))
        return false;
    results->groups = groups;
    arena_init(&scratch, memory->bytes, memory->size_bytes);
    if (!agreement_build(results, measuring->job->topologies, measuring->arena, &scratch,
                         agreement))
        return false;
    results->agreement = agreement;
    return true;
}

static bool is_asked(const struct measure_job *job, const struct part *part)
{
    return part->is_cycle ? job->has_cycles : job->has_latency;
}

bool measure_run(const struct measure_job *job, struct arena *arena,
                 struct measured_results *results, const char **why)
{
    static struct measuring measuring;

    measuring = (struct measuring){.job = job, .results = results, .arena = arena,
                                   .start_cycles = tsc_read()};
    measuring.end_cycles = measuring.start_cycles + tsc_cycles_of_us(job->budget_ms * 1000);
    *why = "no memory for the measured results";
    *results = (struct measured_results){0};
    describe(job, results);
    if (!job->memory_count || !list_cpus(&measuring))
        return false;
    for (uint32_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        measuring.part_count += is_asked(job, &parts[i]);
    for (uint32_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!is_asked(job, &parts[i]))
            continue;
        measuring_tell(&measuring, 0, 1);
        if (!parts[i].measure(&measuring))
            return false;
        measuring.part++;
    }
    results->spent_ms = cycles_to_ns(tsc_read() - measuring.start_cycles, tsc_hz()) / 1000000;
    return true;
}
