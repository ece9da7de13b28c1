/* Runs a plan: prepares memory, times the variants in interleaved blocks, keeps
 * every pass. Knows nothing of the machine but what struct engine_machine offers,
 * so the image and `coretruth bench` run the same code. */
#ifndef KERNEL_BENCH_ENGINE_H
#define KERNEL_BENCH_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/clear_page.h"
#include "kernel/lib/arena.h"
#include "kernel/stats/bench_after.h"
#include "kernel/stats/bench_results.h"

enum { ENGINE_SCRATCH_BYTES = 64 * 1024, ENGINE_HARNESS_SAMPLES = 1001,
       ENGINE_BEAT_US = 5000000 };

/* What can be known about each sample besides its time; filled by time_pass. */
struct engine_marks {
    uint64_t *smi_before, *smi_after, *core_hz; /* per sample */
    uint8_t *has_thermal, *is_preempted;
    bool has_smi, has_core_hz, has_thermal_log, has_preempted; /* what time_pass filled */
};

/* CPUs by what they are to the one that clears. */
enum engine_place {
    ENGINE_AT_CLEARING,
    ENGINE_AT_SIBLING,    /* another thread of its core */
    ENGINE_AT_OTHER_CORE, /* under the same last-level cache where there is such a core */
    ENGINE_AT_REMOTE,     /* of another node; of another core where there is one node */
    ENGINE_PLACE_COUNT,
};

struct engine_progress {
    const char *doing;        /* "verify", "block 3 of 30" */
    uint32_t percent;
    uint64_t left_us;         /* 0: not known */
};

struct engine_machine {
    void *context;
    /* The first region_bytes of the memory of the setting's node, seen through its pages.
     * NULL: not possible. */
    void *(*window)(void *context, const struct bench_setting *setting);
    /* Runs `function` on the CPU of that place and waits. False: there is none, or it
     * did not finish. NULL: everything runs here. */
    bool (*run_at)(void *context, enum engine_place place, void (*function)(void *argument),
                   void *argument);
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
    /* Between the settings of a block, and between the rounds of those far above the
     * caches: lets another run have the CPU, until that does the
     * same. NULL: there is none. */
    void (*yield)(void *context);
    uint64_t (*now_us)(void *context);
    void (*progress)(void *context, const struct engine_progress *progress);
    bool clears_elsewhere;    /* the clearing CPU is not the one that may call progress() */
    uint8_t *scratch;         /* ENGINE_SCRATCH_BYTES beside the bench's memory, for warming up */
    uint64_t line_bytes;      /* of a cache line */
    uint64_t l2_bytes, llc_bytes; /* in reach of one CPU; 0: not known */
    bool has_clflushopt;
};

struct engine {
    const struct engine_machine *machine;
    struct bench_results *results;
    const bool *is_runnable;  /* per variant */
    uint32_t *order, *flags, *arms;
    uint64_t *samples;        /* [arm][sample_capacity], and so are the arrays of marks */
    int64_t *scratch;
    struct engine_marks marks;
    uint32_t sample_capacity;
    uint64_t *setting_us;     /* what the setting's last block took */
    uint64_t start_us;
    char doing[48];
    struct engine_progress told; /* what was said last, and when */
    uint64_t told_us;
    bool is_away;             /* an errand runs on a CPU that may not tell progress */
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

/* Runs `function` where the machine says that place is; ENGINE_AT_CLEARING is here when
 * it says nothing. False: there is no such CPU, or it did not finish. */
bool engine_at(struct engine *engine, enum engine_place place,
               void (*function)(void *argument), void *argument);

/* A sign of life when nothing was said for ENGINE_BEAT_US: what was said last, with the time
 * that is left now. Called wherever a while has passed, but never between a warm-up and the
 * samples that it is for. Says nothing on a CPU that may not. */
void engine_beat(struct engine *engine);

/* Lets another run have the CPU, when the machine has one. */
void engine_yield(struct engine *engine);

/* Calls of 1 to 16 pages of rep stos on memory in the caches. [clear 3.6] */
void engine_measure_startup(struct engine *engine, struct bench_after *after);

/* Clearing, then reading by this and other CPUs, and what is left of a working set;
 * until `end_us` of the engine's clock. */
void engine_measure_consumers(struct engine *engine, struct bench_after *after, uint64_t end_us);

/* All blocks, or as many as the budget allows; then the cells' summaries. */
void engine_run(struct engine *engine);

#endif
