/* Who shares the last-level cache: what one CPU has loaded, another reads at the speed
 * of the cache when it has the same one, and of memory or a far cache when not. */
#include "kernel/measure/caches.h"
#include "kernel/measure/chain.h"
#include "kernel/measure/measuring.h"
#include "kernel/stats/measured_pairs.h"
#include "kernel/stats/measured_summary.h"

enum {
    MAX_BYTES = 64 << 20, VIRTUAL_MAX_BYTES = 64 << 10,
    DISTINCT_X2 = 3,  /* memory must cost 1.5 times the own cache */
};

struct walk {
    uint8_t *memory;
    uint64_t bytes;
    bool does_write, does_flush;
    uint64_t cycles;
};

/* One pass; a chain that is written or flushed is not walked. */
static void pass(uint32_t cpu, void *context)
{
    struct walk *walk = context;
    uint64_t start;

    (void)cpu;
    if (walk->does_write)
        chain_write(walk->memory, walk->bytes);
    if (walk->does_flush)
        chain_flush(walk->memory, walk->bytes);
    if (walk->does_write || walk->does_flush)
        return;
    start = measuring_stamp();
    chain_walk(walk->memory, walk->bytes / LINE_BYTES);
    walk->cycles = measuring_stamp() - start;
}

/* Picoseconds per line of a walk on `slot`; MEASURED_NONE when it did not finish. */
static uint32_t walk_on(struct measuring *measuring, const struct walk *what, uint32_t slot)
{
    struct walk walk = *what;

    if (!measuring_on(measuring, slot, pass, &walk))
        return MEASURED_NONE;
    return (uint32_t)(cycles_to_ps(walk.cycles, measuring->results->tsc_hz) /
                      (walk.bytes / LINE_BYTES));
}

static void flush_on(struct measuring *measuring, const struct walk *what, uint32_t slot)
{
    struct walk walk = *what;

    walk.does_flush = true;
    measuring_on(measuring, slot, pass, &walk);
}

static void judge(const struct measured_results *results, struct measured_llc_pair *pair)
{
    uint64_t own = pair->own_ps_per_line, memory = pair->memory_ps_per_line;
    uint64_t partner = pair->partner_ps_per_line;

    pair->verdict = LLC_CANNOT_TELL;
    if (results->is_virtual || own == MEASURED_NONE || memory == MEASURED_NONE ||
        partner == MEASURED_NONE || memory * 2 < own * DISTINCT_X2)
        return;
    /* A third of the way to memory is still this cache, two thirds is no longer. */
    if (partner <= own + (memory - own) / 3)
        pair->verdict = LLC_SHARED;
    else if (partner >= own + (memory - own) * 2 / 3)
        pair->verdict = LLC_NOT_SHARED;
}

static void measure_pair(struct measuring *measuring, struct measured_llc_sharing *llc,
                         uint32_t slot, uint32_t reader, bool is_claimed)
{
    struct measured_llc_pair *pair = &llc->pairs[llc->pair_count++];
    struct walk walk = {.memory = measuring->job->memory[0].bytes, .bytes = llc->bytes};

    *pair = (struct measured_llc_pair){.slot = slot, .reader_slot = reader,
                                       .is_claimed_shared = is_claimed};
    flush_on(measuring, &walk, slot);
    pair->memory_ps_per_line = walk_on(measuring, &walk, reader);
    flush_on(measuring, &walk, slot);
    walk_on(measuring, &walk, slot); /* loads it */
    pair->own_ps_per_line = walk_on(measuring, &walk, slot);
    pair->partner_ps_per_line = walk_on(measuring, &walk, reader);
    judge(measuring->results, pair);
}

static bool is_claimed_shared(const struct measuring *measuring, uint32_t a, uint32_t b)
{
    return pair_distance(measuring->results, measuring->job->topology, a, b) <= DISTANCE_LLC;
}

/* For the first CPU of each declared cache: the last CPU inside, the first outside. */
static void measure_from(struct measuring *measuring, struct measured_llc_sharing *llc,
                         uint32_t slot)
{
    uint32_t inside = MEASURED_NONE, outside = MEASURED_NONE;

    for (uint32_t other = 0; other < measuring->results->cpu_count; other++) {
        bool is_claimed = is_claimed_shared(measuring, slot, other);

        if (other < slot && is_claimed)
            return;
        if (other == slot)
            continue;
        if (is_claimed)
            inside = other;
        else if (outside == MEASURED_NONE || other == slot + 1)
            outside = other;
    }
    if (inside != MEASURED_NONE)
        measure_pair(measuring, llc, slot, inside, true);
    if (outside != MEASURED_NONE && measuring_has_time(measuring))
        measure_pair(measuring, llc, slot, outside, false);
}

bool measure_llc(struct measuring *measuring)
{
    const struct topology_cpu *cpu =
        &measuring->job->topology->cpus[measuring->results->cpus[0].cpu];
    struct measured_llc_sharing *llc =
        ARENA_NEW(measuring->arena, struct measured_llc_sharing, 1);
    uint64_t bytes = caches_last_bytes(cpu) / 2, most = measuring->job->memory[0].size_bytes;
    uint32_t count = measuring->results->cpu_count;
    struct walk walk = {.memory = measuring->job->memory[0].bytes, .does_write = true};

    if (!llc)
        return false;
    if (bytes <= caches_middle_bytes(cpu) || bytes > most)
        return true; /* nothing would be left of it in the last level, or no memory */
    llc->bytes = chain_floor(bytes < MAX_BYTES ? bytes : MAX_BYTES);
    if (measuring->results->is_virtual && llc->bytes > VIRTUAL_MAX_BYTES)
        llc->bytes = VIRTUAL_MAX_BYTES;
    llc->pairs = ARENA_NEW(measuring->arena, struct measured_llc_pair, 2 * count);
    if (!llc->pairs)
        return false;
    walk.bytes = llc->bytes;
    measuring_on(measuring, 0, pass, &walk);
    for (uint32_t slot = 0; slot < count && measuring_has_time(measuring); slot++) {
        measure_from(measuring, llc, slot);
        measuring_tell(measuring, slot, count);
    }
    measuring->results->llc_sharing = llc;
    return true;
}
