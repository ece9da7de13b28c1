/* Throughput of the port-bound kernel on one CPU, the candidate partner asleep and
 * then in the same kernel. Candidates are the declared siblings and, for each CPU, the
 * other CPU it exchanged lines with fastest.
 *
 * With inject= a virtual machine gets nominal throughputs: half for declared siblings,
 * all for others, less what is injected. */
#include "kernel/measure/contention.h"

#include "kernel/lib/atomic.h"
#include "kernel/measure/measuring.h"
#include "kernel/stats/measured_pairs.h"
#include "kernel/stats/order.h"

enum {
    ITERATIONS = 2000,       /* about 32,000 cycles on hardware */
    VIRTUAL_ITERATIONS = 200,
    SAMPLES = 21, VIRTUAL_SAMPLES = 5,
    PAIR_US = 50000, VIRTUAL_PAIR_US = 100000,
    SHARED_MOST_PERMILLE = 750, OWN_LEAST_PERMILLE = 900,
    NOMINAL_SHARED_PERMILLE = 500,
};

struct contest {
    uint32_t timed_fact;
    bool has_partner;
    uint64_t iterations, limit_cycles;
    uint32_t sample_count, done_count;
    int64_t *samples;
    struct smp_barrier barrier;
    _Atomic bool is_over;
};

static void time_kernel(struct contest *contest, uint64_t end_cycles)
{
    contention_kernel(contest->iterations); /* the partner gets going, the code is warm */
    while (contest->done_count < contest->sample_count && tsc_read() < end_cycles) {
        uint64_t start = measuring_stamp();

        contention_kernel(contest->iterations);
        contest->samples[contest->done_count++] = (int64_t)(measuring_stamp() - start);
    }
    atomic_store_explicit(&contest->is_over, true, memory_order_release);
}

static void contend(uint32_t cpu, void *context)
{
    struct contest *contest = context;
    uint32_t count = contest->has_partner ? 2 : 1;
    uint64_t end_cycles;

    if (!smp_barrier_wait(&contest->barrier, count, contest->limit_cycles))
        return;
    end_cycles = tsc_read() + contest->limit_cycles;
    if (cpu == contest->timed_fact) {
        time_kernel(contest, end_cycles);
        return;
    }
    while (!atomic_load_explicit(&contest->is_over, memory_order_acquire) &&
           tsc_read() < end_cycles)
        contention_kernel(contest->iterations);
}

/* Median cycles of one run of the kernel; 0: it did not finish. */
static uint64_t run_contest(struct measuring *measuring, uint32_t slot, uint32_t partner_slot)
{
    bool is_virtual = measuring->results->is_virtual;
    struct contest contest = {
        .timed_fact = measuring_fact(measuring, slot),
        .has_partner = slot != partner_slot,
        .iterations = is_virtual ? VIRTUAL_ITERATIONS : ITERATIONS,
        .limit_cycles = measuring_limit(measuring, PAIR_US, VIRTUAL_PAIR_US),
        .sample_count = is_virtual ? VIRTUAL_SAMPLES : SAMPLES,
        .samples = measuring->samples,
    };

    if (!measuring_on_pair(measuring, slot, partner_slot, contend, &contest) ||
        !contest.done_count)
        return 0;
    return (uint64_t)order_median(contest.samples, contest.done_count);
}

static uint32_t modelled_permille(const struct measuring *measuring,
                                  const struct measured_contention_pair *pair)
{
    const struct measure_inject *inject = &measuring->job->inject;
    const struct measured_cpu *cpus = measuring->results->cpus;
    uint32_t permille = measuring->results->is_virtual ?
                            (pair->is_claimed_sibling ? NOMINAL_SHARED_PERMILLE : 1000) :
                            pair->throughput_permille;
    uint32_t lost = inject->contend_percent ?
                        inject->contend_percent(inject->context, cpus[pair->slot].cpu,
                                                cpus[pair->partner_slot].cpu) : 0;

    return permille * (100 - (lost < 100 ? lost : 100)) / 100;
}

