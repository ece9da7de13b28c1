/* Parts of the bench's section that have files of their own. */
#ifndef KERNEL_REPORT_BENCH_PARTS_H
#define KERNEL_REPORT_BENCH_PARTS_H

#include "kernel/lib/textbuf.h"
#include "kernel/report/json.h"
#include "kernel/stats/bench_results.h"

void json_bench_counters(struct json *json, const struct bench_results *bench);
void text_bench_counters(struct textbuf *out, const struct bench_results *bench);

#endif
