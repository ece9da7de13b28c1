/* Latency of all pairs, one pair at a time: two pairs at once would share links.
 *
 * In a virtual machine a transfer is whatever the host makes of it. With inject= the
 * value kept there is a nominal time for the declared distance, plus a fiftieth that
 * comes from the sample, plus what is injected; the exchange itself runs as always. On
 * hardware the injected time is added to what was measured. */
#include "kernel/measure/measuring.h"
#include "kernel/measure/pingpong.h"
#include "kernel/stats/measured_pairs.h"
#include "kernel/stats/measured_summary.h"

enum {
    SAMPLES = 31, ROUND_TRIPS = 64,
    VIRTUAL_SAMPLES = 5, VIRTUAL_ROUND_TRIPS = 2,
    PAIR_US = 20000, VIRTUAL_PAIR_US = 100000, LEAST_PAIR_US = 1000,
    LIMITS_PER_SHARE = 3,
    LINE_STRIDE_BYTES = 4 * LINE_BYTES, /* no prefetcher pairs two of them */
    LINE_POOL_BYTES = 1 << 20,
    BUDGET_SHARE = 2,                   /* of the time that is left */
    NOMINAL_SPREAD = 50,
    TELL_EVERY = 16,
};

struct course {
    uint32_t next_line;
    uint64_t limit_cycles; /* for one pair */
};

/* A line that was not used before in this round through the pool, out of all caches. */
static _Atomic uint32_t *fresh_line(struct measuring *measuring, struct course *course,
                                    uint32_t slot)
{
    const struct measure_memory *memory = measuring_memory(measuring, slot);
    uint64_t bytes = memory->size_bytes < LINE_POOL_BYTES ? memory->size_bytes : LINE_POOL_BYTES;
    uint64_t offset = (uint64_t)course->next_line++ * LINE_STRIDE_BYTES % bytes;
    _Atomic uint32_t *line = (_Atomic uint32_t *)(memory->bytes + offset);

    atomic_store_explicit(line, 0, memory_order_relaxed);
    measuring_flush((const void *)(memory->bytes + offset));
    return line;
}

static uint32_t injected_ps(const struct measuring *measuring, const struct measured_pair *pair)
{
    const struct measure_inject *inject = &measuring->job->inject;
    const struct measured_cpu *cpus = measuring->results->cpus;

    return inject->pair_ns ?
               1000 * inject->pair_ns(inject->context, cpus[pair->from].cpu, cpus[pair->to].cpu) :
               0;
}

static uint32_t nominal_ps(const struct measuring *measuring, const struct measured_pair *pair,
                           uint64_t sample)
{
    uint32_t ps = 1000 * distance_nominal_ns(pair_distance(measuring->results,
                                                           measuring->job->topology, pair->from,
                                                           pair->to));

    return ps + (uint32_t)(sample % (ps / NOMINAL_SPREAD));
}

static void keep(struct measuring *measuring, struct measured_latency *latency,
                 const struct measured_pair *pair, const struct pingpong *pingpong)
{
    uint32_t at = pair->from * latency->cpu_count + pair->to;
    uint32_t transfers = 2 * pingpong->round_trips;
    bool is_modelled = measuring->results->is_virtual && measuring->results->is_injected;

    for (uint32_t i = 0; i < pingpong->done_count; i++)
        pingpong->samples[i] = (int64_t)(cycles_to_ps((uint64_t)pingpong->samples[i],
                                                      measuring->results->tsc_hz) / transfers);
    struct measured_spread spread = spread_of(pingpong->samples, pingpong->done_count);

    /* Beyond the scale a time is not known, only that the CPU was taken away meanwhile. */
    bool is_known = spread.median_ps < MEASURED_NONE - 1;

    latency->pairs_timed_out += pingpong->done_count < pingpong->sample_count ||
                                (!is_known && !is_modelled);
    if (is_modelled)
        spread.median_ps = nominal_ps(measuring, pair, spread.median_ps);
    else if (!is_known)
        return;
    latency->median_ps[at] = spread.median_ps + injected_ps(measuring, pair);
    latency->iqr_ps[at] = spread.iqr_ps;
    latency->pairs_measured++;
}

