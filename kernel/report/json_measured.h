/* The pieces that json_measured() is made of. */
#ifndef KERNEL_REPORT_JSON_MEASURED_H
#define KERNEL_REPORT_JSON_MEASURED_H

#include <stdint.h>

#include "kernel/report/json.h"
#include "kernel/stats/measured_results.h"

void json_measured_cpu(struct json *json, const char *key, const struct measured_results *measured,
                       uint32_t slot);
/* null for MEASURED_NONE. */
void json_measured_value(struct json *json, const char *key, uint32_t value);

/* .contention, .llc_sharing, .migration */
void json_measured_costs(struct json *json, const struct measured_results *measured);
/* .tsc, .cycles, .noise */
void json_measured_times(struct json *json, const struct measured_results *measured);

#endif
