/* The clear_page bench in the image. */
#include "kernel/bench/bench.h"

#include <stdio.h>

#include "kernel/bench/clear_page.h"
#include "kernel/bench/clocks.h"
#include "kernel/bench/counters.h"
#include "kernel/bench/engine.h"
#include "kernel/bench/gaps.h"
#include "kernel/bench/together.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/bits.h"
#include "kernel/smp/smp.h"

/* One part in five of the budget is for what follows the timed blocks. */
enum { AFTER_SHARE = 5 };
enum { MAX_NODES = 8, VERIFY_BOUND_US = 2000000, REGISTERS_BOUND_US = 1000000,
       AT_BOUND_US = 300000000, GAPS_US = 500000, VIRTUAL_GAPS_US = 20000 };

/* Preparing and clearing together; an emulated CPU is slower, and the budget is
 * kept by the engine anyway. */
static const uint64_t assumed_bytes_per_s = 3000000000, assumed_virtual_bytes_per_s = 1000000000;

struct bench {
    const struct bench_job *job;
    struct plan_request wishes;     /* the job's, with what the table adds */
    uint32_t map;
    struct clocks clocks;
    struct together together;
    struct void_registers *registers;
    struct cpumask reader;          /* the CPU that reads what the boot CPU cleared */
    struct cpumask one;             /* for work that is sent to a single CPU */
    struct windows windows[MAX_NODES];
    uint32_t window_count;
    struct plan_memory others[MAX_NODES];
    bool is_virtual;
    struct plan_placement placements[1 + BENCH_PLACE_COUNT];
    struct engine_machine machine;
    struct bench_setup setup;
    struct engine engine;
    struct counters counters;
    struct bench_after after;
    char place[96];
    uint8_t scratch[ENGINE_SCRATCH_BYTES] __attribute__((aligned(4096)));
};

/* --- what the engine calls ------------------------------------------------------------ */

static void *window(void *context, const struct bench_setting *setting)
{
    const struct bench *bench = context;
    for (uint32_t i = 0; i < bench->window_count; i++)
        if (bench->windows[i].node == setting->node)
            return windows_find(&bench->windows[i], setting->region_bytes, setting->page_bytes);
    return NULL;
}

struct errand {
    void (*function)(void *argument);
    void *argument;
};

static void run_errand(uint32_t cpu, void *context)
{
    const struct errand *errand = context;
    (void)cpu;
    errand->function(errand->argument);
}

static bool run_at(void *context, enum engine_place place, void (*function)(void *argument),
                   void *argument)
{
    struct bench *bench = context;
    uint32_t cpu = bench->job->at[place];
    struct errand errand = { function, argument };
    if (cpu == FACTS_NO_CPU || !cpumask_has(smp_running(), cpu))
        return false;
    if (cpu == 0) {
        function(argument);
        return true;
    }
    cpumask_clear(&bench->one);
    cpumask_set(&bench->one, cpu);
    return smp_run_on(&bench->one, run_errand, &errand, tsc_cycles_of_us(AT_BOUND_US), NULL);
}

static void time_pass(void *context, const struct timed_pass *pass, struct engine_marks *marks)
{
    const struct bench *bench = context;
    clocks_time_pass(&bench->clocks, pass, marks);
}

struct reading {
    const void *start;
    uint64_t bytes, pattern, wrong;
};

static void read_back(uint32_t cpu, void *context)
{
    struct reading *reading = context;
    (void)cpu;
    reading->wrong = timed_holds(reading->start, reading->bytes, reading->pattern);
}

static bool count_wrong(void *context, const void *start, uint64_t bytes, uint64_t pattern,
                        uint64_t *wrong)
{
    const struct bench *bench = context;
    struct reading reading = { .start = start, .bytes = bytes, .pattern = pattern };
    if (cpumask_first(&bench->reader) == CPUMASK_NONE ||
        !smp_run_on(&bench->reader, read_back, &reading, tsc_cycles_of_us(VERIFY_BOUND_US), NULL))
        return false;
    *wrong = reading.wrong;
    return true;
}

static uint64_t time_together(void *context, const struct bench_setting *setting,
                              const struct timed_pass *pass, struct bench_cell *cell)
{
    struct bench *bench = context;
    for (uint32_t i = 0; i < bench->job->group_count; i++)
        if (bench->job->groups[i].kind == setting->placement)
            return together_clear(&bench->together, &bench->job->groups[i].cpus, setting, pass,
                                  bench->clocks.tsc_hz, cell);
    return 0;
}

static uint64_t now_us(void *context)
{
    uint64_t per_us = tsc_hz() / 1000000;
    (void)context;
    return per_us == 0 ? 0 : tsc_read() / per_us;
}

static void progress(void *context, const struct engine_progress *now)
{
    const struct bench *bench = context;
    if (bench->job->progress != NULL)
        bench->job->progress(bench->job->progress_context, now->percent, now->left_us);
}

/* --- preparation ------------------------------------------------------------------------ */

static void read_registers(uint32_t cpu, void *context)
{
    struct bench *bench = context;
    bench->registers[cpu] = (struct void_registers){ .is_read = true, .cr0 = cr0_read() };
}

