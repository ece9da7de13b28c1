/* One kind of mask of a topology in the shortest form a person reads: how many
 * groups, how large, and which CPUs. */
#ifndef KERNEL_REPORT_GROUPS_TEXT_H
#define KERNEL_REPORT_GROUPS_TEXT_H

#include <stdbool.h>

#include "kernel/lib/textbuf.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

/* "4 groups of 2: 0,4 1,5 2,6 3,7"; "each CPU is alone"; "all 8 CPUs: 0-7". Of long
 * lists the first and the last are told. Masks that overlap without being equal are said to. */
void groups_text_put(struct textbuf *out, const struct topology *topology,
                     enum topology_mask kind);

/* True when every CPU has the same mask of that kind in both. */
bool groups_text_same(const struct topology *a, const struct topology *b,
                      enum topology_mask kind);

/* "SMT siblings (thread_siblings_list)" */
const char *groups_text_title(enum topology_mask kind);

/* Bits of the profiles from `first` on whose CPUs have the same masks as in `first`;
 * 0 when it was not built or its kernels do not show that kind. */
uint32_t groups_text_profiles(const struct topology *const topologies[RULE_PROFILE_COUNT],
                              uint32_t first, enum topology_mask kind);
/* "linux-4.9-rfc1, linux-4.10 to linux-6.1" */
void groups_text_put_profiles(struct textbuf *out, uint32_t profiles);

#endif
