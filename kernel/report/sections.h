/* The parts of report.txt and report.json, one file each: text_PART.c, json_PART.c.
 * How to add one stands at the top of formats.c. */
#ifndef KERNEL_REPORT_SECTIONS_H
#define KERNEL_REPORT_SECTIONS_H

#include "kernel/lib/textbuf.h"
#include "kernel/report/json.h"
#include "kernel/report/report.h"

/* Writes its members into the top-level object; nothing when the part did not run. */
typedef void (*json_section)(struct json *json, const struct report_model *model);
void json_summary(struct json *json, const struct report_model *model);
void json_machine(struct json *json, const struct report_model *model);
void json_cpus(struct json *json, const struct report_model *model);
void json_topology(struct json *json, const struct report_model *model);
void json_findings(struct json *json, const struct report_model *model);
void json_measured(struct json *json, const struct report_model *model);
void json_bench(struct json *json, const struct report_model *model);

/* Writes its heading and lines; nothing when the part did not run. */
typedef void (*text_section)(struct textbuf *out, const struct report_model *model);
void text_summary(struct textbuf *out, const struct report_model *model);
void text_findings(struct textbuf *out, const struct report_model *model);
void text_machine(struct textbuf *out, const struct report_model *model);
void text_cpus(struct textbuf *out, const struct report_model *model);
void text_topology(struct textbuf *out, const struct report_model *model);
void text_measured(struct textbuf *out, const struct report_model *model);
void text_bench(struct textbuf *out, const struct report_model *model);
void text_options(struct textbuf *out, const struct report_model *model);

#endif
