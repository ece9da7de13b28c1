/* `coretruth compare A.json B.json`: the same cells of two runs, as independent
 * samples. Two boots are two replicates: what is said is about these two. [clear 4.2] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench_agreement.h"
#include "host/bench_apart.h"
#include "host/bench_bars.h"
#include "host/bench_json.h"
#include "host/colour.h"
#include "host/command.h"
#include "host/complain.h"
#include "kernel/stats/fixed_log.h"
#include "kernel/stats/unpaired.h"
#include "kernel/stats/verdict.h"

enum { MIN_BLOCKS = 8, DELTA_PPM = 20000, CYCLES_DELTA_PPM = 10000, SEED = 1 };

const char cmd_compare_usage[] =
    "usage: coretruth compare A.json B.json\n"
    "       coretruth compare --bars A.json B.json [A2.json B2.json ...]\n\n"
    "Compares the page-clearing benches of two report.json files: two boots, two\n"
    "firmwares, two machines. Prints for every cell that both have the time of B over\n"
    "the time of A with its 99 % interval and a verdict (delta 2 %), and how far the\n"
    "two runs agree on the ratio of each variant to the kernel's pick. Cells that ran\n"
    "at core clocks more than 1 % apart are compared in core cycles (delta 1 %).\n\n"
    "Refused: reports without a bench, a hosted run with one of the image, a virtual\n"
    "machine with hardware, runs whose own report says that they are worth nothing,\n"
    "runs without a common cell of at least 8 blocks. Cells that only one of them has\n"
    "are counted and left out.\n\n"
    "  --bars   of pairs of runs on one machine, one of them beside perf bench: what was\n"
    "           promised (the time of the same instruction there, A against A, agreement\n"
    "           of the two runs), what was measured, and whether it is met\n\n"
    "exit status: 0 no cell is different (--bars: all are met), 1 some cell is (some is\n"
    "not), 2 refused or unreadable\n";

struct match {
    const struct bench_json_cell *a, *b;
    struct bench_verdict verdict;
    bool has_agreement;              /* on the ratio to the pick of the same condition */
    struct bench_agreement agreement;
};

struct comparison {
    struct bench_json a, b;
    const char *path_a, *path_b;
    struct match *matches;
    uint32_t match_count, short_count; /* common, but with too few blocks */
    uint32_t cycles_count;             /* compared in core cycles */
    struct unpaired_scratch *scratch;
};

static bool refuse(const char *why)
{
    complain("not comparable: %s", why);
    return false;
}

static bool are_runs_comparable(const struct comparison *c)
{
    char why[BENCH_APART_BYTES];
    return bench_apart_runs(&c->a, &c->b, c->path_a, c->path_b, why) || refuse(why);
}

static const struct bench_json_cell *pick_beside(const struct bench_json *json,
                                                 const struct bench_json_cell *cell)
{
    for (uint32_t i = 0; i < json->cell_count; i++)
        if (json->cells[i].is_pick && json->cells[i].setting == cell->setting)
            return &json->cells[i];
    return NULL;
}

static void measure_agreement(struct comparison *c, struct match *match, uint32_t stream)
{
    const struct bench_json_cell *pick_a = pick_beside(&c->a, match->a);
    const struct bench_json_cell *pick_b = pick_beside(&c->b, match->b);
    if (pick_a == NULL || pick_b == NULL || pick_a == match->a || pick_b == match->b)
        return;
    struct bench_series a = { match->a->block_ps, pick_a->block_ps, match->a->block_count,
                              pick_a->block_count };
    struct bench_series b = { match->b->block_ps, pick_b->block_ps, match->b->block_count,
                              pick_b->block_count };
    match->has_agreement = bench_agreement_of(&a, &b, stream, c->scratch, &match->agreement);
}

static uint64_t ppm_of(bool is_there, int64_t x_q32)
{
    return is_there ? fixed_log_exp_ppm(x_q32) : 0;
}

/* More than 1 % apart: time would tell the clocks apart, not the runs. [clear 4.4] */
static bool have_clocks_apart(const struct match *match)
{
    uint64_t a = match->a->core_hz, b = match->b->core_hz;
    return a != 0 && b != 0 && (a > b ? a - b : b - a) > (a < b ? a : b) / 100;
}

/* Core cycles in 1/1000 of the blocks' times. */
static void take_cycles(const struct bench_json_cell *cell, uint64_t *cycles)
{
    for (uint32_t i = 0; i < cell->block_count; i++) {
        double milli = (double)cell->block_ps[i] * (double)cell->core_hz / 1e9;
        cycles[i] = milli < 1 ? 1 : (uint64_t)llround(milli);
    }
}

