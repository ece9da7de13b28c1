/* The end: every CPU that may be anywhere in the image is sent INIT and started once
 * more, into the closed trampoline. Whether it slept, had taken an exception or came too
 * late, it then halts in a page that stays reserved, where SMIs find it as an operating
 * system's offline CPU. */
#include "drivers/apic/apic.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/smp/smp_state.h"
#include "kernel/smp/trampoline.h"

enum { AFTER_INIT_US = 10000, START_AGAIN_US = 10000 };

static void wait_us(uint64_t us)
{
    uint64_t start = tsc_read(), cycles = tsc_cycles_of_us(us);

    while (tsc_read() - start < cycles)
        cpu_pause();
}

/* Also to the silent ones: a late start message must find them waiting for ours. */
static void send_init(const struct smp_system *s)
{
    for (uint32_t cpu = 1; cpu < s->cpu_count; cpu++)
        apic_send_init(s->cpus[cpu].apic_id);
    wait_us(AFTER_INIT_US);
}

static void send_to_trampoline(const struct smp_system *s)
{
    for (uint32_t cpu = 1; cpu < s->cpu_count; cpu++)
        if (!s->is_silent[cpu] && !s->is_stuck[cpu])
            apic_send_startup(s->cpus[cpu].apic_id, trampoline_physical());
}

/* A start message that came before its CPU had taken the INIT, as on a busy host, is
 * lost; a CPU that runs does not see another one. Returns how many are missing. */
static uint32_t wait_for_parked(const struct smp_system *s, uint32_t count, uint64_t bound_cycles)
{
    uint64_t start = tsc_read(), again = tsc_cycles_of_us(START_AGAIN_US), sent = start;
    uint32_t parked_count;

    while ((parked_count = trampoline_parked_count()) < count) {
        uint64_t now = tsc_read();

        if (now - start >= bound_cycles)
            return count - parked_count;
        if (now - sent >= again) {
            send_to_trampoline(s);
            sent = now;
        }
        cpu_pause();
    }
    return 0;
}

uint32_t smp_park_all(uint64_t bound_cycles)
{
    struct smp_system *s = &smp_system;
    uint32_t running_count = cpumask_count(&s->running) - 1;
    uint32_t missing_count = 0;

    if (trampoline_physical() != 0) {
        trampoline_close();
        send_init(s);
        send_to_trampoline(s);
        missing_count = wait_for_parked(s, running_count, bound_cycles);
    }
    cpumask_clear(&s->running);
    cpumask_set(&s->running, 0);
    apic_restore();
    return missing_count;
}
