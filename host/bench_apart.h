/* Why two reports, or cells of them, cannot be compared. */
#ifndef HOST_BENCH_APART_H
#define HOST_BENCH_APART_H

#include <stddef.h>

#include "host/bench_json.h"

enum { BENCH_APART_BYTES = 400 };

/* False: `why` says what of the two runs as a whole is not alike. */
bool bench_apart_runs(const struct bench_json *a, const struct bench_json *b, const char *path_a,
                      const char *path_b, char why[BENCH_APART_BYTES]);

/* Cells of `one` without one of the same variant and conditions in `other`. When there is one,
 * `why` says of the first what is nearest to it there and how that differs. */
uint32_t bench_apart_cells(const struct bench_json *one, const struct bench_json *other,
                           char why[BENCH_APART_BYTES]);

#endif
