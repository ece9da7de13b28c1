/* What the comparisons with other tools share. */
#ifndef HOST_COMPARE_OBJECTS_H
#define HOST_COMPARE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/compare.h"

struct object {
    const char *name;      /* hwloc's and libcpuid's: package, core, l1d … */
    bool is_mask;
    enum topology_mask mask;
    uint32_t level;
    const char *type;
};

/* NULL: the kernel has no such object. */
const struct object *compare_object(const char *name);
/* The mask of an object on a CPU, or MASKS_NONE where it has none. */
uint32_t compare_object_mask(const struct topology *topology, const struct object *object,
                             uint32_t cpu);

void compare_skip(struct compared *result, const char *reason);
/* Equal, different, or different by a documented rule. */
void compare_judge(const struct compare_machine *machine, const char *object, bool is_equal,
                   struct compared *result);

void compare_counts(const struct compare_machine *machine, const struct expectation *expected,
                    struct compared *result);

#endif
