/* What the run says, in a few sentences for somebody who reads nothing else. */
#ifndef KERNEL_REPORT_SENTENCE_H
#define KERNEL_REPORT_SENTENCE_H

#include "kernel/lib/textbuf.h"
#include "kernel/report/report.h"
#include "kernel/stats/bench_results.h"

void sentence_put(struct textbuf *out, const struct report_model *model);

/* The setting that the picture shows: the first primary one that was measured, else the
 * first measured; NULL: there is none. */
const struct bench_setting *sentence_setting(const struct bench_results *bench);

/* "extent 4K in 16M, 4K pages, one CPU" */
void sentence_put_setting(struct textbuf *out, const struct bench_setting *setting);

/* The profile of the newest kernel whose choice that cell is; NULL: it is not one. */
const char *sentence_pick(const struct bench_results *bench, const struct bench_cell *cell);

/* The verdict on a cell against its setting's reference; NULL: it is the reference. */
const struct bench_verdict *sentence_verdict(const struct bench_results *bench, uint32_t cell);

#endif
