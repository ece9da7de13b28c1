/* The drawings of `coretruth export`, as files of their own and inside report.html. */
#ifndef HOST_FIGURES_H
#define HOST_FIGURES_H

#include "host/export.h"

/* Each writes one <svg> element; false, and nothing written: the source has nothing to
 * draw. `is_alone`: the drawing is a file and brings its style sheet. */
bool figure_topology(const struct export_source *source, bool is_alone, FILE *out);
bool figure_latency(const struct export_source *source, bool is_alone, FILE *out);
/* One setting of the bench; every setting below each other. */
bool figure_bench(const struct export_source *source, size_t setting, FILE *out);
bool figure_bench_all(const struct export_source *source, FILE *out);

#endif
