/* Memory of each node, for the parts of a run that measure. */
#ifndef KERNEL_RUN_NODES_H
#define KERNEL_RUN_NODES_H

#include "kernel/measure/measure.h"
#include "kernel/run.h"

enum { RUN_MAX_PIECES = 64 }; /* nodes whose memory is used */

/* The largest granted piece of every node, the largest of all first. Returns how many. */
uint32_t run_memory_of_nodes(const struct run *run, const struct topology *topology,
                             struct measure_memory *pieces);

#endif
