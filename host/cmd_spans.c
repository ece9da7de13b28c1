/* coretruth spans: topology_span_sane in its three forms on synthetic machines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/command.h"
#include "host/complain.h"
#include "host/synthetic.h"
#include "kernel/topology/checks.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/spans.h"

const char cmd_spans_usage[] =
    "usage: coretruth spans --cpus N|SOCKETSxCORESxTHREADS[,...] [--limit SECONDS]\n"
    "                       [--repeats COUNT]\n\n"
    "Builds synthetic machines (960 is 8 sockets of 60 cores of 2 threads) and times, in one\n"
    "program: all profiles with their findings; the span check in the form of linux-5.10 and\n"
    "6.1 (every pair), of 6.12 (half of the pairs) and of 7.2 (one pass); and a plain pass\n"
    "that reads every mask once. Medians of --repeats (7), in CPU time. A form that takes\n"
    "more than --limit seconds (10) for one run is stopped and not given a number.\n";

enum { ALL_PROFILES = (1 << RULE_PROFILE_COUNT) - 1, REPEATS_MOST = 1000, FINDINGS_MAX = 64 };

struct spans_options {
    const char *sizes;
    double limit_s;
    uint32_t repeats;
};

/* One timed thing: false when it was stopped at the limit. */
typedef bool (*timed_run)(void *context, double deadline_s);

struct span_bench {
    struct machine_facts facts;
    struct topology topologies[RULE_PROFILE_COUNT];
    struct span_input input;     /* the levels of the newest profile, a mask a CPU */
    struct span_scratch scratch;
    struct span_verdict verdict;
    enum span_form form;
    size_t arena_bytes;
    void *memory;
    uint32_t finding_count;
    size_t used_bytes;           /* by all profiles and their findings */
};

