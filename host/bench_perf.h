/* `perf bench mem memset` as a peer: run in turn with the engine's blocks, over
 * the same size, with the same kind of pages. */
#ifndef HOST_BENCH_PERF_H
#define HOST_BENCH_PERF_H

#include <stdio.h>

#include "host/bench_machine.h"
#include "kernel/stats/bench_results.h"
#include "kernel/stats/verdict.h"

struct bench_perf;

/* Lets the engine run perf's functions in every block. NULL: there is no perf, or
 * it does not know the functions; printed. */
struct bench_perf *bench_perf_attach(struct bench_machine *machine,
                                     const struct bench_results *results, struct arena *arena);

/* After the blocks: results->peer. False: the arena is full. */
bool bench_perf_finish(struct bench_perf *perf, struct bench_results *results,
                       struct arena *arena);

/* Ratios per instruction, block by block. */
void bench_perf_tell(const struct bench_perf *perf, struct verdict_scratch *scratch, FILE *out);

#endif
