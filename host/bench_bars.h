/* What was promised of the hosted bench, beside what pairs of runs measured. */
#ifndef HOST_BENCH_BARS_H
#define HOST_BENCH_BARS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/bench_json.h"
#include "host/bench_agreement.h"
#include "kernel/stats/unpaired.h"

enum { BENCH_BARS_LABEL = 96 };

/* Of the two runs' disagreements the one that is farthest from 0. */
struct bench_bars_worst {
    char label[BENCH_BARS_LABEL];
    struct bench_agreement agreement;
    uint32_t count, over; /* over: beyond the bar */
};

/* The slowest of ours against the peer's same instruction. */
struct bench_bars_slowest {
    char label[BENCH_BARS_LABEL];
    double ratio, low95, high95;
    uint32_t count, over;
};

/* A against A, of one run of each pair. */
struct bench_bars_controls {
    uint32_t count, equivalent;
    double widest; /* 99 % interval, as a ratio */
};

/* All zero before the first pair. */
struct bench_bars {
    struct bench_bars_worst ours, same, peers;
    struct bench_bars_slowest slowest;
    struct bench_bars_controls controls[2];
};

/* One pair of runs: prints the ratios of both with their disagreement. */
void bench_bars_add(struct bench_bars *bars, const struct bench_json *a,
                    const struct bench_json *b, struct unpaired_scratch *scratch);

/* The table, of all pairs. False: a bar is not met, or could not be measured. */
bool bench_bars_tell(const struct bench_bars *bars);

#endif
