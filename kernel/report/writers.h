/* The files of a report. A format is one file of this folder with its writer,
 * void NAME(model, out), and its line here. */
#ifndef KERNEL_REPORT_WRITERS_H
#define KERNEL_REPORT_WRITERS_H

#include "kernel/lib/textbuf.h"
#include "kernel/report/report.h"

/* word of report=, file, writer; in the order they are sent */
#define REPORT_FORMATS(FORMAT)                   \
    FORMAT("txt", "report.txt", text_report)     \
    FORMAT("tap", "results.tap", tap_report)     \
    FORMAT("xml", "topology.xml", xml_report)    \
    FORMAT("facts", "facts.txt", facts_report)   \
    FORMAT("json", "report.json", json_report)

#define AS_WRITER(word, file_name, write) \
    void write(const struct report_model *model, struct textbuf *out);
REPORT_FORMATS(AS_WRITER)
#undef AS_WRITER

#endif
