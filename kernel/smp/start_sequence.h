/* The order of INIT and start messages for many CPUs at once, without the hardware:
 * what it sends through and how it knows the time is given by the caller. */
#ifndef KERNEL_SMP_START_SEQUENCE_H
#define KERNEL_SMP_START_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/cpumask.h"

struct start_port {
    void *context;
    uint64_t (*now)(void *context);
    /* From here on the CPU is allowed to report. */
    void (*expect)(void *context, uint32_t cpu);
    void (*send_init)(void *context, uint32_t cpu);
    void (*send_startup)(void *context, uint32_t cpu);
    bool (*is_here)(void *context, uint32_t cpu);
    /* Takes the permission back. False: it reported just before. */
    bool (*abandon)(void *context, uint32_t cpu);
    void (*relax)(void *context);
};

/* All in the unit of now(). */
struct start_times {
    uint64_t after_init;     /* from the last INIT to the first start message */
    uint64_t before_second;  /* from the last start message to the second round */
    uint64_t limit;          /* from the first start message until a CPU is given up */
};

struct start_result {
    uint32_t started_count;
    uint32_t second_count;   /* CPUs that were sent a second start message */
};

/* Starts the CPUs of `pending` together; those that never reported are left in it. */
struct start_result start_sequence_run(const struct start_port *port,
                                       const struct start_times *times, struct cpumask *pending);

#endif
