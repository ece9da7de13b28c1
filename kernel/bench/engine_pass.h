/* One arm of a block of the engine. */
#ifndef KERNEL_BENCH_ENGINE_PASS_H
#define KERNEL_BENCH_ENGINE_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"

/* What memory holds before it is cleared. */
#define ENGINE_DIRTY_PATTERN 0xC3C3C3C3C3C3C3C3ull

/* Times the cell's variant over engine->order and fills the cell's record of `block`.
 * False: there is no such number, because a CPU did not finish. */
bool engine_pass_run(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                     uint32_t cell_index, uint32_t block);

/* Memory made dirty and the variant warmed up as for a timed pass, then the pass handed
 * to `run`, which times nothing: for what is counted instead. False: a CPU did not finish. */
bool engine_pass_with(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                      uint32_t cell, void (*run)(void *context, const struct timed_pass *pass),
                      void *context);

/* engine->order: the extents of a block, the same for every arm. */
void engine_choose(struct engine *engine, uint32_t setting, uint32_t block);

#endif
