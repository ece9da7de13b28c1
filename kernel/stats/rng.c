/* Random numbers from a printed seed. splitmix64 (Steele, Lea, Flood, OOPSLA
 * 2014) needs one word of state and passes the usual batteries. */
#include "kernel/stats/rng.h"

static const uint64_t golden_gamma = 0x9e3779b97f4a7c15;

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct rng rng_of(uint64_t seed, uint64_t stream)
{
    return (struct rng){ .state = mix(seed + golden_gamma) ^ mix(stream * golden_gamma + 1) };
}

uint64_t rng_next(struct rng *rng)
{
    rng->state += golden_gamma;
    return mix(rng->state);
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    if (bound == 0)
        return 0;
    /* Values below 2^64 mod bound would be counted once more than the others. */
    uint64_t uneven = (0 - bound) % bound;
    uint64_t value;
    do
        value = rng_next(rng);
    while (value < uneven);
    return value % bound;
}

void rng_permute(struct rng *rng, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)rng_below(rng, i + 1u);
        order[i] = order[j];
        order[j] = i;
    }
}

void rng_choose(struct rng *rng, uint32_t count, uint32_t *order, uint32_t chosen)
{
    if (chosen == count) {
        rng_permute(rng, order, count);
        return;
    }
    /* A stride without a common divisor visits every place once. */
    uint32_t stride;
    do
        stride = 1 + (uint32_t)rng_below(rng, count - 1u);
    while (greatest_common_divisor(stride, count) != 1);
    uint64_t place = rng_below(rng, count);
    for (uint32_t i = 0; i < chosen; i++) {
        order[i] = (uint32_t)place;
        place = (place + stride) % count;
    }
}
