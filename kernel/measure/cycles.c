/* Offline and online again: INIT, start messages, check-in. Half of the CPUs, then all
 * but the boot CPU, `cycles=` times each. A CPU that stays away once is tried again in
 * the next cycle and named with the cycle in which it failed first. */
#include "kernel/measure/measuring.h"
#include "kernel/stats/measured_summary.h"
#include "kernel/stats/order.h"

enum {
    DEADLINE_US = 1000000, VIRTUAL_DEADLINE_US = 20000000,
    MAX_KEPT = 4096, /* the last so many durations of a CPU and of a set are kept */
};

struct cycling {
    struct measuring *measuring;
    struct measured_cycles *cycles;
    struct cpumask mask;        /* indexes of facts */
    uint64_t *whole_ns;
    uint64_t *start_ns;         /* [slot * kept + n % kept]: n-th start of that CPU */
    uint32_t *start_counts;
    uint32_t kept;
    uint32_t cycle_number;      /* of both sets together, from 1 */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Every second CPU, or all; never the boot CPU. */
static uint32_t choose(struct cycling *cycling, enum cycle_set set)
{
    uint32_t count = 0;

    cpumask_clear(&cycling->mask);
    for (uint32_t slot = 0; slot < cycling->measuring->results->cpu_count; slot++) {
        uint32_t fact = measuring_fact(cycling->measuring, slot);

        if (fact == 0 || (set == CYCLE_HALF && slot % 2 == 0))
            continue;
        cpumask_set(&cycling->mask, fact);
        count++;
    }
    return count;
}

static void note_cpu(struct cycling *cycling, uint32_t slot)
{
    struct measured_cycle_cpu *cpu = &cycling->cycles->cpus[slot];
    uint32_t fact = measuring_fact(cycling->measuring, slot);
    uint32_t at = cycling->start_counts[slot] % cycling->kept;

    if (!cpumask_has(&cycling->mask, fact))
        return;
    cpu->attempts++;
    if (cpumask_has(smp_running(), fact)) {
        cycling->start_ns[(size_t)slot * cycling->kept + at] =
            cycles_to_ns(cycling->measuring->job->started[fact].start_cycles, tsc_hz());
        cycling->start_counts[slot]++;
        return;
    }
    cpu->failures++;
    if (!cpu->first_failed_cycle)
        cpu->first_failed_cycle = cycling->cycle_number;
}

static void run_set(struct cycling *cycling, enum cycle_set which)
{
    struct measuring *measuring = cycling->measuring;
    struct measured_cycle_set *set = &cycling->cycles->sets[which];
    uint64_t deadline = measuring_limit(measuring, DEADLINE_US, VIRTUAL_DEADLINE_US);

    *set = (struct measured_cycle_set){.set = which, .cpu_count = choose(cycling, which),
                                       .cycles_asked = measuring->job->cycles};
    for (uint32_t i = 0; i < set->cycles_asked && set->cpu_count; i++) {
        if (!measuring_has_time(measuring))
            break;
        cycling->cycle_number++;
        uint32_t back = smp_restart(&cycling->mask, deadline);

        cycling->whole_ns[set->cycles_done++ % cycling->kept] =
            cycles_to_ns(smp_start_summary()->elapsed_cycles, tsc_hz());
        set->cycles_incomplete += back != set->cpu_count;
        for (uint32_t slot = 0; slot < measuring->results->cpu_count; slot++)
            note_cpu(cycling, slot);
        measuring_tell(measuring, (uint64_t)which * set->cycles_asked + i,
                       (uint64_t)CYCLE_SETS * set->cycles_asked);
    }
    set->whole = duration_of(cycling->whole_ns, smaller(set->cycles_done, cycling->kept));
}

static void summarise(struct cycling *cycling, uint32_t slot)
{
    struct measured_cycle_cpu *cpu = &cycling->cycles->cpus[slot];
    uint64_t *ns = &cycling->start_ns[(size_t)slot * cycling->kept];
    uint32_t count = smaller(cycling->start_counts[slot], cycling->kept);

    cpu->slot = slot;
    cpu->start = duration_of(ns, count);
    if (!count)
        return;
    /* Durations are far below 2^63, where both readings of the bits agree. */
    cpu->median_ns = (uint64_t)order_median((int64_t *)ns, count);
    cpu->p95_ns = (uint64_t)order_quantile((int64_t *)ns, count, 950000);
}

bool measure_cycles(struct measuring *measuring)
{
    struct arena *arena = measuring->arena;
    uint32_t cpus = measuring->results->cpu_count;
    struct cycling cycling = {.measuring = measuring,
                              .cycles = ARENA_NEW(arena, struct measured_cycles, 1),
                              .kept = smaller(CYCLE_SETS * measuring->job->cycles, MAX_KEPT)};

    cycling.whole_ns = ARENA_NEW(arena, uint64_t, cycling.kept);
    cycling.start_ns = ARENA_NEW(arena, uint64_t, (size_t)cpus * cycling.kept);
    cycling.start_counts = ARENA_NEW(arena, uint32_t, cpus);
    if (!cycling.cycles || !cycling.whole_ns || !cycling.start_ns || !cycling.start_counts ||
        !cpumask_init(&cycling.mask, measuring->job->facts->cpu_count, arena))
        return false;
    cycling.cycles->cpus = ARENA_NEW(arena, struct measured_cycle_cpu, cpus);
    if (!cycling.cycles->cpus)
        return false;
    cycling.cycles->cpu_count = cpus;
    for (uint32_t set = 0; set < CYCLE_SETS; set++)
        run_set(&cycling, set);
    for (uint32_t slot = 0; slot < cpus; slot++)
        summarise(&cycling, slot);
    measuring->results->cycles = cycling.cycles;
    return true;
}
