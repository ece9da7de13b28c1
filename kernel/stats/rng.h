/* Random numbers from a printed seed, and permutations made of them. */
#ifndef KERNEL_STATS_RNG_H
#define KERNEL_STATS_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

/* Streams of one seed that must not depend on each other take different `stream`s. */
struct rng rng_of(uint64_t seed, uint64_t stream);

/* splitmix64: 64 equally likely bits. */
uint64_t rng_next(struct rng *rng);

/* 0 … bound-1, without bias; 0 for bound 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

/* order[] becomes a random permutation of 0 … count-1. */
void rng_permute(struct rng *rng, uint32_t *order, uint32_t count);

/* The first `chosen` of a random permutation of 0 … count-1, in `order`, without
 * holding all of it: a bijection walked from a random start. chosen <= count. */
void rng_choose(struct rng *rng, uint32_t count, uint32_t *order, uint32_t chosen);

#endif
