/* Time-stamp counters of all CPUs against the boot CPU's, and against a second clock.
 *
 *     boot CPU   t0 ----->            -----> t2     offset = t1 - (t0 + t2) / 2
 *     other CPU           t1 -------               true within (t2 - t0) / 2
 *
 * The exchange with the shortest way is kept. The warp test is the one that Linux makes
 * at start: both CPUs in turn take a lock, read, and compare with what was read last.
 * [linux tsc_sync.c] */
#include "kernel/lib/atomic.h"
#include "kernel/measure/measuring.h"

enum {
    EXCHANGES = 200, VIRTUAL_EXCHANGES = 20,
    WARP_READS = 20000, VIRTUAL_WARP_READS = 500,
    PAIR_US = 20000, VIRTUAL_PAIR_US = 60000,
    RATE_US = 200000, VIRTUAL_RATE_US = 30000,
    PM_TIMER_HZ = 3579545, /* [acpi 4.8.3.3] */
    PM_TIMER_SHORT_BITS = 24,
    INVARIANT_TSC_LEAF = 0x80000007, INVARIANT_TSC_BIT = 1 << 8,
};

struct exchange {
    uint32_t boot_fact;
    uint32_t count, warp_reads;
    uint64_t limit_cycles;
    bool is_polite;
    struct smp_barrier barrier;
    _Atomic uint32_t turn;
    _Atomic uint64_t other_cycles;
    /* the warp test */
    _Atomic bool is_locked;
    uint64_t last_cycles;
    uint64_t max_warp_cycles;
    uint32_t warp_count;
    /* results of the boot CPU */
    bool has_offset;
    int64_t offset_cycles;
    uint64_t way_cycles;
};

static bool wait_turn(const struct exchange *exchange, uint32_t turn, uint64_t end_cycles)
{
    while (atomic_load_explicit(&exchange->turn, memory_order_acquire) != turn) {
        if (exchange->is_polite)
            cpu_pause();
        if (tsc_read() > end_cycles)
            return false;
    }
    return true;
}

static void ask(struct exchange *exchange, uint64_t end_cycles)
{
    for (uint32_t i = 0; i < exchange->count; i++) {
        uint64_t t0 = measuring_stamp(), t1, t2;

        atomic_store_explicit(&exchange->turn, 2 * i + 1, memory_order_release);
        if (!wait_turn(exchange, 2 * i + 2, end_cycles))
            return;
        t2 = measuring_stamp();
        t1 = atomic_load_explicit(&exchange->other_cycles, memory_order_relaxed);
        if (exchange->has_offset && t2 - t0 >= exchange->way_cycles)
            continue;
        exchange->has_offset = true;
        exchange->way_cycles = t2 - t0;
        exchange->offset_cycles = (int64_t)(t1 - (t0 + (t2 - t0) / 2));
    }
}

static void answer(struct exchange *exchange, uint64_t limit_cycles)
{
    uint64_t end_cycles = tsc_read() + limit_cycles;

    for (uint32_t i = 0; i < exchange->count; i++) {
        if (!wait_turn(exchange, 2 * i + 1, end_cycles))
            return;
        atomic_store_explicit(&exchange->other_cycles, measuring_stamp(), memory_order_relaxed);
        atomic_store_explicit(&exchange->turn, 2 * i + 2, memory_order_release);
    }
}

static bool take(struct exchange *exchange, uint64_t end_cycles)
{
    while (atomic_exchange_explicit(&exchange->is_locked, true, memory_order_acquire)) {
        cpu_pause();
        if (tsc_read() > end_cycles)
            return false;
    }
    return true;
}

static void look_for_warps(struct exchange *exchange)
{
    uint64_t end_cycles = tsc_read() + exchange->limit_cycles;

    for (uint32_t i = 0; i < exchange->warp_reads && tsc_read() < end_cycles; i++) {
        uint64_t now;

        if (!take(exchange, end_cycles))
            return;
        now = measuring_stamp();
        if (now < exchange->last_cycles) {
            uint64_t warp = exchange->last_cycles - now;

            exchange->warp_count++;
            if (warp > exchange->max_warp_cycles)
                exchange->max_warp_cycles = warp;
        }
        exchange->last_cycles = now;
        atomic_store_explicit(&exchange->is_locked, false, memory_order_release);
    }
}

