/* The registers that show whether a hardware watchdog runs. */
#ifndef KERNEL_CAPTURE_WATCHDOG_CAPTURE_H
#define KERNEL_CAPTURE_WATCHDOG_CAPTURE_H

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"

/* Ids and classes of PCI bus 0, then whatever kernel/facts/watchdog.c asks for, into
 * facts->registers. Only the address port of PCI configuration space is written, and given
 * back. False: the arena is full. After the tables and SMBIOS were read. */
bool watchdog_capture(struct machine_facts *facts, struct arena *arena);

#endif