/* Time of this thread on a CPU: what else the machine does is not counted. */
static double now_s(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
    const double *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* Median seconds, or a negative number when one run was stopped. Fewer repeats when
 * all of them would take longer than the limit. */
static double median_s(timed_run run, void *context, const struct spans_options *options)
{
    double times[REPEATS_MOST], begin = now_s();
    uint32_t count = 0;

    do {
        double start = now_s();

        if (!run(context, start + options->limit_s))
            return -1;
        times[count++] = now_s() - start;
    } while (count < options->repeats && now_s() - begin < options->limit_s);
    qsort(times, count, sizeof(times[0]), compare_doubles);
    return times[count / 2];
}

static bool run_form(void *context, double deadline_s)
{
    struct span_bench *bench = context;

    if (bench->form == SPAN_FORM_SINGLE_PASS) {
        spans_check(&bench->input, bench->form, &bench->scratch, &bench->verdict);
        return true;
    }
    bench->verdict = (struct span_verdict){.result = SPAN_SANE};
    CPUMASK_FOR_EACH(cpu, bench->input.set) {
        if (cpu % 16 == 0 && now_s() > deadline_s)
            return false;
        if (!spans_check_cpu(&bench->input, bench->form, cpu, &bench->verdict))
            break;
    }
    return true;
}

/* What reading every mask once costs: the least any check could take. */
static bool run_plain(void *context, double deadline_s)
{
    struct span_bench *bench = context;

    (void)deadline_s;
    for (uint32_t i = 0; i < bench->input.level_count; i++) {
        const struct topology_level *level = &bench->input.levels[i];

        if (level->is_numa_overlap)
            continue;
        CPUMASK_FOR_EACH(cpu, bench->input.set)
            cpumask_or(&bench->scratch.covered, &bench->input.masks[level->mask[cpu]]);
    }
    return true;
}

static bool run_profiles(void *context, double deadline_s)
{
    struct span_bench *bench = context;
    struct findings findings;
    struct arena arena;

    (void)deadline_s;
    arena_init(&arena, bench->memory, bench->arena_bytes);
    if (!topology_build_all(&bench->facts, ALL_PROFILES, &arena, bench->topologies) ||
        !findings_init(&findings, FINDINGS_MAX, bench->facts.cpu_count, &arena) ||
        !checks_run(&bench->facts, bench->topologies, ALL_PROFILES, &arena, &findings))
        return false;
    bench->finding_count = findings.count;
    bench->used_bytes = arena.used_bytes;
    return true;
}

/* The kernel keeps a mask per CPU, except for nodes: equal masks lie apart, so that
 * comparing them is comparing words. */
static bool spread_masks(struct span_bench *bench, struct arena *arena)
{
    const struct topology *topology = &bench->topologies[RULE_PROFILE_COUNT - 1];
    uint32_t count = topology->cpu_count, at = topology->mask_count;
    struct topology_level *levels = ARENA_NEW(arena, struct topology_level, topology->level_count);
    struct cpumask *masks = ARENA_NEW(arena, struct cpumask,
                                      at + (size_t)count * topology->level_count);

    if (!levels || !masks || !spans_init_scratch(&bench->scratch, count, arena))
        return false;
    memcpy(masks, topology->masks, at * sizeof(*masks));
    for (uint32_t i = 0; i < topology->level_count; i++) {
        bool is_of_node = i + 1 < topology->level_count &&
                          topology->levels[i].mask[0] == topology->levels[i + 1].mask[0];

        levels[i] = topology->levels[i];
        if (levels[i].is_numa_overlap || (is_of_node && strcmp(levels[i].name, "PKG") == 0) ||
            strcmp(levels[i].name, "NODE") == 0)
            continue;
        levels[i].mask = ARENA_NEW(arena, uint32_t, count);
        for (uint32_t cpu = 0; levels[i].mask && cpu < count; cpu++) {
            if (!cpumask_init(&masks[at], count, arena))
                return false;
            cpumask_copy(&masks[at], &topology->masks[topology->levels[i].mask[cpu]]);
            levels[i].mask[cpu] = at++;
        }
    }
    bench->input = (struct span_input){levels, topology->level_count, masks, &topology->online};
    return !arena->is_exhausted;
}

/* The 7.2 form against the plain pass, in turns: the median of the ratios is not
 * moved by what else the machine does. */
static double ratio_to_plain(struct span_bench *bench)
{
    enum { PAIRS = 101 };
    double ratios[PAIRS];

    bench->form = SPAN_FORM_SINGLE_PASS;
    for (uint32_t i = 0; i < PAIRS; i++) {
        double start = now_s(), middle;

        run_form(bench, 0);
        middle = now_s();
        run_plain(bench, 0);
        ratios[i] = (middle - start) / (now_s() - middle);
    }
    qsort(ratios, PAIRS, sizeof(ratios[0]), compare_doubles);
    return ratios[PAIRS / 2];
}

static void print_time(double seconds, double limit_s)
{
    if (seconds < 0)
        printf("not run: over the bound of %g s", limit_s);
    else if (seconds < 1e-3)
        printf("%.1f us", seconds * 1e6);
    else
        printf("%.2f ms", seconds * 1e3);
}

static void print_form(const char *name, double seconds, double single_s, double limit_s)
{
    printf("  %-38s ", name);
    print_time(seconds, limit_s);
    if (seconds >= 0 && single_s > 0)
        printf(", %.1f times the 7.2 form", seconds / single_s);
    putchar('\n');
}

/* False: the forms do not give one verdict. */
static bool time_forms(struct span_bench *bench, const struct spans_options *options)
{
    static const char *const verdicts[] = {"not checked", "sane", "insane"};
    double seconds[SPAN_FORM_SINGLE_PASS + 1];
    enum span_result results[SPAN_FORM_SINGLE_PASS + 1];
    bool is_same = true;
    double plain;

    for (int form = SPAN_FORM_SINGLE_PASS; form >= SPAN_FORM_ALL_PAIRS; form--) {
        bench->form = (enum span_form)form;
        seconds[form] = median_s(run_form, bench, options);
        results[form] = bench->verdict.result;
        if (seconds[form] >= 0 && results[form] != results[SPAN_FORM_SINGLE_PASS])
            is_same = false;
    }
    plain = median_s(run_plain, bench, options);
    printf("  %-38s ", "span check, 7.2 form (one pass)");
    print_time(seconds[SPAN_FORM_SINGLE_PASS], options->limit_s);
    printf(", verdict %s\n", verdicts[results[SPAN_FORM_SINGLE_PASS]]);
    print_form("span check, 6.12 form (half the pairs)", seconds[SPAN_FORM_HALF_PAIRS],
               seconds[SPAN_FORM_SINGLE_PASS], options->limit_s);
    print_form("span check, 5.10 form (all pairs)", seconds[SPAN_FORM_ALL_PAIRS],
               seconds[SPAN_FORM_SINGLE_PASS], options->limit_s);
    printf("  %-38s ", "plain pass over the masks");
    print_time(plain, options->limit_s);
    printf(", the 7.2 form takes %.2f times as long\n", ratio_to_plain(bench));
    if (!is_same)
        puts("  the forms do not agree");
    return is_same;
}

static void put_count(uint32_t count, const char *word, const char *after)
{
    printf("%u %s%s%s", count, word, count == 1 ? "" : "s", after);
}

static int bench_size(const char *text, const struct spans_options *options)
{
    struct synthetic_shape shape;
    struct span_bench bench = {0};
    struct arena arena;
    size_t bytes;
    void *memory;
    double profiles;
    int status = HOST_USAGE;

    if (!synthetic_parse(text, &shape)) {
        complain("\"%s\" is no machine: an even number of CPUs or SxCxT "
                        "with APIC ids of at most 15 bits", text);
        return HOST_USAGE;
    }
    uint32_t count = synthetic_cpu_count(&shape);
    bench.arena_bytes = ((size_t)256 << 20) + (size_t)count * count / 8 * 16;
    bytes = ((size_t)32 << 20) + (size_t)count * (count / 8 + 1024) * 8;
    memory = malloc(bytes);
    bench.memory = malloc(bench.arena_bytes);
    arena_init(&arena, memory, memory ? bytes : 0);
    if (bench.memory && synthetic_build(&shape, &arena, &bench.facts) &&
        (profiles = median_s(run_profiles, &bench, options)) >= 0 && spread_masks(&bench, &arena)) {
        put_count(count, "CPU", ": ");
        put_count(shape.sockets, "socket", " of ");
        put_count(shape.cores, "core", " of ");
        put_count(shape.threads, "thread", ", ");
        put_count(bench.input.level_count, "level", "\n");
        printf("  %-38s ", "all profiles and their findings");
        print_time(profiles, options->limit_s);
        fputs(", ", stdout);
        put_count(bench.finding_count, "finding", "");
        printf(", %zu bytes a CPU\n", bench.used_bytes / count);
        status = time_forms(&bench, options) ? HOST_GOOD : HOST_NO;
    } else {
        complain("not enough memory for %s", text);
    }
    free(bench.memory);
    free(memory);
    return status;
}

static bool parse_options(int argc, char **argv, struct spans_options *options)
{
    for (int i = 1; i < argc; i++) {
        char *end = "";

        if (i + 1 < argc && strcmp(argv[i], "--cpus") == 0) {
            options->sizes = argv[++i];
        } else if (i + 1 < argc && strcmp(argv[i], "--limit") == 0) {
            options->limit_s = strtod(argv[++i], &end);
        } else if (i + 1 < argc && strcmp(argv[i], "--repeats") == 0) {
            options->repeats = (uint32_t)strtoul(argv[++i], &end, 10);
        } else {
            complain_argument(argv[i]);
            return false;
        }
        if (*end || options->limit_s <= 0 || !options->repeats || options->repeats > REPEATS_MOST) {
            complain_usage("%s %s: not a number of its range", argv[i - 1], argv[i]);
            return false;
        }
    }
    if (!options->sizes)
        complain_usage("--cpus names no machine");
    return options->sizes != NULL;
}

int cmd_spans(int argc, char **argv)
{
    struct spans_options options = {NULL, 10, 7};
    int status = HOST_GOOD;
    char *sizes;

    if (!parse_options(argc, argv, &options))
        return HOST_USAGE;
    sizes = strdup(options.sizes);
    for (char *text = strtok(sizes, ","); text; text = strtok(NULL, ",")) {
        int one = bench_size(text, &options);

        status = one > status ? one : status;
    }
    free(sizes);
    return status;
}