static void compare(uint32_t cpu, void *context)
{
    struct exchange *exchange = context;
    bool is_boot = cpu == exchange->boot_fact;

    if (!smp_barrier_wait(&exchange->barrier, 2, exchange->limit_cycles))
        return;
    if (is_boot)
        ask(exchange, tsc_read() + exchange->limit_cycles);
    else
        answer(exchange, exchange->limit_cycles);
    if (smp_barrier_wait(&exchange->barrier, 2, 2 * exchange->limit_cycles))
        look_for_warps(exchange);
}

static void measure_cpu(struct measuring *measuring, uint32_t slot, struct measured_tsc_cpu *cpu)
{
    bool is_virtual = measuring->results->is_virtual;
    struct exchange exchange = {
        .boot_fact = measuring_fact(measuring, 0),
        .count = is_virtual ? VIRTUAL_EXCHANGES : EXCHANGES,
        .warp_reads = is_virtual ? VIRTUAL_WARP_READS : WARP_READS,
        .limit_cycles = measuring_limit(measuring, PAIR_US, VIRTUAL_PAIR_US),
        .is_polite = is_virtual,
    };

    *cpu = (struct measured_tsc_cpu){.slot = slot};
    if (!measuring_on_pair(measuring, 0, slot, compare, &exchange))
        return;
    cpu->has_offset = exchange.has_offset;
    cpu->offset_cycles = exchange.offset_cycles;
    cpu->offset_bound_cycles = exchange.way_cycles / 2;
    cpu->max_warp_cycles = exchange.max_warp_cycles;
    cpu->warp_count = exchange.warp_count;
}

/* The PM timer counts on past its width, which the difference takes back. */
static void measure_rate(struct measuring *measuring, struct measured_tsc *tsc)
{
    const struct measure_job *job = measuring->job;
    uint64_t window = measuring_limit(measuring, RATE_US, VIRTUAL_RATE_US);
    uint32_t mask = job->is_pm_timer_32bit ? UINT32_MAX : (1u << PM_TIMER_SHORT_BITS) - 1;
    uint32_t first_ticks, ticks;
    uint64_t first, last, expected;

    if (!job->pm_timer_port)
        return;
    first_ticks = port_read32(job->pm_timer_port);
    first = measuring_stamp();
    do
        cpu_pause();
    while (measuring_stamp() - first < window);
    ticks = (port_read32(job->pm_timer_port) - first_ticks) & mask;
    last = measuring_stamp();
    if (!ticks)
        return; /* a timer that stands still is none */
    tsc->second_clock = "acpi-pm-timer";
    tsc->has_rate = true;
    tsc->rate_window_us = (uint64_t)ticks * 1000000 / PM_TIMER_HZ;
    tsc->rate_hz = (last - first) * PM_TIMER_HZ / ticks;
    expected = measuring->results->tsc_hz;
    if (expected)
        tsc->rate_deviation_ppm = (int32_t)(((int64_t)tsc->rate_hz - (int64_t)expected) /
                                            (int64_t)(expected / 1000000 + 1));
}

static bool is_invariant(const struct machine_facts *facts)
{
    for (uint32_t cpu = 0; cpu < facts->cpu_count; cpu++) {
        struct cpuid_regs regs;

        if (facts->cpus[cpu].state == CPU_ONLINE &&
            (facts_cpuid(facts, &facts->cpus[cpu], INVARIANT_TSC_LEAF, 0, &regs) !=
                 CPUID_RECORDED || !(regs.edx & INVARIANT_TSC_BIT)))
            return false;
    }
    return true;
}

bool measure_tsc(struct measuring *measuring)
{
    struct measured_tsc *tsc = ARENA_NEW(measuring->arena, struct measured_tsc, 1);
    uint32_t count = measuring->results->cpu_count;

    if (!tsc)
        return false;
    tsc->cpus = ARENA_NEW(measuring->arena, struct measured_tsc_cpu, count);
    if (!tsc->cpus)
        return false;
    tsc->warp_reads = measuring->results->is_virtual ? VIRTUAL_WARP_READS : WARP_READS;
    tsc->is_invariant = is_invariant(measuring->job->facts);
    measure_rate(measuring, tsc);
    for (uint32_t slot = 1; slot < count && measuring_has_time(measuring); slot++) {
        measure_cpu(measuring, slot, &tsc->cpus[tsc->cpu_count++]);
        measuring_tell(measuring, slot, count);
    }
    measuring->results->tsc = tsc;
    return true;
}
