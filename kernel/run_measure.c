/* Measured topology: what the options ask for, on memory of every node. */
#include "kernel/run.h"

#include "kernel/cpu/physmap.h"
#include "kernel/facts/acpi_fadt.h"
#include "kernel/facts/acpi_srat.h"
#include "kernel/run_nodes.h"

enum {
    PAGE_BYTES = 4096,
    BUDGET_SHARE = 3,       /* of the budget, when the bench runs as well */
};

static uint32_t pair_ns(const void *context, uint32_t cpu_a, uint32_t cpu_b)
{
    const struct options *options = context;
    uint32_t ns = 0;

    for (uint32_t i = 0; i < options->inject_count; i++)
        ns += inject_pair_ns(&options->injects[i], cpu_a, cpu_b);
    return ns;
}

static uint32_t contend_percent(const void *context, uint32_t cpu_a, uint32_t cpu_b)
{
    const struct options *options = context;
    uint32_t most = 0;

    for (uint32_t i = 0; i < options->inject_count; i++) {
        const struct inject *inject = &options->injects[i];
        uint32_t group = inject_group(inject, cpu_a);

        if (inject->kind == INJECT_CONTEND && group != INJECT_NO_GROUP &&
            group == inject_group(inject, cpu_b) && inject->percent > most)
            most = inject->percent;
    }
    return most;
}

/* Injected faults of the start are no injected costs. */
static void fill_inject(const struct options *options, struct measure_inject *inject)
{
    for (uint32_t i = 0; i < options->inject_count; i++) {
        if (options->injects[i].kind == INJECT_SLOW)
            inject->pair_ns = pair_ns;
        if (options->injects[i].kind == INJECT_CONTEND)
            inject->contend_percent = contend_percent;
    }
    inject->context = options;
    if (inject->pair_ns || inject->contend_percent)
        inject->text = options_text(options, OPTION_INJECT);
}

static void fill_pm_timer(const struct run *run, struct measure_job *job)
{
    const struct acpi_table *table = facts_table(&run->facts, "FACP");
    struct acpi_fadt fadt;
    struct input_error error;

    if (table && acpi_fadt_parse(&fadt, table->bytes, table->length_bytes, &error) &&
        fadt.has_pm_timer && fadt.pm_timer.space == ACPI_SPACE_IO) {
        job->pm_timer_port = (uint16_t)fadt.pm_timer.address;
        job->is_pm_timer_32bit = fadt.is_pm_timer_32_bit;
    }
}

/* The node's piece becomes start … end when that is larger; a new node gets a piece. */
static void offer(struct measure_memory *pieces, uint32_t *count, int32_t node, uint64_t start,
                  uint64_t end)
{
    uint32_t i = 0;

    start = (start + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (start >= end)
        return;
    while (i < *count && pieces[i].node != node)
        i++;
    if (i == RUN_MAX_PIECES || (i < *count && pieces[i].size_bytes >= end - start))
        return;
    pieces[i] = (struct measure_memory){node, physmap(start), end - start};
    *count += i == *count;
}

static int32_t node_of_domain(const struct topology *topology, uint32_t domain)
{
    for (uint32_t i = 0; i < topology->node_count; i++)
        if (topology->nodes[i].node == domain)
            return (int32_t)domain;
    return -1;
}

static void offer_range(const struct run *run, const struct topology *topology,
                        const struct boot_range *range, struct measure_memory *pieces,
                        uint32_t *count)
{
    const struct acpi_table *table = facts_table(&run->facts, "SRAT");
    struct acpi_srat srat;
    struct acpi_srat_entry entry;
    struct input_error error;

    if (!table || !acpi_srat_open(&srat, table->bytes, table->length_bytes, &error)) {
        offer(pieces, count, topology->cpus[0].node, range->start, range->end);
        return;
    }
    while (acpi_srat_next(&srat, &entry, &error) == ACPI_ENTRY) {
        uint64_t end = entry.start + entry.size_bytes;

        if (!entry.is_known || !entry.is_enabled || entry.type != ACPI_SRAT_MEMORY)
            continue;
        offer(pieces, count, node_of_domain(topology, entry.domain),
              entry.start > range->start ? entry.start : range->start,
              end < range->end ? end : range->end);
    }
}

uint32_t run_memory_of_nodes(const struct run *run, const struct topology *topology,
                             struct measure_memory *pieces)
{
    uint32_t count = 0, largest = 0;

    for (uint32_t i = 0; i < run->info->range_count; i++)
        if (run->info->ranges[i].kind == BOOT_RANGE_GRANTED)
            offer_range(run, topology, &run->info->ranges[i], pieces, &count);
    for (uint32_t i = 1; i < count; i++)
        if (pieces[i].size_bytes > pieces[largest].size_bytes)
            largest = i;
    if (count) {
        struct measure_memory first = pieces[0];

        pieces[0] = pieces[largest];
        pieces[largest] = first;
    }
    return count;
}

static void tell_progress(void *context, uint32_t percent, uint64_t left_ms)
{
    struct run *run = context;

    progress_update(&run->progress, percent, 100, run_now_ms(), left_ms);
}

static bool choose_cpus(struct run *run, struct cpumask *cpus, struct measure_job *job)
{
    struct input_error error;
    struct cpumask numbers;

    if (!cpumask_init(cpus, run->facts.cpu_count, &run->arena) ||
        !cpumask_init(&numbers, job->topology->cpu_count, &run->arena))
        return false;
    if (!options_list_mask(&run->options, OPTION_CPUS, job->topology->cpu_count, &numbers, &error))
        return run_fail(run, "%s", error.text);
    for (uint32_t cpu = 0; cpu < job->topology->cpu_count; cpu++)
        if (cpumask_has(&numbers, cpu) && job->topology->cpus[cpu].fact != FACTS_NO_CPU)
            cpumask_set(cpus, job->topology->cpus[cpu].fact);
    job->cpus = cpus;
    return true;
}

static void fill_job(struct run *run, struct measure_job *job)
{
    const struct options *options = &run->options;

    *job = (struct measure_job){
        .facts = &run->facts,
        .started = run->started,
        .seed = options->seed,
        .budget_ms = options->run & RUN_BENCH ? options->budget_ms / BUDGET_SHARE :
                                                options->budget_ms,
        .has_latency = options->run & RUN_LATENCY,
        .has_cycles = options->run & RUN_CYCLE,
        .cycles = options->cycles,
        .progress = tell_progress,
        .progress_context = run,
    };
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (run->built >> i & 1)
            job->topology = job->topologies[i] = &run->topologies[i];
    fill_inject(options, &job->inject);
    fill_pm_timer(run, job);
}

bool run_measure(struct run *run)
{
    static struct measure_memory pieces[RUN_MAX_PIECES];
    const char *why = "no memory for the measured results";
    struct measure_job job;
    struct cpumask cpus;

    if (!(run->options.run & (RUN_LATENCY | RUN_CYCLE)))
        return true;
    run_phase(run, "measuring topology");
    run_inject_fault(run, INJECT_IN_LATENCY);
    fill_job(run, &job);
    if (!job.topology)
        return true; /* rules= named none: there is nothing to compare with */
    job.memory = pieces;
    job.memory_count = run_memory_of_nodes(run, job.topology, pieces);
    run->measured = ARENA_NEW(&run->arena, struct measured_results, 1);

    bool is_good = run->measured && choose_cpus(run, &cpus, &job) &&
                   measure_run(&job, &run->arena, run->measured, &why);

    run_check(run, "topology-was-measured", is_good, false, why);
    run_judge_measured(run);
    return is_good;
}
