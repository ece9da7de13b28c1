/* Hardware watchdogs, as far as reading shows them: none is armed, pinged or stopped. What
 * has to be read depends on what was read before, so the reader asks until nothing is
 * wanted any more; the same walk then decides. */
#ifndef KERNEL_FACTS_WATCHDOG_H
#define KERNEL_FACTS_WATCHDOG_H

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/textbuf.h"

enum { WATCHDOGS_MAX = 8, WATCHDOG_WANTS_MAX = 16, WATCHDOG_ROUNDS_MAX = 8 };

enum watchdog_state { WATCHDOG_UNKNOWN, WATCHDOG_STOPPED, WATCHDOG_RUNNING };
enum watchdog_reset { WATCHDOG_MAY_RESET, WATCHDOG_RESETS, WATCHDOG_NO_RESET };

struct watchdog {
    const char *kind;       /* stable word: "tco", "i6300esb", "amd-fch", "wdat" … */
    const char *name;
    char place[64];         /* where it was found */
    enum watchdog_state state;
    enum watchdog_reset reset;
    bool has_timeout;
    uint64_t timeout_ms;
};

/* What the facts show, and registers that are not among them and would show more. */
struct watchdogs {
    struct watchdog list[WATCHDOGS_MAX];
    uint32_t count;
    struct facts_register wants[WATCHDOG_WANTS_MAX]; /* without values */
    uint32_t want_count;
};

void watchdogs_find(const struct machine_facts *facts, struct watchdogs *found);

const char *watchdog_state_name(enum watchdog_state state);   /* "running", … */
const char *watchdog_reset_name(enum watchdog_reset reset);   /* "yes", "no", "unknown" */

/* "TCO timer of the chipset (PCI 00:1f.0, port 0x660): stopped, time-out 2.4 s, cannot reset" */
void watchdog_put(struct textbuf *out, const struct watchdog *watchdog);

#endif
