/* What must be alike before two benches are compared. [clear 4.2, 4.4] */
#include "host/bench_apart.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool bench_apart_runs(const struct bench_json *a, const struct bench_json *b, const char *path_a,
                      const char *path_b, char why[BENCH_APART_BYTES])
{
    const struct bench_json *void_run = a->void_note[0] != 0 ? a : b;
    if (a->is_hosted != b->is_hosted)
        snprintf(why, BENCH_APART_BYTES,
                 "one was measured under Linux, the other in the image (%s; %s)", a->place,
                 b->place);
    else if (void_run->void_note[0] != 0)
        snprintf(why, BENCH_APART_BYTES, "%s gives no verdict: %s",
                 void_run == a ? path_a : path_b, void_run->void_note);
    else if (a->is_virtual != b->is_virtual)
        snprintf(why, BENCH_APART_BYTES, "%s ran in a virtual machine, %s did not",
                 a->is_virtual ? path_a : path_b, a->is_virtual ? path_b : path_a);
    else
        return true;
    return false;
}

/* How many conditions differ; `what` names the first of them. */
static uint32_t conditions_apart(const struct bench_json_cell *a, const struct bench_json_cell *b,
                                 char *what, size_t size)
{
    const struct { const char *name; int64_t a, b; } numbers[] = {
        { "extent", (int64_t)a->extent_bytes, (int64_t)b->extent_bytes },
        { "region", (int64_t)a->region_bytes, (int64_t)b->region_bytes },
        { "pages", (int64_t)a->page_bytes, (int64_t)b->page_bytes },
        { "node", a->node, b->node },
        { "number of CPUs", (int64_t)a->cpu_count, (int64_t)b->cpu_count },
        { "repetition", a->occurrence, b->occurrence },
    };
    const struct { const char *name, *a, *b; } words[] = {
        { "placement", a->placement, b->placement }, { "state before", a->state, b->state },
    };
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].a != numbers[i].b && count++ == 0)
            snprintf(what, size, "%s %" PRId64 " and %" PRId64, numbers[i].name, numbers[i].a,
                     numbers[i].b);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].a, words[i].b) != 0 && count++ == 0)
            snprintf(what, size, "%s \"%s\" and \"%s\"", words[i].name, words[i].a, words[i].b);
    return count;
}

static void tell_nearest(const struct bench_json_cell *cell, const struct bench_json *other,
                         char why[BENCH_APART_BYTES])
{
    uint32_t least = UINT32_MAX;
    snprintf(why, BENCH_APART_BYTES, "variant %s is not there", cell->variant);
    for (uint32_t i = 0; i < other->cell_count; i++) {
        char what[100] = "";
        if (strcmp(other->cells[i].variant, cell->variant) != 0)
            continue;
        uint32_t count = conditions_apart(cell, &other->cells[i], what, sizeof what);
        if (count >= least)
            continue;
        least = count;
        snprintf(why, BENCH_APART_BYTES, "%s: %s", cell->variant, what);
    }
}

uint32_t bench_apart_cells(const struct bench_json *one, const struct bench_json *other,
                           char why[BENCH_APART_BYTES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < one->cell_count; i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < other->cell_count && !is_there; k++)
            is_there = bench_json_is_same(&one->cells[i], &other->cells[k]);
        if (!is_there && count++ == 0)
            tell_nearest(&one->cells[i], other, why);
    }
    return count;
}
