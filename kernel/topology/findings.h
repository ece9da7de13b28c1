/* Findings: what is wrong or worth knowing, with the CPUs, the source and the
 * profiles it concerns. One list for every layer that finds something. */
#ifndef KERNEL_TOPOLOGY_FINDINGS_H
#define KERNEL_TOPOLOGY_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"

enum finding_severity { FINDING_INFO, FINDING_WARNING, FINDING_ERROR };

struct finding {
    const char *id;         /* stable word, lower case with dashes: docs/findings.md */
    enum finding_severity severity;
    struct cpumask cpus;    /* logical numbers of the newest profile; empty: the whole machine */
    const char *text;       /* one sentence with the values */
    const char *source;     /* "leaf 0xB.0 EDX", "MSR 0x8B", "MADT+0x2C", … */
    uint32_t rules;         /* bit i: concerns rule_profiles[i]; 0: no profile in particular */
};

struct findings {
    struct finding *list;
    uint32_t count, capacity;
    uint32_t dropped;       /* found but not kept, because the list was full */
    uint32_t cpu_capacity;  /* CPUs a finding's mask can hold */
    struct arena *arena;
};

bool findings_init(struct findings *findings, uint32_t capacity, uint32_t cpu_capacity,
                   struct arena *arena);

/* Adds a finding and returns it so that the caller can set its CPUs; NULL (and
 * `dropped` counted) when there is no room. The text is copied. */
struct finding *findings_add(struct findings *findings, const char *id,
                             enum finding_severity severity, uint32_t rules, const char *source,
                             const char *format, ...) __attribute__((format(printf, 6, 7)));

/* FINDING_ERROR when there is one, and so on; FINDING_INFO for an empty list. */
enum finding_severity findings_worst(const struct findings *findings);

#endif