static void find_reader(struct bench *bench)
{
    CPUMASK_FOR_EACH(cpu, smp_running())
        if (cpu != 0) {
            cpumask_set(&bench->reader, cpu);
            return;
        }
}

/* Data caches of one level that one CPU reaches, by the deterministic cache parameters. */
static uint64_t cache_bytes(const struct machine_facts *facts, const struct cpu_facts *cpu,
                            uint32_t level)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t leaf = i == 0 ? 0x4 : 0x8000001d;
        uint32_t max = i == 0 ? facts_max_basic_leaf(facts, cpu)
                              : facts_max_extended_leaf(facts, cpu);
        for (uint32_t subleaf = 0; leaf <= max && subleaf < 16; subleaf++) {
            struct cpuid_regs regs;
            if (facts_cpuid(facts, cpu, leaf, subleaf, &regs) != CPUID_RECORDED ||
                bits_get(regs.eax, 4, 0) == 0)
                break;
            if (bits_get(regs.eax, 7, 5) == level && bits_get(regs.eax, 4, 0) != 2)
                return (bits_get(regs.ebx, 31, 22) + 1ull) * (bits_get(regs.ebx, 21, 12) + 1) *
                       (bits_get(regs.ebx, 11, 0) + 1) * (regs.ecx + 1ull);
        }
    }
    return 0;
}

static const struct cpu_facts *clearing_cpu(const struct bench *bench)
{
    return &bench->job->facts->cpus[bench->job->at[ENGINE_AT_CLEARING]];
}

static void fill_setup(struct bench *bench)
{
    const struct bench_job *job = bench->job;
    struct cpuid_regs leaf1, leaf7 = { 0 };
    facts_cpuid(job->facts, &job->facts->cpus[0], 1, 0, &leaf1);
    if (facts_max_basic_leaf(job->facts, &job->facts->cpus[0]) >= 7)
        facts_cpuid(job->facts, &job->facts->cpus[0], 7, 0, &leaf7);
    bench->placements[0] = (struct plan_placement){ BENCH_PLACE_ONE, 1 };
    for (uint32_t i = 0; i < job->group_count; i++)
        bench->placements[1 + i] = (struct plan_placement){
            job->groups[i].kind, cpumask_count(&job->groups[i].cpus) };
    bench->setup = (struct bench_setup){
        .facts = job->facts, .registers = bench->registers, .profiles = job->profiles,
        .profile_count = job->profile_count, .tsc_hz = tsc_hz(), .request = bench->wishes,
        /* Enabled on every CPU when it started; CR4.OSXSAVE tells whether XCR0 exists. */
        .xcr0 = cr4_read() >> 18 & 1 ? xcr0_read() : 0,
    };
    struct plan_request *request = &bench->setup.request;
    request->variants = clear_page_variants;
    request->variant_count = clear_page_variant_count();
    request->node = bench->windows[0].node;
    request->pages = bench->windows[0].page_bytes;
    request->page_count = bench->windows[0].page_count;
    for (uint32_t i = 1; i < bench->window_count; i++)
        bench->others[i - 1] = (struct plan_memory){
            .node = bench->windows[i].node, .usable_bytes = bench->windows[i].usable_bytes,
            .pages = bench->windows[i].page_bytes, .page_count = bench->windows[i].page_count };
    request->others = bench->others;
    request->other_count = bench->window_count - 1;
    request->has_remote_cpu = job->has_remote_node;
    request->is_every_page = bench->map != 0;
    request->placements = bench->placements;
    request->placement_count = 1 + job->group_count;
    request->usable_bytes = bench->windows[0].usable_bytes;
    request->reserve_us = request->budget_us / AFTER_SHARE;
    uint64_t l2 = cache_bytes(job->facts, clearing_cpu(bench), 2);
    uint64_t l3 = cache_bytes(job->facts, clearing_cpu(bench), 3);
    request->cache_bytes = l2 + l3;
    bench->is_virtual = bits_test(leaf1.ecx, 31);
    request->assumed_bytes_per_s =
        bench->is_virtual ? assumed_virtual_bytes_per_s : assumed_bytes_per_s;
    bench->machine = (struct engine_machine){
        .context = bench, .window = window, .time_pass = time_pass, .count_wrong = count_wrong,
        .time_together = time_together, .now_us = now_us, .progress = progress,
        .run_at = run_at, .clears_elsewhere = job->at[ENGINE_AT_CLEARING] != 0,
        .l2_bytes = l2, .llc_bytes = l3 != 0 ? l3 : l2,
        .scratch = bench->scratch, .line_bytes = bits_get(leaf1.ebx, 15, 8) * 8,
        .has_clflushopt = bits_test(leaf7.ebx, 23),
    };
}

