/* Clearing pages: what the options ask for, on the memory that is left. */
#include "kernel/run.h"

#include "kernel/bench/bench.h"
#include "kernel/cpu/physmap.h"
#include "kernel/run_nodes.h"

static const struct topology *newest_topology(const struct run *run)
{
    for (int i = RULE_PROFILE_COUNT - 1; i >= 0; i--)
        if (run->built >> i & 1)
            return &run->topologies[i];
    return NULL;
}

/* The nodes that `nodes=` names. False: one of them is not there. */
static bool allowed_nodes(struct run *run, const struct topology *topology, struct cpumask *allowed)
{
    struct input_error error;
    uint32_t count = 1;
    for (uint32_t i = 0; i < topology->node_count; i++)
        if (topology->nodes[i].node >= count)
            count = topology->nodes[i].node + 1;
    if (!cpumask_init(allowed, count, &run->arena))
        return false;
    if (!options_list_mask(&run->options, OPTION_NODES, count, allowed, &error))
        return run_fail(run, "%s", error.text);
    return true;
}

/* Pieces of the allowed nodes; that of `local` first where there is one. */
static uint32_t take_memory(struct run *run, const struct topology *topology,
                            const struct cpumask *nodes, int32_t local, struct bench_memory *out)
{
    static struct measure_memory pieces[RUN_MAX_PIECES];
    uint32_t found = run_memory_of_nodes(run, topology, pieces), count = 0;
    for (uint32_t i = 0; i < found; i++) {
        int32_t node = pieces[i].node;
        if (node >= 0 ? !cpumask_has(nodes, (uint32_t)node) : run->options.nodes.range_count != 0)
            continue;
        out[count++] = (struct bench_memory){ node, physmap_physical(pieces[i].bytes),
                                              pieces[i].size_bytes };
        if (node == local) {
            struct bench_memory first = out[0];
            out[0] = out[count - 1];
            out[count - 1] = first;
        }
    }
    return count;
}

static void tell_progress(void *context, uint32_t percent, uint64_t left_us)
{
    struct run *run = context;
    progress_update(&run->progress, percent, 100, run_now_ms(),
                    left_us != 0 ? left_us / 1000 : UINT64_MAX);
}

/* CPUs that run and that `cpus=` names, as indexes of the facts. */
static bool allowed_cpus(struct run *run, const struct topology *topology, struct cpumask *allowed)
{
    struct input_error error;
    struct cpumask numbers;
    if (!cpumask_init(allowed, run->facts.cpu_count, &run->arena) ||
        !cpumask_init(&numbers, topology->cpu_count, &run->arena))
        return false;
    if (!options_list_mask(&run->options, OPTION_CPUS, topology->cpu_count, &numbers, &error))
        return run_fail(run, "%s", error.text);
    CPUMASK_FOR_EACH(cpu, &numbers)
        if (topology->cpus[cpu].fact != FACTS_NO_CPU)
            cpumask_set(allowed, topology->cpus[cpu].fact);
    cpumask_and(allowed, smp_running());
    return true;
}

static uint32_t cpu_of_fact(const struct topology *topology, uint32_t fact)
{
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
        if (topology->cpus[cpu].fact == fact)
            return cpu;
    return UINT32_MAX;
}

static bool is_in(const struct topology *topology, uint32_t cpu, enum topology_mask kind,
                  uint32_t other)
{
    return cpumask_has(&topology->masks[topology->cpus[cpu].mask[kind]], other);
}

/* Who clears: the boot CPU when it may, else the first that may. Who else reads or makes
 * dirty: the nearest of its kind. */
