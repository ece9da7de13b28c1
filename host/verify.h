/* All expectations of one recorded machine, profile by profile. */
#ifndef HOST_VERIFY_H
#define HOST_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "host/explained.h"
#include "kernel/topology/rules.h"

/* Where an expectation comes from: the rows of the fidelity table. */
enum verify_source {
    SOURCE_SYSFS, SOURCE_HWLOC_LINUX, SOURCE_HWLOC_X86, SOURCE_AIDA64, SOURCE_LIBCPUID,
    SOURCE_RECORD, SOURCE_CASE, SOURCE_COUNT,
};

struct verify_counts {
    uint64_t machines;     /* with at least one value compared */
    uint64_t equal, different, by_rule, explained, skipped;
};

/* Values that were not compared, by the reason. */
enum { VERIFY_MAX_REASONS = 16 };
struct verify_reason {
    const char *text;
    uint64_t count;
};

struct verify {
    const struct rule_profile *forced;   /* NULL: what each file asks for */
    struct explained *explained;         /* NULL: no list */
    const char *against;                 /* the file with the expectations; NULL: each file's own */
    bool is_quiet;                       /* differences are counted, not printed */
    struct verify_counts counts[SOURCE_COUNT][RULE_PROFILE_COUNT];
    struct verify_reason reasons[VERIFY_MAX_REASONS];
    unsigned unreadable;
};

void verify_file(struct verify *verify, const char *path);

#endif
