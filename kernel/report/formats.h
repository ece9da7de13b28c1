/* The files a report consists of: one format each, made from the model. */
#ifndef KERNEL_REPORT_FORMATS_H
#define KERNEL_REPORT_FORMATS_H

#include <stdint.h>

#include "kernel/lib/textbuf.h"
#include "kernel/options/options.h"
#include "kernel/report/report.h"

struct report_format {
    const char *word;      /* as in report=txt,json */
    const char *file_name; /* the same on the serial line, the stick and the desk */
    void (*write)(const struct report_model *model, struct textbuf *out);
};

/* In the order they are sent: what a person reads comes first. */
extern const struct report_format report_formats[];
extern const uint32_t report_format_count;

/* The words of all formats, for options_parse(). */
struct options_word_list report_words(void);

#endif
