/* Runs a plan: prepares memory, times the variants in interleaved blocks, keeps
 * every pass. Knows nothing of the machine but what struct engine_machine offers,
 * so the image and `coretruth bench` run the same code. */
#ifndef KERNEL_BENCH_ENGINE_H
#define KERNEL_BENCH_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/clear_page.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_results.h"

enum { ENGINE_SCRATCH_BYTES = 64 * 1024, ENGINE_HARNESS_SAMPLES = 1001 };

/* What can be known about each sample besides its time; filled by time_pass. */
struct engine_marks {
    uint64_t smi_before;
    uint64_t *smi_after, *core_hz; /* per sample */
    uint8_t *has_thermal, *is_preempted;
    bool has_smi, has_core_hz, has_thermal_log, has_preempted; /* what time_pass filled */
};

struct engine_progress {
    const char *doing;        /* "verify", "block 3 of 30" */
    uint32_t percent;
    uint64_t left_us;
};

struct engine_machine {
    void *context;
    /* The first region_bytes of the bench's memory, seen through pages of that size.
     * NULL: not possible. */
    void *(*window)(void *context, uint64_t region_bytes, uint64_t page_bytes);
    /* Runs timed_pass() and fills *marks as far as the machine can. */
    void (*time_pass)(void *context, const struct timed_pass *pass, struct engine_marks *marks);
    /* How many words another CPU reads that are not `pattern`; false: no other CPU. */
    bool (*count_wrong)(void *context, const void *start, uint64_t bytes, uint64_t pattern,
                        uint64_t *wrong);
    /* Several CPUs at once: cycles by which `pass` extents were cleared by cpu_count
     * CPUs together, per extent in 1/256; 0: could not be done. NULL: one CPU only. */
    uint64_t (*time_together)(void *context, const struct bench_setting *setting,
                              const struct timed_pass *pass, struct bench_cell *cell);
    /* Something else to time in the block of a setting: before the variants in even
     * blocks, after them in odd ones. NULL: nothing. */
    void (*beside)(void *context, uint32_t setting, uint32_t block);
    uint64_t (*now_us)(void *context);
    void (*progress)(void *context, const struct engine_progress *progress);
    uint8_t *scratch;         /* ENGINE_SCRATCH_BYTES beside the bench's memory, for warming up */
    uint64_t line_bytes;      /* of a cache line */
    bool has_clflushopt;
};

struct engine {
    const struct engine_machine *machine;
    struct bench_results *results;
    const bool *is_runnable;  /* per variant */
    uint32_t *order, *flags, *arms;
    uint64_t *samples;
    int64_t *scratch;
    struct engine_marks marks;
    uint64_t *setting_us;     /* what the setting's last block took */
    uint64_t start_us;
    uint32_t arm_capacity;
};

/* Takes every buffer of the run from the arena. False: it is full. */
bool engine_init(struct engine *engine, const struct engine_machine *machine,
                 struct bench_results *results, const bool *is_runnable, struct arena *arena);

/* The setting's region as the machine maps it; NULL: it cannot. */
void *engine_window(struct engine *engine, const struct bench_setting *setting);

/* Each runnable variant once: the extent holds what it should for another CPU
 * (for this one when there is no other), and nothing around it has changed. */
bool engine_verify(struct engine *engine);

/* The empty body in the harness. */
void engine_measure_harness(struct engine *engine);

/* All blocks, or as many as the budget allows; then the cells' summaries. */
void engine_run(struct engine *engine);

#endif
