/* Published clearing rates of one core, to say "implausible" when a result is far
 * from them. The value itself is never changed or hidden. */
#ifndef KERNEL_STATS_PLAUSIBLE_H
#define KERNEL_STATS_PLAUSIBLE_H

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_results.h"

/* NULL: inside half … one and a half of the published range, or none is published
 * for this CPU, variant, extent or placement. Else the sentence for cell.implausible. */
const char *plausible_remark(const struct machine_facts *facts, const struct cpu_facts *cpu,
                             const struct clear_variant *variant,
                             const struct bench_setting *setting, uint64_t bytes_per_s,
                             struct arena *arena);

#endif
