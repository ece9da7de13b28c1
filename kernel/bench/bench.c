/* The clear_page bench in the image. */
#include "kernel/bench/bench.h"

#include "kernel/bench/clear_page.h"
#include "kernel/bench/clocks.h"
#include "kernel/bench/counters.h"
#include "kernel/bench/engine.h"
#include "kernel/bench/together.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/physmap.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/bits.h"
#include "kernel/smp/smp.h"

#define MIB (1024ull * 1024)

/* One part in five of the budget is for what follows the timed blocks. */
enum { AFTER_SHARE = 5 };
enum { PAGE_KINDS = 3, VERIFY_BOUND_US = 2000000, REGISTERS_BOUND_US = 1000000 };

static const uint64_t page_kinds[PAGE_KINDS] = { 4096, 2 * MIB, 1024 * MIB };
/* Preparing and clearing together; an emulated CPU is slower, and the budget is
 * kept by the engine anyway. */
static const uint64_t assumed_bytes_per_s = 3000000000, assumed_virtual_bytes_per_s = 1000000000;

struct bench {
    const struct bench_job *job;
    struct clocks clocks;
    struct together together;
    struct void_registers *registers;
    struct cpumask reader;          /* the CPU that reads what the boot CPU cleared */
    uint64_t page_bytes[PAGE_KINDS];
    uint8_t *windows[PAGE_KINDS];
    uint32_t page_count;
    uint64_t physical, usable_bytes; /* aligned part of the job's range */
    struct plan_placement placements[1 + BENCH_PLACE_COUNT];
    struct engine_machine machine;
    struct bench_setup setup;
    struct engine engine;
    struct counters counters;
    uint8_t scratch[ENGINE_SCRATCH_BYTES] __attribute__((aligned(4096)));
};

/* --- what the engine calls ------------------------------------------------------------ */

static void *window(void *context, uint64_t region_bytes, uint64_t page_bytes)
{
    const struct bench *bench = context;
    for (uint32_t i = 0; i < bench->page_count; i++)
        if (bench->page_bytes[i] == page_bytes && region_bytes <= bench->usable_bytes)
            return bench->windows[i];
    return NULL;
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

/* The largest part of the range that starts at a multiple of `align`. */
static uint64_t aligned_bytes(const struct bench_job *job, uint64_t align, uint64_t *start)
{
    *start = (job->physical + align - 1) & ~(align - 1);
    uint64_t end = job->physical + job->bytes;
    return *start >= end ? 0 : (end - *start) & ~(page_kinds[1] - 1);
}

/* 1 GiB alignment when most of the range is left by it, else 2 MiB. */
static void align_memory(struct bench *bench)
{
    uint64_t gib_start, gib_bytes = aligned_bytes(bench->job, page_kinds[2], &gib_start);
    bench->usable_bytes = aligned_bytes(bench->job, page_kinds[1], &bench->physical);
    if (gib_bytes >= page_kinds[2] && gib_bytes * 2 > bench->usable_bytes) {
        bench->physical = gib_start;
        bench->usable_bytes = gib_bytes;
    }
}

static uint64_t bytes_to_map(const struct bench *bench, uint64_t page_bytes)
{
    const struct plan_request *wishes = &bench->job->wishes;
    uint64_t largest = wishes->size_count == 0 ? 4096 * MIB : 0;
    for (uint32_t i = 0; i < wishes->size_count; i++)
        if (wishes->sizes[i] <= bench->usable_bytes && wishes->sizes[i] > largest)
            largest = wishes->sizes[i];
    largest = largest < bench->usable_bytes ? largest : bench->usable_bytes;
    return largest & ~(page_bytes - 1);
}

/* Without a wish the largest pages for large regions, and 2M for those that are
 * no multiple of them. */
static void map_windows(struct bench *bench)
{
    uint32_t wanted = bench->job->map != 0 ? bench->job->map : 6;
    uint64_t mapped = 0;
    for (int pass = 0; pass < 2 && bench->page_count == 0; pass++, wanted = 1)
        for (uint32_t i = 0; i < PAGE_KINDS; i++) {
            uint64_t bytes = bytes_to_map(bench, page_kinds[i]);
            if (!(wanted >> i & 1) || bytes == 0)
                continue;
            void *start = physmap_window(bench->physical, bytes, page_kinds[i]);
            if (start == NULL)
                continue;
            bench->page_bytes[bench->page_count] = page_kinds[i];
            bench->windows[bench->page_count++] = start;
            mapped = bytes > mapped ? bytes : mapped;
        }
    bench->usable_bytes = mapped;
}

static void find_reader(struct bench *bench)
{
    CPUMASK_FOR_EACH(cpu, smp_running())
        if (cpu != 0) {
            cpumask_set(&bench->reader, cpu);
            return;
        }
}

/* L2 and L3 that one CPU reaches, by the deterministic cache parameters. */
static uint64_t cache_bytes(const struct machine_facts *facts)
{
    const struct cpu_facts *cpu = &facts->cpus[0];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t leaf = i == 0 ? 0x4 : 0x8000001d;
        uint32_t max = i == 0 ? facts_max_basic_leaf(facts, cpu)
                              : facts_max_extended_leaf(facts, cpu);
        for (uint32_t subleaf = 0; leaf <= max && subleaf < 16; subleaf++) {
            struct cpuid_regs regs;
            if (facts_cpuid(facts, cpu, leaf, subleaf, &regs) != CPUID_RECORDED ||
                bits_get(regs.eax, 4, 0) == 0)
                break;
            if (bits_get(regs.eax, 7, 5) >= 2)
                sum += (bits_get(regs.ebx, 31, 22) + 1ull) * (bits_get(regs.ebx, 21, 12) + 1) *
                       (bits_get(regs.ebx, 11, 0) + 1) * (regs.ecx + 1ull);
        }
        if (sum != 0)
            break;
    }
    return sum;
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
        .profile_count = job->profile_count, .tsc_hz = tsc_hz(), .request = job->wishes,
        /* Enabled on every CPU when it started; CR4.OSXSAVE tells whether XCR0 exists. */
        .xcr0 = cr4_read() >> 18 & 1 ? xcr0_read() : 0,
    };
    struct plan_request *request = &bench->setup.request;
    request->variants = clear_page_variants;
    request->variant_count = clear_page_variant_count();
    request->pages = bench->page_bytes;
    request->page_count = bench->page_count;
    request->is_every_page = job->map != 0;
    request->placements = bench->placements;
    request->placement_count = 1 + job->group_count;
    request->usable_bytes = bench->usable_bytes;
    request->reserve_us = request->budget_us / AFTER_SHARE;
    request->cache_bytes = cache_bytes(job->facts);
    request->assumed_bytes_per_s =
        bits_test(leaf1.ecx, 31) ? assumed_virtual_bytes_per_s : assumed_bytes_per_s;
    bench->machine = (struct engine_machine){
        .context = bench, .window = window, .time_pass = time_pass, .count_wrong = count_wrong,
        .time_together = time_together, .now_us = now_us, .progress = progress,
        .scratch = bench->scratch, .line_bytes = bits_get(leaf1.ebx, 15, 8) * 8,
        .has_clflushopt = bits_test(leaf7.ebx, 23),
    };
}

