/* What the source of some facts says is true of the machine: the values that
 * Linux, hwloc or a case's author wrote down beside the rows. */
#ifndef KERNEL_FACTS_EXPECTATIONS_H
#define KERNEL_FACTS_EXPECTATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"

enum { EXPECTATION_NONE = UINT32_MAX }; /* no CPU, or no index, belongs to the value */

/* kind          cpu  index         name                        value
 * CPU           N    -             file of cpuN/topology       its text
 * CACHE         N    cache index   file of cpuN/cache/indexI   its text
 * CPUS          -    -             online, possible, present … its text
 * NODE          -    node or -     cpulist, distance …; online its text
 * DOMAIN        N    domain        span, name, flags           hex map; text
 * X86TOPO       N    -             apicid, pkg_id … (decimal but *apicid) its text
 * CPUINFO      N    -             siblings, cpu cores …       its text
 * DMESG         -    -             ""                          the message
 * HWLOC_*       -    ordinal       package, l3, numa …         CPU list; `more`
 * AIDA64        N    -             package, core, thread       decimal
 * LIBCPUID      -    -             cores, logical, l1d …       decimal, -1 unknown; `more`
 * CASE          N    -             apic (hex), pkg, die, core (decimal); smt, l2, llc,
 *                                  die_mask, pkg_mask (lists)
 * CASE_FINDING  -    -             finding, error              what is to be reported
 */
enum expectation_kind {
    EXPECT_CPU,
    EXPECT_CACHE,
    EXPECT_CPUS,
    EXPECT_NODE,
    EXPECT_DOMAIN,
    EXPECT_X86TOPO,
    EXPECT_CPUINFO,
    EXPECT_DMESG,
    EXPECT_HWLOC_LINUX,
    EXPECT_HWLOC_X86,
    EXPECT_AIDA64,
    EXPECT_LIBCPUID,
    EXPECT_CASE,
    EXPECT_CASE_FINDING,
};

struct expectation {
    enum expectation_kind kind;
    uint32_t cpu;        /* the source's own number */
    uint32_t index;
    uint32_t line;       /* of the input, from 1 */
    const char *name;
    const char *value;
    const char *more;    /* hwloc: the words after the list, "id 3 size 32768"; libcpuid:
                            the kind of core, "general"; smt: "smt"; else "" */
    /* Which kernel said so: the label of an oracle record ("6.12"), the profile
     * group of a case ("6.1", "6.12", or "" for all); NULL: see `truths`. */
    const char *kernel;
};

enum truth_kind {
    TRUTH_SYSFS_SAME,
    TRUTH_SYSFS_PAIRED,
    TRUTH_HWLOC_LINUX,
    TRUTH_HWLOC_X86,
    TRUTH_AIDA64,
    TRUTH_LIBCPUID,
    TRUTH_RECORD,        /* an oracle record: a kernel's own words, bit for bit */
    TRUTH_OTHER,         /* a kind this reader does not know */
};

struct truth {
    enum truth_kind kind;
    const char *kernel;  /* "6.1.0-13-amd64", "unknown"; NULL where none is stated */
};

/* "# key: value" and the header lines of a record. */
struct input_header {
    const char *key, *value;
};

struct expectations {
    struct expectation *list;
    uint32_t count, capacity;
    struct truth *truths;
    uint32_t truth_count, truth_capacity;
    struct input_header *headers;
    uint32_t header_count, header_capacity;
};

/* Each returns false when the arena is full. The texts are kept, not copied. */
bool expectations_add(struct expectations *expectations, struct arena *arena,
                      const struct expectation *one);
bool expectations_add_truth(struct expectations *expectations, struct arena *arena,
                            enum truth_kind kind, const char *kernel);
bool expectations_add_header(struct expectations *expectations, struct arena *arena,
                             const char *key, const char *value);

/* The value of a header line, or NULL. */
const char *expectations_header(const struct expectations *expectations, const char *key);

/* The first of that kind, CPU, index and name, or NULL. */
const struct expectation *expectations_find(const struct expectations *expectations,
                                            enum expectation_kind kind, uint32_t cpu,
                                            uint32_t index, const char *name);

#endif
