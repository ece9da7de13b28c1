/* What was promised of the hosted bench, beside what two runs measured. */
#ifndef HOST_BENCH_BARS_H
#define HOST_BENCH_BARS_H

#include <stdbool.h>

#include "host/bench_json.h"
#include "kernel/stats/unpaired.h"

/* Prints the ratios of both runs with their disagreement, then a table of bars. False:
 * one of them is not met, or could not be measured. */
bool bench_bars_tell(const struct bench_json *a, const struct bench_json *b,
                     struct unpaired_scratch *scratch);

#endif
