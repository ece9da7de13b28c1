/* One arm of a block of the engine, and what every arm needs. */
#ifndef KERNEL_BENCH_ENGINE_PASS_H
#define KERNEL_BENCH_ENGINE_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"

/* What memory holds before it is cleared. */
#define ENGINE_DIRTY_PATTERN 0xC3C3C3C3C3C3C3C3ull

enum { ENGINE_WARM_UP_US = 2000 };

/* engine->order: the extents of a block, the same for every arm. */
void engine_choose(struct engine *engine, uint32_t setting, uint32_t block);

/* All extents of engine->order as the setting's state wants them, in that order. */
void engine_make_dirty(struct engine *engine, const struct bench_setting *setting, uint8_t *start);

/* The variant on memory beside the region, until two rounds agree within 1 % and `least_us`
 * have gone by, so that clock and licences are steady. */
void engine_warm_up(struct engine *engine, const struct clear_variant *variant,
                    uint64_t least_us);

/* Several CPUs at once time the cell's variant and fill the cell's record of `block`.
 * False: there is no such number, because a CPU did not finish. */
bool engine_pass_together(struct engine *engine, const struct bench_setting *setting,
                          uint8_t *start, uint32_t cell, uint32_t block);

/* Memory made dirty and the variant warmed up as for a timed pass, then one sweep of it handed
 * to `run`, which times nothing: for what is counted instead. False: a CPU did not finish. */
bool engine_pass_with(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                      uint32_t cell, void (*run)(void *context, const struct timed_pass *pass),
                      void *context);

#endif