/* Pages that were asked for by name and are not there are said, not passed over. */
static void note_missing_pages(const struct bench *bench, struct bench_results *results)
{
    static const struct bench_note missing[PAGE_KINDS] = {
        { "pages-missing", false, "map=4k: the memory cannot be mapped with such pages." },
        { "pages-missing", false, "map=2m: no region can be mapped with such pages." },
        { "pages-missing", false, "map=1g: no region can be mapped with such pages: the CPU has "
                                  "none, or no region is a multiple of 1G." },
    };
    for (uint32_t i = 0; i < PAGE_KINDS; i++) {
        bool is_mapped = false;
        for (uint32_t k = 0; k < bench->page_count; k++)
            is_mapped |= bench->page_bytes[k] == page_kinds[i];
        if ((bench->job->map >> i & 1) && !is_mapped &&
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
        !cpumask_init(&bench->reader, facts->cpu_count, arena))
        return false;
    smp_run_on(smp_running(), read_registers, bench, tsc_cycles_of_us(REGISTERS_BOUND_US), NULL);
    find_reader(bench);
    align_memory(bench);
    map_windows(bench);
    *why = "no memory that can be mapped with such pages";
    return bench->page_count != 0;
}

/* What is not timed in blocks, in what is left of the budget. */
static bool measure_after(struct bench *bench, struct bench_results *results, struct arena *arena)
{
    uint64_t end_us = bench->engine.start_us + results->budget_us;
    counters_find(&bench->counters, bench->job->facts, &bench->job->facts->cpus[0]);
    return counters_run(&bench->counters, &bench->engine, end_us, arena);
}

bool bench_run(const struct bench_job *job, struct arena *arena, struct bench_results *results,
               const char **why)
{
    struct bench *bench = ARENA_NEW(arena, struct bench, 1);
    *why = "no memory for the bench";
    if (bench == NULL)
        return false;
    bench->job = job;
    if (!prepare(bench, arena, why))
        return false;
    fill_setup(bench);
    clocks_find(&bench->clocks, job->facts, &job->facts->cpus[0], tsc_hz());
    bool is_planned = bench_setup_plan(&bench->setup, arena, results, why);
    results->place = "image: no operating system, other CPUs halted";
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
    engine_run(&bench->engine);
    *why = "no memory for the counters";
    if (!measure_after(bench, results, arena))
        return false;
    bench_setup_judge(&bench->setup, arena, results);
    *why = NULL;
    return true;
}
