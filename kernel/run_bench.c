/* Clearing pages: what the options ask for, on the memory that is left. */
#include "kernel/run.h"

#include "kernel/bench/bench.h"

static const struct topology *newest_topology(const struct run *run)
{
    for (int i = RULE_PROFILE_COUNT - 1; i >= 0; i--)
        if (run->built >> i & 1)
            return &run->topologies[i];
    return NULL;
}

/* The largest range that is still granted; 0 bytes: none. */
static void find_memory(const struct boot_info *info, struct bench_job *job)
{
    for (uint32_t i = 0; i < info->range_count; i++) {
        const struct boot_range *range = &info->ranges[i];
        if (range->kind == BOOT_RANGE_GRANTED && range->end - range->start > job->bytes) {
            job->physical = range->start;
            job->bytes = range->end - range->start;
        }
    }
}

static void tell_progress(void *context, uint32_t percent, uint64_t left_us)
{
    struct run *run = context;
    progress_update(&run->progress, percent, 100, run_now_ms(), left_us / 1000);
}

/* CPUs that run and that `cpus=` names. */
static bool allowed_cpus(struct run *run, struct cpumask *allowed)
{
    struct input_error error;
    return cpumask_init(allowed, run->facts.cpu_count, &run->arena) &&
           options_list_mask(&run->options, OPTION_CPUS, run->facts.cpu_count, allowed, &error);
}

static bool find_groups(struct run *run, struct bench_group *groups, uint32_t *count)
{
    const struct topology *topology = newest_topology(run);
    struct cpumask allowed;
    *count = 0;
    if (topology == NULL)
        return true;
    if (!allowed_cpus(run, &allowed))
        return false;
    cpumask_and(&allowed, smp_running());
    return bench_places_make(topology, run->facts.cpu_count, &allowed, &run->arena, groups, count);
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
    struct bench_job job = { .facts = &run->facts, .profiles = profiles,
                             .profile_count = RULE_PROFILE_COUNT, .map = run->options.map,
                             .groups = groups, .progress = tell_progress,
                             .progress_context = run };
    const char *why = "no memory for the bench";
    if (!(run->options.run & RUN_BENCH))
        return true;
    run_phase(run, "clearing pages");
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        profiles[i] = rules_name(&rule_profiles[i]);
    fill_wishes(&run->options, &job.wishes);
    find_memory(run->info, &job);
    run->bench = ARENA_NEW(&run->arena, struct bench_results, 1);
    bool is_good = run->bench != NULL && find_groups(run, groups, &job.group_count) &&
                   bench_run(&job, &run->arena, run->bench, &why);
    if (run->bench != NULL && run->bench->setting_count == 0)
        run->bench = NULL; /* not even a plan: the check says why */
    run_check(run, "every-variant-clears-and-was-timed", is_good, false, why);
    return is_good;
}
