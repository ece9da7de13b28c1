/* The command line of `coretruth bench`: the image's own options, written with
 * dashes, and the few that only the desk has. */
#ifndef HOST_BENCH_ARGS_H
#define HOST_BENCH_ARGS_H

#include <stdbool.h>

#include "kernel/options/options.h"
#include "kernel/stats/bench_results.h"

struct bench_args {
    struct options options;   /* sizes, extents, variants, map, blocks, budget, seed, table */
    int cpu;                  /* -1: the one this runs on */
    enum bench_state state;
    const char *json_path;    /* NULL: none */
    const char *twin_path;    /* of a second run's report; NULL: there is one run */
    bool is_against_perf;     /* run `perf bench mem memset` in turn */
    bool is_quiet;
};

/* False: printed what is wrong and what would be right. */
bool bench_args_parse(int argc, char **argv, struct bench_args *args);

/* Asked before minutes are spent: whether both reports can be written, to two files. What
 * is in them stays. False: printed why. */
bool bench_args_can_write(const struct bench_args *args);

#endif
