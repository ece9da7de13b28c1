/* Machines that nobody has: sockets of equal cores with two threads or more, as
 * Intel's leaves would describe them, one node a socket. */
#ifndef HOST_SYNTHETIC_H
#define HOST_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"

struct synthetic_shape {
    uint32_t sockets, cores, threads;
};

/* "8x60x2", or a number of CPUs that two threads a core and up to eight sockets
 * divide. False: neither. */
bool synthetic_parse(const char *text, struct synthetic_shape *shape);

uint32_t synthetic_cpu_count(const struct synthetic_shape *shape);

/* False: the arena is full. */
bool synthetic_build(const struct synthetic_shape *shape, struct arena *arena,
                     struct machine_facts *facts);

#endif
