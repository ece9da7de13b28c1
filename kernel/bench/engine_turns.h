/* A block of a setting in which one CPU clears. */
#ifndef KERNEL_BENCH_ENGINE_TURNS_H
#define KERNEL_BENCH_ENGINE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/bench/engine.h"

/* Times every arm over engine->order and fills the cells' records of `block`. False: a CPU
 * did not finish. */
bool engine_turns_run(struct engine *engine, const struct bench_setting *setting, uint8_t *start,
                      uint32_t block);

#endif
