/* The line holds a turn number: odd after the first CPU wrote, even after the second.
 * Each CPU waits for the other's write and answers with the next number, so that one
 * round trip is two transfers of the line and nothing else. */
#include "kernel/measure/pingpong.h"

#include "kernel/measure/measuring.h"

enum { LOOKS_PER_CLOCK = 4096 }; /* the clock is read that seldom while waiting */

static bool wait_for(const struct pingpong *pingpong, uint32_t turn, uint64_t end_cycles)
{
    for (uint32_t looks = 1;; looks++) {
        if (atomic_load_explicit(pingpong->line, memory_order_acquire) == turn)
            return true;
        if (pingpong->is_polite)
            cpu_pause();
        if ((pingpong->is_polite || looks % LOOKS_PER_CLOCK == 0) && tsc_read() > end_cycles)
            return false;
    }
}

static bool lead(struct pingpong *pingpong, uint32_t *turn, uint64_t end_cycles)
{
    for (uint32_t i = 0; i < pingpong->round_trips; i++) {
        atomic_store_explicit(pingpong->line, ++*turn, memory_order_release);
        if (!wait_for(pingpong, ++*turn, end_cycles))
            return false;
    }
    return true;
}

/* The first sample brings the line and the code into the caches and is not kept. */
static void measure(struct pingpong *pingpong, uint64_t end_cycles)
{
    uint32_t turn = 0;

    for (uint32_t i = 0; i <= pingpong->sample_count; i++) {
        uint64_t start = measuring_stamp();

        if (!lead(pingpong, &turn, end_cycles))
            return;
        if (i)
            pingpong->samples[pingpong->done_count++] = (int64_t)(measuring_stamp() - start);
    }
}

static void follow(struct pingpong *pingpong, uint64_t end_cycles)
{
    uint32_t rounds = (pingpong->sample_count + 1) * pingpong->round_trips;

    for (uint32_t turn = 1; turn < 2 * rounds; turn += 2) {
        if (!wait_for(pingpong, turn, end_cycles))
            return;
        atomic_store_explicit(pingpong->line, turn + 1, memory_order_release);
    }
}

void pingpong_run(uint32_t cpu, void *context)
{
    struct pingpong *pingpong = context;
    uint64_t end_cycles;

    if (!smp_barrier_wait(&pingpong->barrier, 2, pingpong->limit_cycles))
        return;
    end_cycles = tsc_read() + pingpong->limit_cycles;
    if (cpu == pingpong->from_fact)
        measure(pingpong, end_cycles);
    else
        follow(pingpong, end_cycles);
}
