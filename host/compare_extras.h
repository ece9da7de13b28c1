/* Whether a record has as many files, caches and domains as a profile concludes. */
#ifndef HOST_COMPARE_EXTRAS_H
#define HOST_COMPARE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/expectations.h"
#include "kernel/topology/topology.h"

typedef void (*extra_judge)(void *context, uint32_t cpu, const char *what, uint32_t recorded,
                            uint32_t concluded);

/* Calls `judge` for each online CPU and each kind whose section the record has.
 * False: out of memory. */
bool compare_extras(const struct topology *topology, const struct expectations *all,
                    extra_judge judge, void *context);

#endif