static void measure(struct comparison *c, struct match *match, uint32_t stream)
{
    static uint64_t cycles_a[SHIFT_MAX_PAIRS], cycles_b[SHIFT_MAX_PAIRS];
    struct unpaired_estimate estimate;
    struct rng rng = rng_of(SEED, stream);
    bool is_apart = have_clocks_apart(match);
    if (is_apart) {
        take_cycles(match->a, cycles_a);
        take_cycles(match->b, cycles_b);
    }
    unpaired_measure(is_apart ? cycles_a : match->a->block_ps, match->a->block_count,
                     is_apart ? cycles_b : match->b->block_ps, match->b->block_count, &rng,
                     c->scratch, &estimate);
    c->cycles_count += is_apart;
    match->verdict = (struct bench_verdict){
        .kind = BENCH_PRIMARY, .delta_ppm = is_apart ? CYCLES_DELTA_PPM : DELTA_PPM,
        .is_core_cycles = is_apart, .p_ppm = estimate.p_ppm,
        .ratio_ppm = fixed_log_exp_ppm(estimate.shift_q32),
        .low95_ppm = ppm_of(estimate.has_interval95, estimate.low95_q32),
        .high95_ppm = ppm_of(estimate.has_interval95, estimate.high95_q32),
        .low99_ppm = ppm_of(estimate.has_interval99, estimate.low99_q32),
        .high99_ppm = ppm_of(estimate.has_interval99, estimate.high99_q32),
    };
    measure_agreement(c, match, stream);
}

/* Pairs the cells that both runs have. */
static bool match_cells(struct comparison *c)
{
    c->matches = calloc(c->a.cell_count + 1, sizeof *c->matches);
    c->scratch = calloc(1, sizeof *c->scratch);
    if (c->matches == NULL || c->scratch == NULL)
        return refuse("no memory");
    for (uint32_t i = 0; i < c->a.cell_count; i++)
        for (uint32_t k = 0; k < c->b.cell_count; k++) {
            const struct bench_json_cell *a = &c->a.cells[i], *b = &c->b.cells[k];
            if (!bench_json_is_same(a, b))
                continue;
            if (a->block_count < MIN_BLOCKS || b->block_count < MIN_BLOCKS)
                c->short_count++;
            else
                c->matches[c->match_count++] = (struct match){ .a = a, .b = b };
        }
    if (c->match_count == 0 && c->short_count != 0)
        return refuse("the common cells have fewer than 8 blocks");
    if (c->match_count == 0) {
        char apart[BENCH_APART_BYTES] = "A has no result", why[BENCH_APART_BYTES + 120];
        bench_apart_cells(&c->a, &c->b, apart);
        snprintf(why, sizeof why, "no variant was measured in both with the same extent, mapping, "
                                  "region, node, placement and state (%s)", apart);
        return refuse(why);
    }
    return true;
}

static void judge(struct comparison *c)
{
    struct bench_verdict *list = calloc(c->match_count, sizeof *list);
    for (uint32_t i = 0; i < c->match_count; i++)
        measure(c, &c->matches[i], i);
    for (uint32_t i = 0; list != NULL && i < c->match_count; i++)
        list[i] = c->matches[i].verdict;
    if (list != NULL)
        verdict_holm(list, c->match_count);
    for (uint32_t i = 0; list != NULL && i < c->match_count; i++) {
        verdict_decide(&list[i]);
        c->matches[i].verdict = list[i];
    }
    free(list);
}

static void put_size(uint64_t bytes, int width)
{
    static const char letters[] = " KMGT";
    int letter = 0;
    while (bytes != 0 && bytes % 1024 == 0 && letter < 4) {
        bytes /= 1024;
        letter++;
    }
    char text[32];
    snprintf(text, sizeof text, "%llu%.1s", (unsigned long long)bytes,
             letter == 0 ? "" : &letters[letter]);
    printf("%-*s", width, text);
}

static enum colour outcome_colour(enum bench_outcome outcome)
{
    return outcome == BENCH_DIFFERENT ? COLOUR_BAD :
           outcome == BENCH_EQUIVALENT ? COLOUR_GOOD : COLOUR_DIM;
}

static void put_match(const struct match *match)
{
    const struct bench_verdict *verdict = &match->verdict;
    printf("%-12s ", match->a->variant);
    put_size(match->a->extent_bytes, 7);
    put_size(match->a->region_bytes, 7);
    put_size(match->a->page_bytes, 6);
    printf("%.4f ", (double)verdict->ratio_ppm / 1e6);
    if (verdict->high99_ppm != 0)
        printf("%.4f-%.4f ", (double)verdict->low99_ppm / 1e6, (double)verdict->high99_ppm / 1e6);
    else
        printf("%-13s ", "-");
    printf("%s%s%s%s\n", colour_text(stdout, outcome_colour(verdict->outcome)),
           bench_outcome_name(verdict->outcome), colour_text(stdout, COLOUR_NONE),
           verdict->is_core_cycles ? " (core cycles)" : "");
}

