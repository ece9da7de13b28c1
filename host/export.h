/* What `coretruth export` can make, and what it makes it from. */
#ifndef HOST_EXPORT_H
#define HOST_EXPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/machine.h"
#include "host/report_load.h"
#include "kernel/report/report.h"

struct export_source {
    bool has_machine;              /* FILE was a recorded machine, concluded from anew */
    struct machine machine;
    struct report_load loaded;     /* FILE was a report.json */
    struct report_model model;     /* from a report.json only the topologies are filled */
    json_t *report;                /* report.json of either */
};

struct export_format {
    const char *word, *file_name;
    /* False: the source has nothing of the kind. */
    bool (*write)(const struct export_source *source, FILE *out);
};

/* Finds the formats of a list "xml,md"; returns their number, 0 after a message. */
int export_find_formats(const char *words, const struct export_format **formats, int capacity);

/* False: the reason was printed. export_close() must be called in both cases. */
bool export_open(const char *path, struct export_source *source);
void export_close(struct export_source *source);

/* Runs a writer of kernel/report on a stream. */
bool export_text(void (*write)(const struct report_model *, struct textbuf *),
                 const struct report_model *model, FILE *out);

bool export_markdown(const struct export_source *source, FILE *out);
bool export_cpus_csv(const struct export_source *source, FILE *out);
bool export_bench_csv(const struct export_source *source, FILE *out);
bool export_html(const struct export_source *source, FILE *out);

#endif
