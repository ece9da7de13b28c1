/* Parts of the bench's section that have files of their own. */
#ifndef KERNEL_REPORT_BENCH_PARTS_H
#define KERNEL_REPORT_BENCH_PARTS_H

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/textbuf.h"
#include "kernel/report/json.h"
#include "kernel/stats/bench_results.h"

/* The counts of one entry of results[], by name; nothing when it was not counted. */
void json_bench_cell_counters(struct json *json, const struct bench_results *bench, uint32_t cell);
void json_bench_counters(struct json *json, const struct bench_results *bench);
void text_bench_counters(struct textbuf *out, const struct bench_results *bench);
void json_bench_peer(struct json *json, const struct bench_results *bench);
void json_bench_after(struct json *json, const struct bench_results *bench);
/* One sentence: what to use for 4K faults, 2M and 1G pages. Nothing without such a setting. */
void text_bench_answer(struct textbuf *out, const struct bench_results *bench);
void text_bench_cells(struct textbuf *out, const struct bench_results *bench);
void text_bench_table(struct textbuf *out, const struct bench_results *bench,
                      const struct machine_facts *facts);
void text_bench_after(struct textbuf *out, const struct bench_results *bench);

struct text_table;
/* "1.23", standard deviation in per cent; "-" where there is one block. */
void text_cell_spread(struct text_table *table, const struct bench_cell *cell);

#endif
