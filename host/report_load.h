/* Topologies out of a report.json: enough of them to draw, list and compare. */
#ifndef HOST_REPORT_LOAD_H
#define HOST_REPORT_LOAD_H

#include <jansson.h>
#include <stdbool.h>

#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

struct report_load {
    void *memory;
    struct topology topologies[RULE_PROFILE_COUNT];
    uint32_t profiles;             /* bit i: topologies[i] is filled */
    char error[120];
};

/* False: the document is no coretruth report, or its numbers are not sane; see
 * load->error. report_load_free() in both cases. */
bool report_load_topologies(const json_t *report, struct report_load *load);
void report_load_free(struct report_load *load);

#endif
