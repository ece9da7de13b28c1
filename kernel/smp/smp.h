/* Starts CPUs and runs functions on them. CPUs are named by their index in
 * machine_facts.cpus; index 0 is the boot CPU. Only the boot CPU calls these. */
#ifndef KERNEL_SMP_SMP_H
#define KERNEL_SMP_SMP_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/exception.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/cpumask.h"

enum smp_outcome { SMP_STARTED, SMP_SILENT, SMP_FAULTED, SMP_NOT_TRIED };

/* One CPU to start and what became of it. */
struct smp_cpu {
    uint32_t apic_id;
    enum smp_outcome outcome;
    uint64_t start_cycles; /* TSC cycles from the first INIT to check-in */
};

/* Stacks, records and the trampoline for `cpu_count` CPUs, all taken now.
 * cpus[0] is the boot CPU. False: the arena is full or there is no page below
 * 1 MiB (`trampoline_physical` 0) although cpu_count > 1. apic_open() comes first. */
bool smp_init(struct smp_cpu *cpus, uint32_t cpu_count, uint64_t trampoline_physical,
              struct arena *arena);

/* INIT and SIPI to all of cpus[1…], in parallel, with one shared deadline;
 * fills outcome and start_cycles. Returns the number that started. */
uint32_t smp_start_all(uint64_t deadline_cycles);

/* Sends INIT to the CPUs of `mask` and starts them again, for offline/online
 * cycles. Returns the number that came back within the deadline. */
uint32_t smp_restart(const struct cpumask *mask, uint64_t deadline_cycles);

/* Faults made on purpose, for tests: never sent a start message, messages to it that the
 * local APIC does not take, reports late, runs with its caches off, gets spurious interrupts or
 * takes an exception in the next function it is given. */
void smp_inject_silent(uint32_t cpu);
void smp_inject_stuck(uint32_t cpu);
void smp_inject_late(uint32_t cpu, uint64_t late_cycles);
void smp_inject_caches_off(uint32_t cpu);
void smp_inject_spurious(uint32_t cpu);
void smp_inject_fault(uint32_t cpu);

/* How the last start went, for the report. */
struct smp_start_summary {
    uint64_t limit_cycles;       /* the shared deadline */
    uint64_t elapsed_cycles;     /* first INIT to the last check-in, or to giving up */
    uint32_t second_count;       /* CPUs that needed or got a second start message */
};
const struct smp_start_summary *smp_start_summary(void);

/* Messages to the CPU, since smp_init(), that the boot CPU's local APIC did not take. */
uint32_t smp_unsent_count(uint32_t cpu);

/* The exception that a FAULTED CPU took. False: it took none. */
struct smp_fault {
    uint32_t vector;
    uint64_t address;            /* of the instruction */
};
bool smp_fault_of(uint32_t cpu, struct smp_fault *fault);

/* NMIs and interrupts that came to a CPU although nobody asked for them. */
struct interrupt_counts smp_interrupts(uint32_t cpu);

/* The first CPU that took an exception since smp_init(); the number of CPUs when none did. */
uint32_t smp_first_faulted(void);

/* IA32_PAT as the CPU had it before it joined. False: not known (CPU not started). */
bool smp_found_pat(uint32_t cpu, uint64_t *pat);

/* Sends every started CPU into the halt loop of the trampoline page, for good, and
 * gives the boot CPU's APIC back as it was handed over. Returns how many did not go within the bound. */
uint32_t smp_park_all(uint64_t bound_cycles);

/* CPUs that run now, the boot CPU included. */
const struct cpumask *smp_running(void);

typedef void (*smp_function)(uint32_t cpu, void *context);

/* Runs `function` on every CPU of `mask` at once, the boot CPU included when it is
 * a member, and waits until all are done or `bound_cycles` have passed. CPUs that
 * did not finish or took an exception are set in *failed (may be NULL) and are
 * given no further work. True when all finished. Interrupts stay masked. */
bool smp_run_on(const struct cpumask *mask, smp_function function, void *context,
                uint64_t bound_cycles, struct cpumask *failed);

/* For use inside an smp_function: waits until `count` CPUs have arrived. */
struct smp_barrier {
    _Atomic uint32_t arrived;
    _Atomic uint32_t round;
};
/* False when `bound_cycles` passed first. */
bool smp_barrier_wait(struct smp_barrier *barrier, uint32_t count, uint64_t bound_cycles);

#endif
