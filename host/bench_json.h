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

/* The same against the same, in one setting. */
struct bench_json_control {
    uint64_t setting;
    char verdict[16];
    double low99, high99; /* 0: no interval */
};

/* One function of another program, over a region. */
struct bench_json_peer {
    char function[32], variant[32]; /* variant: ours with the same store loop, or empty */
    uint64_t region_bytes, page_bytes;
    uint64_t block_ps[SHIFT_MAX_PAIRS]; /* time for unit_bytes; 0: it failed in that block */
    uint32_t block_count;
};

struct bench_json {
    char version[64], place[160], cpu[80], void_note[240]; /* empty: not there, not void */
    bool is_hosted, is_twin; /* twin: took turns with another run, setting by setting */
    bool is_virtual;                    /* a note says that there is a hypervisor */
    uint64_t tsc_hz;
    struct bench_json_cell *cells;      /* repeats of the control are left out */
    uint32_t cell_count;
    struct bench_json_cell *repeats;    /* second arms of A against A */
    uint32_t repeat_count;
    struct bench_json_control *controls;
    uint32_t control_count;
    char peer_version[80];
    uint64_t peer_unit_bytes;
    struct bench_json_peer *peers;
    uint32_t peer_count;
};

/* False: printed what is wrong with the file. */
bool bench_json_load(const char *path, struct bench_json *out);
void bench_json_free(struct bench_json *json);

/* Same variant under the same conditions. */
bool bench_json_is_same(const struct bench_json_cell *a, const struct bench_json_cell *b);

#endif
