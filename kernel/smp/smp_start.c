/* Starting CPUs: the sequence of start_sequence.c on this machine's APIC. */
#include "drivers/apic/apic.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/atomic.h"
#include "kernel/smp/smp_state.h"
#include "kernel/smp/start_sequence.h"
#include "kernel/smp/trampoline.h"

/* [intel/vol3 9.4.4.1]: 10 ms after INIT, 200 us between the start messages. */
enum { AFTER_INIT_US = 10000, BEFORE_SECOND_US = 200 };

static uint64_t now(void *context)
{
    (void)context;
    return tsc_read();
}

static void expect(void *context, uint32_t cpu)
{
    struct smp_system *s = context;
    struct smp_record *record = &s->records[cpu];

    atomic_store_explicit(&record->done, atomic_load(&s->orders[cpu].number),
                          memory_order_relaxed);
    atomic_store_explicit(&record->progress, SMP_PROGRESS_EXPECTED, memory_order_release);
}

static void note_sent(struct smp_system *s, uint32_t cpu, bool is_sent)
{
    s->unsent_counts[cpu] += !is_sent;
}

static void send_init(void *context, uint32_t cpu)
{
    struct smp_system *s = context;

    s->init_cycles[cpu] = tsc_read();
    note_sent(s, cpu, !s->is_stuck[cpu] && apic_send_init(s->cpus[cpu].apic_id));
}

static void send_startup(void *context, uint32_t cpu)
{
    struct smp_system *s = context;

    if (!s->is_silent[cpu])
        note_sent(s, cpu, !s->is_stuck[cpu] && apic_send_startup(s->cpus[cpu].apic_id,
                                                                 trampoline_physical()));
}

static bool is_here(void *context, uint32_t cpu)
{
    struct smp_system *s = context;

    return atomic_load_explicit(&s->records[cpu].progress, memory_order_acquire) ==
           SMP_PROGRESS_HERE;
}

static bool abandon(void *context, uint32_t cpu)
{
    struct smp_system *s = context;
    uint32_t expected = SMP_PROGRESS_EXPECTED;

    return atomic_compare_exchange_strong(&s->records[cpu].progress, &expected,
                                          SMP_PROGRESS_ABANDONED);
}

static void relax(void *context)
{
    (void)context;
    cpu_pause();
}

/* The CPUs of *asked that are not in *missing have started. */
static void note_outcomes(struct smp_system *s, const struct cpumask *asked,
                          const struct cpumask *missing)
{
    CPUMASK_FOR_EACH(cpu, asked) {
        bool is_started = !cpumask_has(missing, cpu);
        uint64_t here = s->records[cpu].here_cycles, init = s->init_cycles[cpu];

        s->cpus[cpu].outcome = is_started ? SMP_STARTED : SMP_SILENT;
        /* A started CPU whose TSC is behind ours has no duration that can be told. */
        s->cpus[cpu].start_cycles = is_started && here > init ? here - init : 0;
        if (is_started)
            cpumask_set(&s->running, cpu);
        else
            cpumask_drop(&s->running, cpu);
    }
}

/* `asked` must not be &s->starting. */
static uint32_t start(struct smp_system *s, const struct cpumask *asked, uint64_t limit_cycles)
{
    const struct start_port port = {s, now, expect, send_init, send_startup, is_here, abandon,
                                    relax};
    const struct start_times times = {
        .after_init = tsc_cycles_of_us(AFTER_INIT_US),
        .before_second = tsc_cycles_of_us(BEFORE_SECOND_US),
        .limit = limit_cycles,
    };
    uint64_t begin = tsc_read();

    cpumask_clear(&s->starting);
    cpumask_or(&s->starting, asked);
    if (cpumask_first(asked) == CPUMASK_NONE)
        return 0;
    struct start_result result = start_sequence_run(&port, &times, &s->starting);
    s->summary = (struct smp_start_summary){
        .limit_cycles = limit_cycles,
        .elapsed_cycles = tsc_read() - begin,
        .second_count = result.second_count,
    };
    note_outcomes(s, asked, &s->starting);
    return result.started_count;
}

uint32_t smp_start_all(uint64_t deadline_cycles)
{
    struct smp_system *s = &smp_system;

    cpumask_clear(&s->busy);
    for (uint32_t cpu = 1; cpu < s->cpu_count; cpu++)
        cpumask_set(&s->busy, cpu);
    return start(s, &s->busy, deadline_cycles);
}

/* The boot CPU cannot send itself INIT and live to tell. */
uint32_t smp_restart(const struct cpumask *mask, uint64_t deadline_cycles)
{
    struct smp_system *s = &smp_system;

    cpumask_clear(&s->busy);
    cpumask_or(&s->busy, mask);
    cpumask_drop(&s->busy, 0);
    return start(s, &s->busy, deadline_cycles);
}

void smp_inject_silent(uint32_t cpu)
{
    smp_system.is_silent[cpu] = true;
}

void smp_inject_stuck(uint32_t cpu)
{
    smp_system.is_stuck[cpu] = true;
}

void smp_inject_late(uint32_t cpu, uint64_t late_cycles)
{
    smp_system.late_cycles[cpu] = late_cycles;
}

void smp_inject_caches_off(uint32_t cpu)
{
    smp_system.is_uncached[cpu] = true;
}

void smp_inject_spurious(uint32_t cpu)
{
    smp_system.is_spurious[cpu] = true;
}

void smp_inject_fault(uint32_t cpu)
{
    smp_system.is_faulty[cpu] = true;
}

const struct smp_start_summary *smp_start_summary(void)
{
    return &smp_system.summary;
}

uint32_t smp_unsent_count(uint32_t cpu)
{
    return cpu < smp_system.cpu_count && smp_system.unsent_counts ? smp_system.unsent_counts[cpu]
                                                                  : 0;
}
