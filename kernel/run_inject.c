/* What inject= makes go wrong in the CPUs; injected costs are in run_measure.c. */
#include "kernel/run.h"

#include "drivers/apic/apic.h"
#include "kernel/cpu/physmap.h"
#include "kernel/cpu/tsc.h"

void run_inject_start(struct run *run)
{
    for (uint32_t i = 0; i < run->options.inject_count; i++) {
        const struct inject *inject = &run->options.injects[i];

        for (uint32_t cpu = 1; cpu < run->list.enabled_count; cpu++) {
            if (!inject_has_apic_id(inject, run->started[cpu].apic_id))
                continue;
            if (inject->kind == INJECT_SILENT)
                smp_inject_silent(cpu);
            else if (inject->kind == INJECT_SPURIOUS)
                smp_inject_spurious(cpu);
            else if (inject->kind == INJECT_CACHES_OFF)
                smp_inject_caches_off(cpu);
            else if (inject->kind == INJECT_STUCK)
                smp_inject_stuck(cpu);
            else if (inject->kind == INJECT_LATE)
                smp_inject_late(cpu, tsc_cycles_of_us(inject->ms * 1000ull));
        }
    }
}

/* These parts are the boot CPU's own, outside of what smp_run_on() guards. */
static bool is_part_of_boot_cpu(enum inject_part part)
{
    return part == INJECT_IN_MASKS || part == INJECT_IN_REPORT || part == INJECT_IN_END;
}

void run_inject_fault(struct run *run, enum inject_part part)
{
    for (uint32_t i = 0; run->started && i < run->options.inject_count; i++) {
        struct inject *inject = &run->options.injects[i];

        if (inject->kind != INJECT_FAULT || inject->part != part)
            continue;
        for (uint32_t cpu = 0; cpu < run->list.enabled_count; cpu++) {
            if (!inject_has_apic_id(inject, run->started[cpu].apic_id))
                continue;
            if (!is_part_of_boot_cpu(part)) {
                smp_inject_fault(cpu);
            } else if (cpu == 0) {
                inject->apic_id_count = 0; /* once: the report is tried again */
                __asm__ volatile("ud2");
            }
        }
    }
}

/* To CPUs that sleep between orders. The local APIC takes them one at a time. */
void run_inject_interrupts(const struct run *run)
{
    for (uint32_t i = 0; i < run->options.inject_count; i++) {
        const struct inject *inject = &run->options.injects[i];

        for (uint32_t k = 0; inject->kind == INJECT_INTERRUPT && k < inject->apic_id_count; k++)
            apic_send_fixed(inject->apic_ids[k], (uint8_t)inject->vector);
    }
}

/* The direct map would not let it through. */
void run_inject_stray_stores(const struct run *run)
{
    for (uint32_t i = 0; i < run->options.inject_count; i++) {
        const struct inject *inject = &run->options.injects[i];
        volatile uint8_t *byte;

        if (inject->kind != INJECT_STRAY_STORE)
            continue;
        byte = physmap_device(inject->address, 1, PHYSMAP_UNCACHED);
        if (byte)
            *byte ^= 0xFF;
    }
}
