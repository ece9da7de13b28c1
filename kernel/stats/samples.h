/* Marks on timed samples and the summary of one pass: what may be left out is
 * decided by marks that do not depend on the measured value. */
#ifndef KERNEL_STATS_SAMPLES_H
#define KERNEL_STATS_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/stats/bench_results.h"

/* One pass as it was measured. */
struct samples {
    const uint64_t *cycles;     /* one sample: `calls` extents */
    uint32_t count, calls;
    const uint64_t *smi_before, *smi_after; /* SMI count around each sample; NULL: not readable */
    const uint64_t *core_hz;    /* of each sample; NULL: not readable */
    const uint8_t *has_thermal; /* a limit was logged during the sample; NULL: not readable */
    const uint8_t *is_preempted; /* the CPU was given to another thread; NULL: cannot happen */
    uint32_t turn_samples;      /* announced before the run: of every so many, timed one after the
                                 * other, the first one is left out; 0: none */
};

enum { SAMPLES_GAP_FACTOR = 3 }; /* longer than this many medians is marked */

/* Marks whose samples stay out of block.median and its neighbours. */
uint32_t samples_excluding_marks(void);

/* flags[i]: bits of enum bench_flag. `scratch` holds `count` values. */
void samples_mark(const struct samples *samples, uint32_t *flags, int64_t *scratch);

/* When more than half of the samples would be left out, all are used. */
void samples_summarise(const struct samples *samples, const uint32_t *flags, int64_t *scratch,
                       struct bench_block *out);

#endif
