/* The rule profiles: what differs between Linux generations, as data. A new
 * profile is one initialiser in rules.c; no other file compares versions. */
#ifndef KERNEL_TOPOLOGY_RULES_H
#define KERNEL_TOPOLOGY_RULES_H

#include <stdbool.h>
#include <stdint.h>

struct rule_profile; /* the fields are defined here by kernel/topology's owner */

enum { RULE_PROFILE_COUNT = 7 };

/* Oldest first: linux-4.9-rfc1, linux-4.9, linux-4.10, linux-5.10, linux-6.1,
 * linux-6.12, linux-7.2. */
extern const struct rule_profile rule_profiles[RULE_PROFILE_COUNT];

const char *rules_name(const struct rule_profile *rules);
/* NULL for a name that is not a profile. */
const struct rule_profile *rules_find(const char *name);
uint32_t rules_bit(const struct rule_profile *rules); /* 1 << index */

#endif