static void measure_pair(struct measuring *measuring, struct measured_latency *latency,
                         struct course *course, const struct measured_pair *pair)
{
    struct pingpong pingpong = {
        .line = fresh_line(measuring, course, pair->from),
        .from_fact = measuring_fact(measuring, pair->from),
        .sample_count = latency->samples_per_pair,
        .round_trips = latency->round_trips_per_sample,
        .limit_cycles = course->limit_cycles,
        .is_polite = measuring->results->is_virtual,
        .samples = measuring->samples,
    };

    if (!measuring_on_pair(measuring, pair->from, pair->to, pingpong_run, &pingpong))
        pingpong.done_count = 0;
    keep(measuring, latency, pair, &pingpong);
}

static struct measured_latency *new_latency(struct measuring *measuring,
                                            const struct pair_list *list)
{
    struct measured_latency *latency = ARENA_NEW(measuring->arena, struct measured_latency, 1);
    uint32_t count = measuring->results->cpu_count;
    bool is_virtual = measuring->results->is_virtual;
    size_t pairs = (size_t)count * count;

    if (!latency)
        return NULL;
    *latency = (struct measured_latency){
        .cpu_count = count,
        .median_ps = ARENA_NEW(measuring->arena, uint32_t, pairs),
        .iqr_ps = ARENA_NEW(measuring->arena, uint32_t, pairs),
        .pairs_possible = list->possible,
        .samples_per_pair = is_virtual ? VIRTUAL_SAMPLES : SAMPLES,
        .round_trips_per_sample = is_virtual ? VIRTUAL_ROUND_TRIPS : ROUND_TRIPS,
        .is_sampled = list->is_sampled,
        .sampled_per_class = list->is_sampled ? PAIRS_SAMPLED_PER_CLASS : 0,
        .seed = measuring->job->seed,
    };
    if (!latency->median_ps || !latency->iqr_ps)
        return NULL;
    for (size_t i = 0; i < pairs; i++)
        latency->median_ps[i] = latency->iqr_ps[i] = MEASURED_NONE;
    return latency;
}

static bool summarise(struct measuring *measuring, struct measured_latency *latency,
                      struct arena *scratch)
{
    uint32_t count = latency->cpu_count;
    int64_t *values = ARENA_NEW(scratch, int64_t, (size_t)count * count);

    if (!values)
        return false;
    for (uint32_t distance = 0; distance < DISTANCE_CLASSES; distance++) {
        uint32_t found = 0;

        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                if (latency->median_ps[a * count + b] != MEASURED_NONE &&
                    pair_distance(measuring->results, measuring->job->topology, a, b) == distance)
                    values[found++] = latency->median_ps[a * count + b];
        latency->by_class[distance] = spread_of(values, found);
    }
    return true;
}

/* Barrier, exchange and orders of a pair may each take a third of its share of the time,
 * within what is sensible: where all are late, the last still gets its turn. */
static uint64_t pair_limit(const struct measuring *measuring, uint32_t pairs, uint64_t end)
{
    uint64_t now = tsc_read(), most = measuring_limit(measuring, PAIR_US, VIRTUAL_PAIR_US);
    uint64_t least = tsc_cycles_of_us(LEAST_PAIR_US);
    uint64_t share = end > now && pairs ? (end - now) / pairs / LIMITS_PER_SHARE : 0;

    return share < least ? least : share < most ? share : most;
}

bool measure_latency(struct measuring *measuring)
{
    const struct measure_memory *memory = &measuring->job->memory[0];
    uint64_t now = tsc_read();
    uint64_t end = now + (measuring->end_cycles > now ? measuring->end_cycles - now : 0) /
                             BUDGET_SHARE;
    struct course course = {0};
    struct pair_list list;
    struct arena scratch;

    arena_init(&scratch, memory->bytes, memory->size_bytes);
    if (!pair_list_make(measuring->results, measuring->job->topology, measuring->job->seed,
                        measuring->arena, &scratch, &list))
        return false;
    struct measured_latency *latency = new_latency(measuring, &list);

    if (!latency)
        return false;
    course.limit_cycles = pair_limit(measuring, list.count, end);
    for (uint32_t i = 0; i < list.count; i++) {
        if (tsc_read() > end) {
            latency->pairs_left_out = list.count - i;
            measuring->results->is_budget_spent = true;
            break;
        }
        measure_pair(measuring, latency, &course, &list.pairs[i]);
        if (i % TELL_EVERY == 0)
            measuring_tell(measuring, i, list.count);
    }
    measuring->results->latency = latency;
    arena_init(&scratch, memory->bytes, memory->size_bytes);
    return summarise(measuring, latency, &scratch);
}