static void place_cpus(const struct topology *topology, const struct cpumask *allowed,
                       struct bench_job *job)
{
    uint32_t clearing = cpumask_has(allowed, 0) ? 0 : cpumask_first(allowed);
    uint32_t cpu = cpu_of_fact(topology, clearing);
    bool is_near = false;
    for (uint32_t i = 0; i < ENGINE_PLACE_COUNT; i++)
        job->at[i] = FACTS_NO_CPU;
    job->at[ENGINE_AT_CLEARING] = clearing;
    for (uint32_t other = 0; cpu != UINT32_MAX && other < topology->cpu_count; other++) {
        uint32_t fact = topology->cpus[other].fact;
        if (other == cpu || fact == FACTS_NO_CPU || !cpumask_has(allowed, fact))
            continue;
        if (is_in(topology, cpu, TOPOLOGY_SMT, other)) {
            job->at[ENGINE_AT_SIBLING] = fact;
            continue;
        }
        if (job->at[ENGINE_AT_OTHER_CORE] == FACTS_NO_CPU ||
            (!is_near && is_in(topology, cpu, TOPOLOGY_LLC, other))) {
            is_near = is_in(topology, cpu, TOPOLOGY_LLC, other);
            job->at[ENGINE_AT_OTHER_CORE] = fact;
        }
        if (!job->has_remote_node && topology->cpus[other].node != topology->cpus[cpu].node) {
            job->has_remote_node = true;
            job->at[ENGINE_AT_REMOTE] = fact;
        }
    }
}

static bool find_groups(struct run *run, struct bench_job *job, struct bench_group *groups,
                        struct bench_memory *memory, const char **why)
{
    const struct topology *topology = newest_topology(run);
    struct cpumask cpus, nodes;
    *why = "no profile was built: rules= named none";
    if (topology == NULL)
        return false;
    *why = run->fail_text;
    if (!allowed_cpus(run, topology, &cpus) || !allowed_nodes(run, topology, &nodes))
        return false;
    *why = "cpus= names no CPU that runs";
    if (cpumask_first(&cpus) == CPUMASK_NONE)
        return false;
    place_cpus(topology, &cpus, job);
    uint32_t clearing = cpu_of_fact(topology, job->at[ENGINE_AT_CLEARING]);
    int32_t local = clearing == UINT32_MAX ? -1 : topology->cpus[clearing].node;
    job->memory = memory;
    job->memory_count = take_memory(run, topology, &nodes, local, memory);
    *why = "no memory for the bench on the nodes that nodes= names";
    return job->memory_count != 0 &&
           bench_places_make(topology, run->facts.cpu_count, &cpus, &run->arena, groups,
                             &job->group_count);
}

static void fill_wishes(const struct options *options, struct plan_request *wishes)
{
    *wishes = (struct plan_request){
        .chosen_variants = options->variants,
        .sizes = options->sizes.bytes, .size_count = options->sizes.count,
        .extents = options->extents.bytes, .extent_count = options->extents.count,
        .blocks = options->blocks, .budget_us = options->budget_ms * 1000,
        .seed = options->seed, .node = -1, .state = BENCH_STATE_DIRTY,
    };
}

bool run_bench(struct run *run)
{
    static const char *profiles[RULE_PROFILE_COUNT];
    static struct bench_group groups[BENCH_PLACE_COUNT];
    static struct bench_memory memory[RUN_MAX_PIECES];
    struct bench_job job = { .facts = &run->facts, .profiles = profiles,
                             .profile_count = RULE_PROFILE_COUNT, .map = run->options.map,
                             .groups = groups, .progress = tell_progress,
                             .progress_context = run };
    const char *why = "no memory for the bench";
    if (!(run->options.run & RUN_BENCH))
        return true;
    run_phase(run, "clearing pages");
    run_inject_fault(run, INJECT_IN_BENCH);
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        profiles[i] = rules_name(&rule_profiles[i]);
    fill_wishes(&run->options, &job.wishes);
    job.table = (enum bench_table)run->options.table;
    run->bench = ARENA_NEW(&run->arena, struct bench_results, 1);
    bool is_good = run->bench != NULL && find_groups(run, &job, groups, memory, &why) &&
                   bench_run(&job, &run->arena, run->bench, &why);
    if (run->bench != NULL && run->bench->setting_count == 0)
        run->bench = NULL; /* not even a plan: the check says why */
    run_check(run, "every-variant-clears-and-was-timed", is_good, false, why);
    return is_good;
}
