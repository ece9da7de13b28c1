/* Reads what every running CPU says about itself into machine_facts. Decides nothing. */
#ifndef KERNEL_CAPTURE_CAPTURE_H
#define KERNEL_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/info/boot_info.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"

/* CPUID rows kept of one CPU; the fullest known real machine has about 130. */
enum { CAPTURE_MAX_ROWS = 320 };

struct capture {
    struct machine_facts *facts;
    uint32_t cpu_count;        /* the first of facts->cpus: those that smp knows */
    struct cpumask faulted;    /* took an exception, or did not finish in time */
    uint32_t cut_count;        /* CPUs with more CPUID rows than we keep */
    bool *is_cut;              /* by CPU */
};

/* Takes the memory for all rows. False: the arena is full. */
bool capture_init(struct capture *capture, struct machine_facts *facts, uint32_t cpu_count,
                  struct arena *arena);

/* CPUID, MSRs and APIC id on all running CPUs at once; sets the state of every CPU from
 * its start and from this. */
void capture_cpus(struct capture *capture, uint64_t bound_cycles);

/* The memory map as handed over, and what the loader told of the firmware. */
bool capture_firmware(struct machine_facts *facts, const struct boot_info *info,
                      struct arena *arena);

#endif
