/* One expectation of a recorded machine against what a profile concludes. */
#ifndef HOST_COMPARE_H
#define HOST_COMPARE_H

#include <stddef.h>

#include "kernel/facts/expectations.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/topology/topology.h"

enum compare_outcome {
    COMPARE_EQUAL,
    COMPARE_DIFFERENT,
    COMPARE_BY_RULE,  /* different, and a documented difference of rules says so */
    COMPARE_SKIPPED,  /* nothing here says anything about it */
};

struct compared {
    enum compare_outcome outcome;
    char *got;             /* what we conclude, in the expectation's form */
    size_t got_bytes;      /* room of `got` */
    const char *reason;    /* of COMPARE_SKIPPED and COMPARE_BY_RULE */
};

enum { AIDA_UNKNOWN = -1 };

struct compare_machine {
    const struct machine_facts *facts;
    const struct expectations *expectations;
    const struct topology *topology;  /* the profile to compare with */
    long *aida_package, *aida_core;   /* by CPU; AIDA_UNKNOWN */
    uint32_t aida_count;
};

/* Collects the expectations that only make sense together. False: out of memory. */
bool compare_machine_init(struct compare_machine *machine, const struct machine_facts *facts,
                          const struct expectations *expectations);
void compare_machine_free(struct compare_machine *machine);

/* Values of sysfs, of a record and of a case. */
void compare_sysfs(const struct topology *topology, const struct expectation *expected,
                   struct compared *result);
/* Objects of hwloc, grouping by AIDA64, counts by libcpuid. */
void compare_objects(const struct compare_machine *machine, const struct expectation *expected,
                     struct compared *result);

#endif
