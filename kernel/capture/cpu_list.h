/* The CPUs that the MADT lists, for starting: the boot CPU first, then the enabled ones
 * in table order, each once, then those that are listed but not enabled. The numbering of
 * the rule profiles is not made here. */
#ifndef KERNEL_CAPTURE_CPU_LIST_H
#define KERNEL_CAPTURE_CPU_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/input_error.h"

struct cpu_list {
    bool has_madt;
    bool is_broken;          /* `error` says where: the entries before it count */
    struct input_error error;
    bool is_boot_cpu_listed; /* as an enabled entry */
    uint32_t enabled_count;  /* CPUs to have running, the boot CPU included */
};

/* The highest APIC id of an enabled entry; 0: no MADT or none. */
uint32_t cpu_list_max_apic_id(const struct machine_facts *facts);

/* Fills facts->cpus and facts->number. False: the arena is full. */
bool cpu_list_build(struct machine_facts *facts, uint32_t boot_apic_id, struct arena *arena,
                    struct cpu_list *list);

#endif
