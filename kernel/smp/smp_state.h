/* What the files of kernel/smp share: one record a CPU, and the entry's parameters. */
#ifndef KERNEL_SMP_SMP_STATE_H
#define KERNEL_SMP_SMP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/smp/smp.h"

enum {
    SMP_CACHE_LINE_BYTES = 64,
    /* Class 0xF: above the task priority that apic_enable_wakeups() sets. */
    SMP_VECTOR_WAKEUP = 0xF1,
};

/* The way of a started CPU. The boot CPU sets EXPECTED before the start message and
 * ABANDONED when the deadline has passed; the CPU itself sets the rest, each time by
 * exchange, so that exactly one of "too late" and "here" wins. */
enum smp_progress {
    SMP_PROGRESS_OFF,
    SMP_PROGRESS_EXPECTED,
    SMP_PROGRESS_HERE,
    SMP_PROGRESS_ABANDONED,
    SMP_PROGRESS_FAULTED, /* took an exception in an smp_function; halts */
};

/* Written by its own CPU, `progress` also by the boot CPU as said above. */
struct smp_record {
    _Alignas(SMP_CACHE_LINE_BYTES) _Atomic uint32_t progress;
    _Atomic uint32_t done;        /* the last order that was carried out */
    uint64_t here_cycles;         /* TSC at the first instruction in C */
    uint64_t found_pat;           /* IA32_PAT as this CPU had it when it started */
    struct smp_fault fault;
    bool has_faulted;             /* stays, also when the CPU is started again */
};

/* Written by the boot CPU only. */
struct smp_order {
    _Alignas(SMP_CACHE_LINE_BYTES) _Atomic uint32_t number; /* rises with every order */
    smp_function function;
    void *context;
};

/* Same layout as `entry` in smp_entry.asm. */
struct smp_entry_params {
    uint64_t cr0, cr4;
    const volatile void *xapic_page;
    uint64_t wants_x2apic;
    uint64_t count;
    const uint32_t *ids;
    const uint32_t *cpus;
    const uint64_t *stacks;
};

struct smp_system {
    struct smp_cpu *cpus;
    uint32_t cpu_count;
    struct smp_record *records;
    struct smp_order *orders;
    uint64_t *stacks;             /* stack tops; 0 for the boot CPU */
    uint64_t *init_cycles;        /* TSC when INIT was sent */
    uint64_t *late_cycles;        /* injected: waits that long before it reports */
    uint32_t *unsent_counts;      /* messages that the local APIC did not take */
    bool *is_silent;              /* injected: sent no start message */
    bool *is_uncached;            /* injected: runs with CR0.CD set */
    bool *is_spurious;            /* injected: the next order begins with spurious interrupts */
    bool *is_stuck;               /* injected: no message to it is taken */
    bool *is_faulty;              /* injected: the next order ends in an exception */
    struct cpumask running, starting, busy;
    struct smp_start_summary summary;
};

extern struct smp_system smp_system;
extern struct smp_entry_params smp_entry_params;

void smp_entry(void);

/* Descriptor tables and fault guards for all CPUs. False: the arena is full. */
bool smp_worker_init(uint32_t cpu_count, struct arena *arena);
void smp_worker_main(uint32_t cpu) __attribute__((noreturn));

/* Runs `function` on the CPU that calls; false when it took an exception, which is
 * then in its record. */
bool smp_guarded_call(uint32_t cpu, smp_function function, void *context);

#endif
