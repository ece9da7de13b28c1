/* Watchdogs that ACPI tables describe, and what the files that find watchdogs share. */
#ifndef KERNEL_FACTS_WATCHDOG_TABLES_H
#define KERNEL_FACTS_WATCHDOG_TABLES_H

#include "kernel/facts/watchdog.h"

struct watchdog_walk {
    const struct machine_facts *facts;
    struct watchdogs *found;
};

/* The value of a register. False: it reads as all ones, or is not recorded, which is then
 * among the wants. */
bool watchdog_read(struct watchdog_walk *walk, enum facts_space space, uint64_t address,
                   uint32_t bytes, uint64_t *value);

/* NULL: the list is full. */
struct watchdog *watchdog_add(struct watchdog_walk *walk, const char *kind, const char *name);
void watchdog_place(struct watchdog *watchdog, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void watchdog_set_timeout(struct watchdog *watchdog, uint64_t ms);

/* The control register that WDRT and AMD share: bit 0 runs, bit 3 disabled. */
enum watchdog_state watchdog_state_of_control(uint32_t control);

/* WDAT, WDRT, WDDT. */
void watchdog_find_in_tables(struct watchdog_walk *walk);

#endif
