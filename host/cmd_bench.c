/* `coretruth bench`: the clear_page engine in Linux user space. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench_args.h"
#include "host/bench_machine.h"
#include "host/bench_perf.h"
#include "host/bench_twin.h"
#include "host/command.h"
#include "host/output.h"
#include "kernel/report/sections.h"
#include "kernel/report/writers.h"
#include "kernel/stats/bench_setup.h"
#include "kernel/stats/bench_tables.h"
#include "kernel/topology/rules.h"

#define MIB (1024ull * 1024)

/* Preparing and clearing on a slow server core, for the plan's estimate. */
static const uint64_t assumed_bytes_per_s = 3000000000;
static const size_t arena_bytes = 64 * MIB;

/* A turn is a block at the most, or all that comes before the first or after the last one. */
enum { TWIN_BOUNDS = 2 };

const char cmd_bench_usage[] =
    "usage: coretruth bench [OPTIONS]\n\n"
    "Clears memory with every variant this CPU can run, in interleaved blocks, in\n"
    "Linux user space, and says which differ. The same code as in the image.\n\n"
    "  --sizes SIZE,...      regions, e.g. 16M,1G; default: what fits of 16M,128M,1G,4G\n"
    "  --extents SIZE,...    bytes that one call clears; default 4K,2M,1G\n"
    "  --variants NAME,...   e.g. stosb,movnti8, or all\n"
    "  --map 4k,2m,1g        page sizes; default: the largest there is\n"
    "  --state WORD          before each clear: dirty (default), cold, zero\n"
    "  --table WORD          as posted with patches, published values beside it: sizes,\n"
    "                        walk (of 1G pages), chunks\n"
    "  --blocks N            default 30; up to 256 when the spread asks for it, fewer\n"
    "                        when the budget is short\n"
    "  --budget TIME         default 5m\n"
    "  --seed N              of the random orders; default 1\n"
    "  --cpu N               to stay on; default: where it starts\n"
    "  --json FILE           writes report.json\n"
    "  --against-perf        runs `perf bench mem memset` in turn with the same sizes\n"
    "  --twin FILE           a second run that takes turns with this one, round by\n"
    "                        round, within the same budget; its report.json\n"
    "  --quiet               no progress line\n\n"
    "exit status: 0 measured, 1 a variant left wrong memory or the same variant\n"
    "against itself differed, 2 usage or nothing could be run\n";

static struct bench_twin twin;

struct run {
    struct bench_args args;
    struct bench_machine machine;
    struct bench_setup setup;
    struct bench_results results;
    struct engine engine;
    struct bench_after after;
    struct arena arena;
    struct plan_request wishes; /* what was asked for, with what the table adds */
    uint32_t map;
    uint64_t pages[BENCH_PAGES_COUNT];
    const char *profiles[RULE_PROFILE_COUNT];
    struct plan_placement alone;
    char place[160];
};

static uint64_t largest_size(const struct run *run)
{
    const struct plan_request *wishes = &run->wishes;
    uint64_t largest = 0;
    if (wishes->size_count == 0)
        return wishes->usable_bytes < 4096 * MIB ? wishes->usable_bytes : 4096 * MIB;
    for (uint32_t i = 0; i < wishes->size_count; i++)
        if (wishes->sizes[i] <= wishes->usable_bytes && wishes->sizes[i] > largest)
            largest = wishes->sizes[i];
    return largest;
}

static void take_wishes(struct run *run)
{
    const struct options *options = &run->args.options;
    run->wishes = (struct plan_request){
        .sizes = options->sizes.bytes, .size_count = options->sizes.count,
        .extents = options->extents.bytes, .extent_count = options->extents.count,
        .usable_bytes = run->machine.usable_bytes,
    };
    run->map = bench_table_apply((enum bench_table)options->table, options->map, &run->wishes);
}

