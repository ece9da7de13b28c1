/* Concurrency: one slice of the region per CPU, one start for all. [clear 3.6] */
#include "kernel/bench/together.h"

#include "kernel/bench/engine_pass.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/atomic.h"
#include "kernel/stats/summary.h"

enum {
    START_DELAY_US = 200,     /* from the last arrival to the common start */
    BARRIER_BOUND_US = 20000000,
    RUN_BOUND_US = 60000000,
};

struct order {
    struct together *together;
    const struct bench_setting *setting;
    const struct timed_pass *pass;
    uint64_t slice_bytes;
    uint32_t cpu_count;
    struct smp_barrier barrier;
    _Atomic uint64_t start_cycles;
};

/* Slot 0 names the start when all have arrived; the others wait for it. */
static bool agree_on_start(struct order *order, uint32_t slot)
{
    uint64_t bound = tsc_cycles_of_us(BARRIER_BOUND_US), begin = tsc_read(), start;
    if (!smp_barrier_wait(&order->barrier, order->cpu_count, bound))
        return false;
    if (slot == 0)
        atomic_store_explicit(&order->start_cycles,
                              tsc_read() + tsc_cycles_of_us(START_DELAY_US),
                              memory_order_release);
    while ((start = atomic_load_explicit(&order->start_cycles, memory_order_acquire)) == 0)
        if (tsc_read() - begin > bound)
            return false;
        else
            cpu_pause();
    while (tsc_read() < start)
        cpu_pause();
    return true;
}

static void clear_slice(uint32_t cpu, void *context)
{
    struct order *order = context;
    struct together_share *share = &order->together->shares[cpu];
    uint8_t *slice = (uint8_t *)order->pass->start + share->slot * order->slice_bytes;
    uint64_t sample;
    const uint32_t first = 0;
    struct timed_pass own = {
        .clear = order->pass->clear, .start = slice, .order = &first, .samples = &sample,
        .extent_bytes = order->setting->extent_bytes, .sample_count = 1,
        .calls = (uint32_t)(order->slice_bytes / order->setting->extent_bytes),
    };
    share->is_done = false;
    timed_fill(slice, order->slice_bytes, ENGINE_DIRTY_PATTERN);
    if (!agree_on_start(order, share->slot))
        return;
    timed_pass(&own);
    share->end_cycles = tsc_read();
    share->start_cycles = atomic_load_explicit(&order->start_cycles, memory_order_relaxed);
    share->is_done = true;
}

static uint32_t hand_out_slots(struct together *together, const struct cpumask *cpus)
{
    uint32_t slot = 0;
    for (uint32_t cpu = 0; cpu < together->share_count; cpu++)
        together->shares[cpu].slot = UINT32_MAX;
    CPUMASK_FOR_EACH(cpu, cpus)
        together->shares[cpu].slot = slot++;
    return slot;
}

uint64_t together_clear(struct together *together, const struct cpumask *cpus,
                        const struct bench_setting *setting, const struct timed_pass *pass,
                        uint64_t tsc_hz, struct bench_cell *cell)
{
    struct order order = { .together = together, .setting = setting, .pass = pass };
    order.cpu_count = hand_out_slots(together, cpus);
    order.slice_bytes = setting->pass_bytes / order.cpu_count / setting->extent_bytes *
                        setting->extent_bytes;
    if (order.slice_bytes == 0 ||
        !smp_run_on(cpus, clear_slice, &order, tsc_cycles_of_us(RUN_BOUND_US), NULL))
        return 0;
    uint64_t longest = 0;
    CPUMASK_FOR_EACH(cpu, cpus) {
        const struct together_share *share = &together->shares[cpu];
        if (!share->is_done)
            return 0;
        uint64_t cycles = share->end_cycles - share->start_cycles;
        uint64_t rate = summary_bytes_per_s(order.slice_bytes, cycles << 8, tsc_hz);
        longest = cycles > longest ? cycles : longest;
        if (cell->cpu_min_bytes_per_s == 0 || rate < cell->cpu_min_bytes_per_s)
            cell->cpu_min_bytes_per_s = rate;
        if (rate > cell->cpu_max_bytes_per_s)
            cell->cpu_max_bytes_per_s = rate;
    }
    return (longest << 8) / (order.slice_bytes / setting->extent_bytes) / order.cpu_count;
}
