/* The checks: what is wrong with a machine's declarations, or worth knowing, by
 * rules of the kernels and of the manuals. One table entry each. [rules 8] */
#ifndef KERNEL_TOPOLOGY_CHECKS_H
#define KERNEL_TOPOLOGY_CHECKS_H

#include "kernel/lib/textbuf.h"
#include "kernel/topology/findings.h"
#include "kernel/topology/topology.h"

struct check_run;

struct check {
    const char *id;          /* stable word of its findings */
    enum finding_severity severity;
    const char *numbers;     /* in the table of [rules 8]; "": not in there */
    const char *profiles;    /* "all", "4.x", "6.12, 7.2" … */
    const char *condition;   /* when it speaks */
    const char *key_text;    /* what to look for in a kernel log; "": nothing */
    const char *meaning;
    void (*run)(struct check_run *run);
    const void *subject;     /* what it looks at, where one function serves several */
};

uint32_t checks_count(void);
const struct check *checks_at(uint32_t index);

/* A check as a row of docs/findings.md. */
void checks_put_row(struct textbuf *out, const struct check *check);

/* "info", "warning" or "error". */
const char *checks_severity_word(enum finding_severity severity);

/* Runs all checks over a machine. `topologies` is indexed by profile; only those
 * whose bit is set in `profiles` were built. The arena is scratch. False: it is
 * full, and some check may not have run. */
bool checks_run(const struct machine_facts *facts, const struct topology *topologies,
                uint32_t profiles, struct arena *arena, struct findings *findings);
/* The check of that id alone: for facts that the end of a run adds. */
bool checks_run_one(const struct machine_facts *facts, const struct topology *topologies,
                    uint32_t profiles, struct arena *arena, struct findings *findings,
                    const char *id);

#endif
