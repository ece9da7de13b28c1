/* The pieces that text_measured() is made of. */
#ifndef KERNEL_REPORT_TEXT_MEASURED_H
#define KERNEL_REPORT_TEXT_MEASURED_H

#include <stdint.h>

#include "kernel/lib/textbuf.h"
#include "kernel/report/text.h"
#include "kernel/stats/measured_results.h"

/* A cell of nanoseconds with one decimal; "-" for MEASURED_NONE. */
void text_measured_put_ns(struct text_table *table, uint32_t ps);

void text_measured_costs(struct textbuf *out, const struct measured_results *measured);
void text_measured_times(struct textbuf *out, const struct measured_results *measured);

#endif
