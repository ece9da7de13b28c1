/* Memory of all CPUs, and handing work to them. */
#include "kernel/smp/smp.h"

#include <stddef.h>
#include <stdlib.h>

#include "drivers/apic/apic.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/paging.h"
#include "kernel/cpu/physmap.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/atomic.h"
#include "kernel/smp/smp_state.h"
#include "kernel/smp/smp_wait.h"
#include "kernel/smp/trampoline.h"

enum { STACK_BYTES = 16384, PAGE_BYTES = 4096 };

struct smp_system smp_system;
struct smp_entry_params smp_entry_params;

/* An APIC id and the CPU that has it, sorted for the search in smp_entry.asm. */
struct id_of_cpu {
    uint32_t apic_id, cpu;
};

static int compare_ids(const void *left, const void *right)
{
    const struct id_of_cpu *a = left, *b = right;

    return a->apic_id < b->apic_id ? -1 : a->apic_id > b->apic_id;
}

static bool fill_ids(struct smp_system *s, struct arena *arena)
{
    struct id_of_cpu *pairs = ARENA_NEW(arena, struct id_of_cpu, s->cpu_count);
    uint32_t *ids = ARENA_NEW(arena, uint32_t, s->cpu_count);
    uint32_t *cpus = ARENA_NEW(arena, uint32_t, s->cpu_count);

    if (pairs == NULL || ids == NULL || cpus == NULL)
        return false;
    for (uint32_t cpu = 0; cpu < s->cpu_count; cpu++)
        pairs[cpu] = (struct id_of_cpu){s->cpus[cpu].apic_id, cpu};
    qsort(pairs, s->cpu_count, sizeof(*pairs), compare_ids);
    for (uint32_t i = 0; i < s->cpu_count; i++) {
        ids[i] = pairs[i].apic_id;
        cpus[i] = pairs[i].cpu;
    }
    smp_entry_params.count = s->cpu_count;
    smp_entry_params.ids = ids;
    smp_entry_params.cpus = cpus;
    return true;
}

/* Top of a new stack between unmapped pages; 0: the arena or the address space is full. */
static uint64_t stack_new(struct arena *arena)
{
    void *memory = arena_alloc(arena, 1, STACK_BYTES, PAGE_BYTES);
    uint8_t *stack = memory ? physmap_stack(physmap_physical(memory), STACK_BYTES) : NULL;

    return stack ? (uint64_t)stack + STACK_BYTES : 0;
}

static bool fill_stacks(struct smp_system *s, struct arena *arena)
{
    s->stacks = ARENA_NEW(arena, uint64_t, s->cpu_count);
    if (s->stacks == NULL)
        return false;
    for (uint32_t cpu = 1; cpu < s->cpu_count; cpu++) {
        s->stacks[cpu] = stack_new(arena);
        if (s->stacks[cpu] == 0)
            return false;
    }
    smp_entry_params.stacks = s->stacks;
    return true;
}

static bool fill_records(struct smp_system *s, struct arena *arena)
{
    s->records = ARENA_NEW(arena, struct smp_record, s->cpu_count);
    s->orders = ARENA_NEW(arena, struct smp_order, s->cpu_count);
    s->init_cycles = ARENA_NEW(arena, uint64_t, s->cpu_count);
    s->late_cycles = ARENA_NEW(arena, uint64_t, s->cpu_count);
    s->unsent_counts = ARENA_NEW(arena, uint32_t, s->cpu_count);
    s->is_stuck = ARENA_NEW(arena, bool, s->cpu_count);
    s->is_silent = ARENA_NEW(arena, bool, s->cpu_count);
    s->is_uncached = ARENA_NEW(arena, bool, s->cpu_count);
    s->is_spurious = ARENA_NEW(arena, bool, s->cpu_count);
    s->is_faulty = ARENA_NEW(arena, bool, s->cpu_count);
    return s->records != NULL && s->orders != NULL && s->init_cycles != NULL &&
           s->late_cycles != NULL && s->unsent_counts != NULL && s->is_stuck != NULL &&
           s->is_silent != NULL && s->is_uncached != NULL && s->is_spurious != NULL &&
           s->is_faulty != NULL &&
           cpumask_init(&s->running, s->cpu_count, arena) &&
           cpumask_init(&s->starting, s->cpu_count, arena) &&
           cpumask_init(&s->busy, s->cpu_count, arena);
}

bool smp_init(struct smp_cpu *cpus, uint32_t cpu_count, uint64_t trampoline_page,
              struct arena *arena)
{
    struct smp_system *s = &smp_system;