/* Maps what is asked for; without a wish the largest pages that can be had. */
static uint32_t map_memory(struct run *run)
{
    static const uint32_t bits[BENCH_PAGES_COUNT] = { MAP_4K, MAP_2M, MAP_1G };
    uint32_t count = 0, wanted = run->map;
    uint64_t bytes = largest_size(run);
    if (bytes == 0)
        return 0;
    if (wanted == 0) {
        for (int i = BENCH_PAGES_COUNT - 1; i >= 0 && count == 0; i--)
            if (bytes >= bench_machine_page_bytes(i) && bench_machine_map(&run->machine, i, bytes))
                run->pages[count++] = bench_machine_page_bytes(i);
        return count;
    }
    for (int i = 0; i < BENCH_PAGES_COUNT; i++) {
        if ((wanted & bits[i]) == 0)
            continue;
        if (bench_machine_map(&run->machine, i, bytes))
            run->pages[count++] = bench_machine_page_bytes(i);
        else
            fprintf(stderr, "coretruth bench: no %llu KiB pages for %llu MiB here%s\n",
                    (unsigned long long)(bench_machine_page_bytes(i) / 1024),
                    (unsigned long long)(bytes / MIB),
                    i == BENCH_PAGES_1G ? ": /sys/kernel/mm/hugepages/hugepages-1048576kB/"
                                          "nr_hugepages has to hold them, or take --map 2m"
                                        : "");
    }
    return count;
}

static void say_place(struct run *run)
{
    const char *how = "";
    for (int i = 0; i < BENCH_PAGES_COUNT; i++)
        if (run->machine.pages_how[i] != NULL && run->machine.memory[i] != NULL)
            how = run->machine.pages_how[i];
    snprintf(run->place, sizeof run->place, "hosted: Linux user space, CPU %u, %s, interrupts on%s",
             run->machine.cpu, how, run->results.is_twin ? ", in turn with another run" : "");
    run->results.place = run->place;
}

static bool plan(struct run *run, uint32_t page_count)
{
    const struct options *options = &run->args.options;
    const char *why;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        run->profiles[i] = rules_name(&rule_profiles[i]);
    run->alone = (struct plan_placement){ BENCH_PLACE_ONE, 1 };
    run->setup = (struct bench_setup){
        .facts = &run->machine.facts, .xcr0 = run->machine.xcr0, .profiles = run->profiles,
        .profile_count = RULE_PROFILE_COUNT, .is_hosted = true, .tsc_hz = run->machine.tsc_hz,
        .request = {
            .variants = clear_page_variants, .variant_count = clear_page_variant_count(),
            .chosen_variants = options->variants,
            .sizes = run->wishes.sizes, .size_count = run->wishes.size_count,
            .extents = run->wishes.extents, .extent_count = run->wishes.extent_count,
            .pages = run->pages, .page_count = page_count, .is_every_page = run->map != 0,
            .placements = &run->alone, .placement_count = 1, .state = run->args.state,
            .node = -1, .blocks = options->blocks, .budget_us = options->budget_ms * 1000,
            .reserve_us = options->budget_ms * 1000 / 10,
            .seed = options->seed, .usable_bytes = run->machine.usable_bytes,
            .cache_bytes = run->machine.cache_bytes, .assumed_bytes_per_s = assumed_bytes_per_s,
        },
    };
    if (bench_setup_plan(&run->setup, &run->arena, &run->results, &why))
        return true;
    fprintf(stderr, "coretruth bench: %s\n", why);
    return false;
}

/* The report's sections on what was measured; flushed to a file as they grow. */
static void flush_to_file(struct textbuf *buf, void *file)
{
    fwrite(buf->text, 1, buf->length, file);
}

static void write_report(const struct run *run, FILE *file, bool is_json)
{
    static char storage[1 << 16];
    struct textbuf out;
    struct report_model model = { .version = "hosted", .boot_path = "none", .quiet = "none",
                                  .loader = "coretruth bench", .options = &run->args.options,
                                  .facts = &run->machine.facts, .bench = &run->results };
    textbuf_init(&out, storage, sizeof storage);
    out.flush = flush_to_file;
    out.flush_context = file;
    if (is_json)
        json_report(&model, &out);
    else
        text_bench(&out, &model);
    flush_to_file(&out, file);
}

