/* The report model: one value that holds everything a run has to tell. Every
 * text is made from it by one file of kernel/report; parts that did not run are NULL. */
#ifndef KERNEL_REPORT_REPORT_H
#define KERNEL_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/options/options.h"
#include "kernel/topology/findings.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"

enum report_status { REPORT_PASS, REPORT_FINDINGS, REPORT_FAIL };

struct report_check {           /* one line of results.tap */
    const char *name;           /* a claim: "every-listed-cpu-answered" */
    enum { CHECK_OK, CHECK_NOT_OK, CHECK_SKIPPED } outcome;
    const char *reason;         /* why it failed or was skipped; NULL when ok */
    bool voids_run;             /* not ok: what the run tells cannot be trusted; status is fail */
};

struct report_phase {
    const char *name;
    uint64_t start_cycles, end_cycles;
    uint64_t memory_bytes;      /* of the run's own memory, taken until its end; 0: not known */
};

/* Physical memory that the run may write, and for what. */
struct report_memory {
    uint64_t start, end;        /* bytes, end exclusive */
    const char *use;
};

struct bench_results;           /* kernel/stats/bench_results.h */
struct measured_results;        /* kernel/stats/measured_results.h */

struct report_model {
    const char *version;        /* build id */
    const char *boot_path, *quiet, *loader; /* "bios-grub", "firmware", "GRUB 2.06" */
    const char *volume;         /* where the loader saves the files; NULL: nowhere */
    const char *cmdline;        /* as it was handed over; NULL: none */
    uint32_t dropped_ranges;    /* memory ranges that did not fit in the boot data */
    const struct report_memory *owned; /* NULL: no memory map; nothing else is ever written */
    uint32_t owned_count;
    const struct options *options;
    const struct options_words *words; /* for `help`; NULL: it is not told */
    const struct machine_facts *facts;
    const struct topology *topologies[RULE_PROFILE_COUNT]; /* NULL: not asked for */
    const struct findings *findings; /* NULL: nothing was checked */
    const struct bench_results *bench;
    const struct measured_results *measured;
    const struct report_check *checks;
    uint32_t check_count;
    const struct report_phase *phases;
    uint32_t phase_count;
    const char *fail_reason;    /* NULL unless the run could not go on */
};

/* fail: the run could not go on or a check voids it; findings: a finding of severity
 * warning or error, or another check that is not ok; pass: everything else. */
enum report_status report_status(const struct report_model *model);
const char *report_status_name(enum report_status status); /* "pass", "findings", "fail" */

/* The newest profile that was asked for and built, or NULL. */
const struct topology *report_newest(const struct report_model *model);

#endif