    s->cpus = cpus;
    s->cpu_count = cpu_count;
    smp_wait_init();
    if (!fill_records(s, arena) || !smp_worker_init(cpu_count, arena))
        return false;
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        cpus[cpu].outcome = SMP_NOT_TRIED;
    cpus[0].outcome = SMP_STARTED;
    s->records[0].progress = SMP_PROGRESS_HERE;
    cpumask_set(&s->running, 0);
    if (cpu_count == 1)
        return true;
    if (!fill_ids(s, arena) || !fill_stacks(s, arena))
        return false;
    smp_entry_params.cr0 = cr0_read();
    smp_entry_params.cr4 = cr4_read();
    smp_entry_params.xapic_page = apic_xapic_page();
    smp_entry_params.wants_x2apic = apic_ops() == &x2apic_ops;
    return trampoline_install(trampoline_page, smp_entry);
}

const struct cpumask *smp_running(void)
{
    return &smp_system.running;
}

static void give_order(uint32_t cpu, smp_function function, void *context)
{
    struct smp_order *order = &smp_system.orders[cpu];
    uint32_t number = atomic_load_explicit(&order->number, memory_order_relaxed);

    order->function = function;
    order->context = context;
    atomic_store_explicit(&order->number, number + 1, memory_order_release);
    if (cpu != 0)
        smp_system.unsent_counts[cpu] +=
            smp_system.is_stuck[cpu] ||
            !apic_send_fixed(smp_system.cpus[cpu].apic_id, SMP_VECTOR_WAKEUP);
}

static bool has_finished(uint32_t cpu)
{
    return atomic_load_explicit(&smp_system.records[cpu].done, memory_order_acquire) ==
           atomic_load_explicit(&smp_system.orders[cpu].number, memory_order_relaxed);
}

static bool has_faulted(uint32_t cpu)
{
    return atomic_load_explicit(&smp_system.records[cpu].progress, memory_order_acquire) ==
           SMP_PROGRESS_FAULTED;
}

/* Drops the CPUs of *busy that are done; a faulted one is never done. */
static void drop_finished(struct cpumask *busy)
{
    CPUMASK_FOR_EACH(cpu, busy)
        if (has_finished(cpu))
            cpumask_drop(busy, cpu);
}

static bool has_one_at_work(const struct cpumask *busy)
{
    CPUMASK_FOR_EACH(cpu, busy)
        if (!has_faulted(cpu))
            return true;
    return false;
}

/* What is left in *busy failed: it is given no further work. */
static void retire(const struct cpumask *busy, struct cpumask *failed)
{
    CPUMASK_FOR_EACH(cpu, busy) {
        if (failed != NULL)
            cpumask_set(failed, cpu);
        if (cpu == 0) /* it goes on with the run, and may be asked again */
            continue;
        smp_system.cpus[cpu].outcome = has_faulted(cpu) ? SMP_FAULTED : SMP_SILENT;
        cpumask_drop(&smp_system.running, cpu);
    }
}

static void run_here(smp_function function, void *context)
{
    struct smp_record *record = &smp_system.records[0];

    record->progress = SMP_PROGRESS_HERE;
    if (smp_guarded_call(0, function, context))
        record->done = smp_system.orders[0].number;
    else
        record->progress = SMP_PROGRESS_FAULTED;
}

bool smp_run_on(const struct cpumask *mask, smp_function function, void *context,
                uint64_t bound_cycles, struct cpumask *failed)
{
    struct cpumask *busy = &smp_system.busy;
    uint64_t start = tsc_read();

    if (failed != NULL)
        cpumask_clear(failed);
    cpumask_clear(busy);
    cpumask_or(busy, mask);
    cpumask_and(busy, &smp_system.running);
    bool has_all = cpumask_is_subset(mask, busy);

    CPUMASK_FOR_EACH(cpu, busy)
        give_order(cpu, function, context);
    if (cpumask_has(busy, 0))
        run_here(function, context);
    for (drop_finished(busy); has_one_at_work(busy); drop_finished(busy)) {
        if (tsc_read() - start > bound_cycles)
            break;
        smp_wait_step(start);
    }
    bool is_done = cpumask_first(busy) == CPUMASK_NONE;
    retire(busy, failed);
    return is_done && has_all;
}

bool smp_fault_of(uint32_t cpu, struct smp_fault *fault)
{
    if (cpu >= smp_system.cpu_count || !smp_system.records[cpu].has_faulted)
        return false;
    *fault = smp_system.records[cpu].fault;
    return true;
}

bool smp_found_pat(uint32_t cpu, uint64_t *pat)
{
    *pat = cpu == 0 ? paging_found_pat() : smp_system.records[cpu].found_pat;
    return smp_system.cpus[cpu].outcome == SMP_STARTED;
}

/* A barrier that can be used again at once: the last to arrive opens the next round. */
bool smp_barrier_wait(struct smp_barrier *barrier, uint32_t count, uint64_t bound_cycles)
{
    uint32_t round = atomic_load_explicit(&barrier->round, memory_order_acquire);
    uint64_t start = tsc_read();

    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == count) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&barrier->round, round + 1, memory_order_release);
        return true;
    }
    while (atomic_load_explicit(&barrier->round, memory_order_acquire) == round) {
        if (tsc_read() - start > bound_cycles)
            return false;
        cpu_pause();
    }
    return true;
}