/* Pages that were asked for by name and are not there are said, not passed over. */
static void note_missing_pages(const struct bench *bench, struct bench_results *results)
{
    static const struct bench_note missing[WINDOWS_PAGE_KINDS] = {
        { "pages-missing", false, "map=4k: the memory cannot be mapped with such pages." },
        { "pages-missing", false, "map=2m: no region can be mapped with such pages." },
        { "pages-missing", false, "map=1g: no region can be mapped with such pages: the CPU has "
                                  "none, or no region is a multiple of 1G." },
    };
    for (uint32_t i = 0; i < WINDOWS_PAGE_KINDS; i++) {
        const struct windows *windows = &bench->windows[0];
        bool is_mapped = false;
        for (uint32_t k = 0; k < windows->page_count; k++)
            is_mapped |= windows->page_bytes[k] == windows_page_kinds[i];
        if ((bench->map >> i & 1) && !is_mapped &&
            results->note_count < VOID_CONDITIONS_MAX_NOTES)
            results->notes[results->note_count++] = missing[i];
    }
}

static bool prepare(struct bench *bench, struct arena *arena, const char **why)
{
    const struct machine_facts *facts = bench->job->facts;
    *why = "no memory for the bench";
    bench->registers = ARENA_NEW(arena, struct void_registers, facts->cpu_count);
    bench->together.shares = ARENA_NEW(arena, struct together_share, facts->cpu_count);
    bench->together.share_count = facts->cpu_count;
    if (bench->registers == NULL || bench->together.shares == NULL ||
        !cpumask_init(&bench->one, facts->cpu_count, arena) ||
        !cpumask_init(&bench->reader, facts->cpu_count, arena))
        return false;
    smp_run_on(smp_running(), read_registers, bench, tsc_cycles_of_us(REGISTERS_BOUND_US), NULL);
    find_reader(bench);
    for (uint32_t i = 0; i < bench->job->memory_count && bench->window_count < MAX_NODES; i++)
        bench->window_count += windows_map(&bench->windows[bench->window_count],
                                           &bench->job->memory[i], &bench->wishes,
                                           bench->map);
    *why = "no memory that can be mapped with such pages";
    return bench->window_count != 0;
}

struct scanning {
    const struct bench *bench;
    struct bench_gaps *gaps;
};

static void scan_gaps(void *argument)
{
    const struct scanning *scanning = argument;
    gaps_scan(scanning->gaps, scanning->bench->is_virtual ? VIRTUAL_GAPS_US : GAPS_US,
              scanning->bench->clocks.has_smi_count);
}

static void look_for_gaps(struct bench *bench, struct bench_gaps *gaps)
{
    struct scanning scanning = { bench, gaps };
    run_at(bench, ENGINE_AT_CLEARING, scan_gaps, &scanning);
}

/* What the clearing CPU has is asked on it. */
static void find_clocks(void *argument)
{
    struct bench *bench = argument;
    clocks_find(&bench->clocks, bench->job->facts, clearing_cpu(bench), tsc_hz());
    counters_find(&bench->counters, bench->job->facts, clearing_cpu(bench));
}

/* What is not timed in blocks, in what is left of the budget. */
static bool measure_after(struct bench *bench, struct bench_results *results, struct arena *arena)
{
    struct engine *engine = &bench->engine;
    uint64_t end_us = engine->start_us + results->budget_us;
    engine_measure_startup(engine, &bench->after);
    engine_measure_consumers(engine, &bench->after, end_us - results->reserve_us / 2);
    look_for_gaps(bench, &bench->after.after);
    results->after = &bench->after;
    return counters_run(&bench->counters, engine, end_us, arena);
}

bool bench_run(const struct bench_job *job, struct arena *arena, struct bench_results *results,
               const char **why)
{
    struct bench *bench = ARENA_NEW(arena, struct bench, 1);
    *why = "no memory for the bench";
    if (bench == NULL)
        return false;
    bench->job = job;
    bench->wishes = job->wishes;
    bench->wishes.usable_bytes = windows_usable(&job->memory[0]);
    bench->map = bench_table_apply(job->table, job->map, &bench->wishes);
    if (!prepare(bench, arena, why))
        return false;
    fill_setup(bench);
    *why = "the CPU that should clear does not answer";
    if (!run_at(bench, ENGINE_AT_CLEARING, find_clocks, bench))
        return false;
    bool is_planned = bench_setup_plan(&bench->setup, arena, results, why);
    results->table = job->table;
    snprintf(bench->place, sizeof bench->place,
             "image: no operating system, CPU %u clears, others halt%s",
             job->facts->number[job->at[ENGINE_AT_CLEARING]],
             job->at[ENGINE_AT_CLEARING] == 0 ? "" : ", the boot CPU waits");
    results->place = bench->place;
    if (!is_planned)
        return false;
    note_missing_pages(bench, results);
    *why = "no memory for the samples";
    if (!engine_init(&bench->engine, &bench->machine, results, bench->setup.is_runnable, arena))
        return false;
    *why = "a variant left wrong memory behind: nothing was timed";
    if (!engine_verify(&bench->engine))
        return false;
    engine_measure_harness(&bench->engine);
    look_for_gaps(bench, &bench->after.before);
    engine_run(&bench->engine);
    *why = "no memory for the counters";
    if (!measure_after(bench, results, arena))
        return false;
    bench_setup_judge(&bench->setup, arena, results);
    *why = NULL;
    return true;
}
