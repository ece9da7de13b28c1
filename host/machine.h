/* A recorded machine, what the profiles conclude from it, and its findings: what
 * most commands begin with. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/input.h"
#include "kernel/topology/findings.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

struct machine {
    struct input input;
    void *memory;                                   /* what the two below point to */
    struct topology topologies[RULE_PROFILE_COUNT]; /* of the profiles asked for */
    struct findings findings;                       /* machine_load() only */
};

/* Loads PATH, builds the profiles whose bit is set and runs the checks. False: the
 * reason was printed. machine_free() must be called in both cases. */
bool machine_load(const char *path, uint32_t profiles, struct machine *machine);

/* The same in steps, for a command that chooses the profiles by what it reads. */
bool machine_open(const char *path, struct machine *machine);
bool machine_build(struct machine *machine, uint32_t profiles);

void machine_free(struct machine *machine);

/* The bits of the profiles in "NAME[,NAME…]"; 0: one is unknown, which was printed. */
uint32_t machine_profiles(const char *names);

/* Name of profile i, NULL after the last. */
const char *machine_profile_name(unsigned i);

#endif