static bool save_json(const struct run *run)
{
    if (run->args.json_path == NULL)
        return true;
    FILE *file = fopen(run->args.json_path, "w");
    if (file != NULL) {
        write_report(run, file, true);
        if (output_close(file))
            return true;
    }
    fprintf(stderr, "coretruth bench: cannot write %s: %s\n", run->args.json_path,
            strerror(errno));
    return false;
}

static bool is_control_good(const struct bench_results *results)
{
    for (uint32_t i = 0; i < results->verdict_count; i++)
        if (results->verdicts[i].kind == BENCH_SAME_AGAINST_SAME &&
            results->verdicts[i].outcome == BENCH_DIFFERENT)
            return false;
    return true;
}

static void yield(void *context)
{
    (void)context;
    bench_twin_yield(&twin);
}

static int measure(struct run *run)
{
    struct bench_perf *perf = NULL;
    if (!engine_init(&run->engine, &run->machine.engine, &run->results, run->setup.is_runnable,
                     &run->arena)) {
        fputs("coretruth bench: no memory for the samples\n", stderr);
        return HOST_USAGE;
    }
    if (!engine_verify(&run->engine)) {
        write_report(run, stdout, false);
        fputs("coretruth bench: a variant left wrong memory behind: nothing was timed\n", stderr);
        return HOST_NO;
    }
    if (run->args.is_against_perf &&
        (perf = bench_perf_attach(&run->machine, &run->results, &run->arena)) == NULL)
        return HOST_USAGE;
    engine_measure_harness(&run->engine);
    engine_run(&run->engine);
    engine_measure_startup(&run->engine, &run->after);
    engine_measure_consumers(&run->engine, &run->after,
                             run->engine.start_us + run->results.budget_us);
    run->results.after = &run->after;
    if (perf != NULL && !bench_perf_finish(perf, &run->results, &run->arena)) {
        fputs("coretruth bench: no memory for perf's results\n", stderr);
        return HOST_USAGE;
    }
    if (!run->args.is_quiet)
        fputs("\n", stderr);
    bench_setup_judge(&run->setup, &run->arena, &run->results);
    write_report(run, stdout, false);
    if (perf != NULL)
        bench_perf_tell(perf, run->setup.scratch, stdout);
    if (!save_json(run))
        return HOST_USAGE;
    return is_control_good(&run->results) ? HOST_GOOD : HOST_NO;
}

static int bench(struct run *run)
{
    void *memory = calloc(1, arena_bytes);
    if (memory == NULL) {
        fputs("coretruth bench: no memory\n", stderr);
        return HOST_USAGE;
    }
    arena_init(&run->arena, memory, arena_bytes);
    if (!bench_machine_open(&run->machine, run->args.cpu, &run->arena))
        return HOST_USAGE;
    run->machine.is_quiet = run->args.is_quiet;
    if (run->args.twin_path != NULL)
        run->machine.engine.yield = yield;
    take_wishes(run);
    uint32_t page_count = map_memory(run);
    if (page_count == 0) {
        fputs("coretruth bench: no memory with such pages in that size\n", stderr);
        return HOST_USAGE;
    }
    if (!plan(run, page_count))
        return HOST_USAGE;
    run->results.table = run->args.options.table;
    run->results.is_twin = run->args.twin_path != NULL;
    say_place(run);
    int status = measure(run);
    free(memory);
    return status;
}

int cmd_bench(int argc, char **argv)
{
    static struct run run;
    if (!bench_args_parse(argc, argv, &run.args) || !bench_args_can_write(&run.args))
        return HOST_USAGE;
    if (run.args.twin_path == NULL)
        return bench(&run);
    if (!bench_twin_start(&twin, TWIN_BOUNDS * (int)run.args.options.budget_ms))
        return HOST_USAGE;
    if (twin.is_second) {
        run.args.json_path = run.args.twin_path;
        run.args.is_quiet = true;
    }
    return bench_twin_end(&twin, bench(&run));
}