/* How far the runs disagree about the ratio of a variant to the pick. */
static void put_agreement(const struct comparison *c)
{
    const struct match *worst = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->match_count; i++) {
        const struct match *match = &c->matches[i];
        if (!match->has_agreement)
            continue;
        count++;
        if (worst == NULL || fabs(match->agreement.gap_percent) >
                                 fabs(worst->agreement.gap_percent))
            worst = match;
    }
    if (worst == NULL)
        return;
    const struct bench_agreement *found = &worst->agreement;
    printf("\nratios to the kernel's pick: %u compared, largest disagreement %.2f %% (%s, extent ",
           count, fabs(found->gap_percent), worst->a->variant);
    put_size(worst->a->extent_bytes, 0);
    printf(", region ");
    put_size(worst->a->region_bytes, 0);
    printf(": %.4f and %.4f", found->ratio_a, found->ratio_b);
    if (found->has_interval)
        printf("; 95 %% interval %+.2f to %+.2f %%", found->low95_percent, found->high95_percent);
    printf(")\n");
}

/* A hosted run has no build of the image; its place says "hosted" by itself. */
static void put_origin(const char *side, const char *path, const struct bench_json *json)
{
    printf("%s  %s  (%s%s%s)\n", side, path, json->is_hosted ? "" : json->version,
           json->is_hosted ? "" : "; ", json->place);
}

static void put_head(const struct comparison *c)
{
    put_origin("A", c->path_a, &c->a);
    put_origin("B", c->path_b, &c->b);
    if (strcmp(c->a.cpu, c->b.cpu) != 0)
        printf("two machines: A is %s, B is %s\n", c->a.cpu, c->b.cpu);
    printf("one %s of each: a difference is one between these two, whatever its cause\n\n"
           "time of B over time of A, below 1 B is faster\n"
           "variant      extent region page  B/A    99 %% interval verdict\n",
           c->a.is_hosted ? "run" : "boot");
}

/* What the comparison is not about. */
static void put_only(const char *side, const char *other_side, const struct bench_json *one,
                     const struct bench_json *other)
{
    char why[BENCH_APART_BYTES];
    uint32_t count = bench_apart_cells(one, other, why);
    if (count != 0)
        printf("%u cells are in %s only and were not compared: in %s %s\n", count, side, other_side,
               why);
}

static bool load_pair(struct comparison *c)
{
    return bench_json_load(c->path_a, &c->a) && bench_json_load(c->path_b, &c->b) &&
           are_runs_comparable(c);
}

static void free_pair(struct comparison *c)
{
    bench_json_free(&c->a);
    bench_json_free(&c->b);
}

static int tell_bars(struct comparison *c, int count, char **paths)
{
    struct bench_bars bars = { 0 };
    c->scratch = calloc(1, sizeof *c->scratch);
    if (c->scratch == NULL) {
        refuse("no memory");
        return HOST_USAGE;
    }
    for (int i = 0; i + 1 < count; i += 2) {
        c->path_a = paths[i];
        c->path_b = paths[i + 1];
        bool is_loaded = load_pair(c);
        if (is_loaded)
            bench_bars_add(&bars, &c->a, &c->b, c->scratch);
        free_pair(c);
        if (!is_loaded)
            return HOST_USAGE;
    }
    return bench_bars_tell(&bars) ? HOST_GOOD : HOST_NO;
}

static int compare(struct comparison *c)
{
    int status = HOST_GOOD;
    if (!load_pair(c) || !match_cells(c))
        return HOST_USAGE;
    judge(c);
    put_head(c);
    for (uint32_t i = 0; i < c->match_count; i++) {
        put_match(&c->matches[i]);
        if (c->matches[i].verdict.outcome == BENCH_DIFFERENT)
            status = HOST_NO;
    }
    put_agreement(c);
    put_only("A", "B", &c->a, &c->b);
    put_only("B", "A", &c->b, &c->a);
    if (c->cycles_count != 0)
        printf("%u cells ran at core clocks more than 1 %% apart: no verdict on time, they are "
               "compared in core cycles\n", c->cycles_count);
    if (c->short_count != 0)
        printf("%u common cells have fewer than 8 blocks and are left out\n", c->short_count);
    return status;
}

int cmd_compare(int argc, char **argv)
{
    struct comparison comparison = { 0 };
    bool is_about_bars = argc > 1 && strcmp(argv[1], "--bars") == 0;
    int first = is_about_bars ? 2 : 1, count = argc - first, status;
    for (int i = first; i < argc; i++)
        if ((!is_about_bars && i > first + 1) || argv[i][0] == '-')
            return complain_argument(argv[i]);
    if (count < 2 || count % 2 != 0)
        return complain_usage("two reports are compared: A.json and B.json%s",
                              is_about_bars ? "; with --bars pairs of them" : "");
    if (is_about_bars) {
        status = tell_bars(&comparison, count, argv + first);
    } else {
        comparison.path_a = argv[first];
        comparison.path_b = argv[first + 1];
        status = compare(&comparison);
    }
    free_pair(&comparison);
    free(comparison.matches);
    free(comparison.scratch);
    return status;
}
