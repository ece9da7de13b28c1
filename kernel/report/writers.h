/* The writer of each format; called through report_formats[] only. */
#ifndef KERNEL_REPORT_WRITERS_H
#define KERNEL_REPORT_WRITERS_H

#include "kernel/lib/textbuf.h"
#include "kernel/report/report.h"

void text_report(const struct report_model *model, struct textbuf *out);
void json_report(const struct report_model *model, struct textbuf *out);
void facts_report(const struct report_model *model, struct textbuf *out);
void tap_report(const struct report_model *model, struct textbuf *out);
void xml_report(const struct report_model *model, struct textbuf *out);

#endif
