/* The bench part of a report.json, read back for comparing. */
#ifndef HOST_BENCH_JSON_H
#define HOST_BENCH_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/shift.h"

struct bench_json_cell {
    char variant[32];
    uint64_t extent_bytes, page_bytes, region_bytes, cpu_count;
    int64_t node;
    char placement[16], state[16];
    bool is_pick;
    uint32_t occurrence;  /* a condition may be in the plan twice: candidates run beside */
    uint64_t setting;
    uint64_t core_hz;     /* median core clock; 0: not known */
    uint64_t block_ps[SHIFT_MAX_PAIRS]; /* time for one extent */
    uint32_t block_count;
};

struct bench_json {
    char version[64], place[160], cpu[80], void_note[240]; /* empty: not there, not void */
    bool is_hosted;
    uint64_t tsc_hz;
    struct bench_json_cell *cells;      /* repeats of the control are left out */
    uint32_t cell_count;
};

/* False: printed what is wrong with the file. */
bool bench_json_load(const char *path, struct bench_json *out);
void bench_json_free(struct bench_json *json);

/* Same variant under the same conditions. */
bool bench_json_is_same(const struct bench_json_cell *a, const struct bench_json_cell *b);

#endif
