/* The CPUs of a machine of which only the MADT is known. */
#ifndef KERNEL_FACTS_MADT_CPUS_H
#define KERNEL_FACTS_MADT_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"

/* Fills facts->cpus from its table APIC: one CPU for every usable id of an enabled
 * entry, the boot CPU first (`boot_apic_id`; NULL: the first enabled entry). They
 * have no rows. A broken table gives the CPUs before the break. False: the arena
 * is full. */
bool madt_cpus_add(struct machine_facts *facts, const uint32_t *boot_apic_id,
                   struct arena *arena);

#endif
