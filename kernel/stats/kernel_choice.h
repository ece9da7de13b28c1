/* Which clear_page each Linux generation patches in on this CPU, from the bits
 * it looks at. Never from the model: firmware and hypervisors hide bits. */
#ifndef KERNEL_STATS_KERNEL_CHOICE_H
#define KERNEL_STATS_KERNEL_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_results.h"

/* One entry per name in `profiles`, in that order. NULL: the arena is full. */
struct bench_choice *kernel_choice_make(const struct machine_facts *facts,
                                        const struct cpu_facts *cpu,
                                        const char *const *profiles, uint32_t profile_count,
                                        struct arena *arena);

#endif