static void judge(const struct measuring *measuring, struct measured_contention_pair *pair)
{
    if (pair->alone_cycles && pair->busy_cycles)
        pair->throughput_permille =
            (uint32_t)((pair->alone_cycles * 1000 + pair->busy_cycles / 2) / pair->busy_cycles);
    if (measuring->results->is_injected)
        pair->throughput_permille = modelled_permille(measuring, pair);
    pair->verdict = !pair->throughput_permille ? CONTENTION_CANNOT_TELL :
                    pair->throughput_permille <= SHARED_MOST_PERMILLE ? CONTENTION_SHARED_CORE :
                    pair->throughput_permille >= OWN_LEAST_PERMILLE ? CONTENTION_OWN_CORE :
                                                                      CONTENTION_CANNOT_TELL;
    if (measuring->results->is_virtual && !measuring->results->is_injected)
        pair->verdict = CONTENTION_CANNOT_TELL;
}

static void add_pair(struct measuring *measuring, struct measured_contention *contention,
                     uint32_t slot, uint32_t partner, bool is_sibling)
{
    struct measured_contention_pair *pair = &contention->pairs[contention->pair_count];

    for (uint32_t i = 0; i < contention->pair_count; i++)
        if (contention->pairs[i].slot == partner && contention->pairs[i].partner_slot == slot)
            return; /* the other way round was measured */
    *pair = (struct measured_contention_pair){.slot = slot, .partner_slot = partner,
                                              .is_claimed_sibling = is_sibling};
    pair->alone_cycles = run_contest(measuring, slot, slot);
    pair->busy_cycles = run_contest(measuring, slot, partner);
    judge(measuring, pair);
    contention->pair_count++;
}

/* The fastest partner that is no declared sibling, or a CPU that inject= names. */
static uint32_t nearest(const struct measuring *measuring, uint32_t slot)
{
    const struct measured_latency *latency = measuring->results->latency;
    const struct measure_inject *inject = &measuring->job->inject;
    const struct measured_cpu *cpus = measuring->results->cpus;
    uint32_t best = MEASURED_NONE, best_ps = MEASURED_NONE;

    for (uint32_t other = 0; other < measuring->results->cpu_count; other++) {
        if (other == slot || pair_distance(measuring->results, measuring->job->topology, slot,
                                           other) == DISTANCE_SMT)
            continue;
        if (inject->contend_percent &&
            inject->contend_percent(inject->context, cpus[slot].cpu, cpus[other].cpu))
            return other;
        uint32_t ps = latency ? latency->median_ps[slot * latency->cpu_count + other] : 0;

        if (best == MEASURED_NONE || ps < best_ps) {
            best = other;
            best_ps = ps;
        }
    }
    return best;
}

bool measure_contention(struct measuring *measuring)
{
    struct measured_results *results = measuring->results;
    struct measured_contention *contention =
        ARENA_NEW(measuring->arena, struct measured_contention, 1);
    uint32_t count = results->cpu_count;

    if (!contention)
        return false;
    contention->pairs = ARENA_NEW(measuring->arena, struct measured_contention_pair, 2 * count);
    if (!contention->pairs)
        return false;
    contention->iterations = results->is_virtual ? VIRTUAL_ITERATIONS : ITERATIONS;
    contention->samples = results->is_virtual ? VIRTUAL_SAMPLES : SAMPLES;
    for (uint32_t slot = 0; slot < count && measuring_has_time(measuring); slot++) {
        uint32_t candidate = nearest(measuring, slot), sibling = slot + 1;

        while (sibling < count && pair_distance(results, measuring->job->topology, slot,
                                                sibling) != DISTANCE_SMT)
            sibling++;
        if (sibling < count)
            add_pair(measuring, contention, slot, sibling, true);
        if (candidate != MEASURED_NONE)
            add_pair(measuring, contention, slot, candidate, false);
        measuring_tell(measuring, slot, count);
    }
    results->contention = contention;
    return true;
}
