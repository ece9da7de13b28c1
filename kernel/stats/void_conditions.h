/* What makes a bench worth nothing, or needs to be said before its numbers. */
#ifndef KERNEL_STATS_VOID_CONDITIONS_H
#define KERNEL_STATS_VOID_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_results.h"

enum { VOID_CONDITIONS_MAX_NOTES = 16 }; /* room in results->notes */

/* Control registers of a CPU at the time of the bench. */
struct void_registers {
    bool is_read;
    uint64_t cr0;
};

/* Notes into results->notes, void ones first. `registers`: per facts->cpus[], or
 * NULL. A hosted run is about the virtual machine it runs in: there a hypervisor
 * is told, but does not void the verdicts. False: the arena is full. */
bool void_conditions_note(const struct machine_facts *facts,
                          const struct void_registers *registers, bool is_hosted,
                          struct arena *arena, struct bench_results *results);

#endif
