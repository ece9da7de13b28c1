/* INIT to all, one pause, a start message to all, a second one to those that did not
 * answer (the first is lost while a CPU is in system management mode), one limit for
 * all. The phase takes as long as its slowest CPU, not the sum. [intel/vol3 9.4.4] */
#include "kernel/smp/start_sequence.h"

static void drop_arrived(const struct start_port *port, struct cpumask *pending)
{
    CPUMASK_FOR_EACH(cpu, pending)
        if (port->is_here(port->context, cpu))
            cpumask_drop(pending, cpu);
}

/* False: the time ran out and CPUs are missing. */
static bool wait_for_all(const struct start_port *port, struct cpumask *pending, uint64_t since,
                         uint64_t limit)
{
    for (;;) {
        uint64_t waited = port->now(port->context) - since;

        drop_arrived(port, pending);
        if (cpumask_first(pending) == CPUMASK_NONE)
            return true;
        if (waited >= limit)
            return false;
        port->relax(port->context);
    }
}

static void pause_for(const struct start_port *port, uint64_t since, uint64_t time)
{
    while (port->now(port->context) - since < time)
        port->relax(port->context);
}

static void send_all(const struct start_port *port, const struct cpumask *pending,
                     void (*send)(void *, uint32_t))
{
    CPUMASK_FOR_EACH(cpu, pending)
        send(port->context, cpu);
}

static void give_up(const struct start_port *port, struct cpumask *pending)
{
    CPUMASK_FOR_EACH(cpu, pending)
        if (!port->abandon(port->context, cpu))
            cpumask_drop(pending, cpu);
}

struct start_result start_sequence_run(const struct start_port *port,
                                       const struct start_times *times, struct cpumask *pending)
{
    struct start_result result = {0};
    uint32_t asked_count = cpumask_count(pending);

    CPUMASK_FOR_EACH(cpu, pending)
        port->expect(port->context, cpu);
    send_all(port, pending, port->send_init);
    pause_for(port, port->now(port->context), times->after_init);

    uint64_t first = port->now(port->context);
    send_all(port, pending, port->send_startup);
    if (!wait_for_all(port, pending, port->now(port->context), times->before_second)) {
        result.second_count = cpumask_count(pending);
        send_all(port, pending, port->send_startup);
        if (!wait_for_all(port, pending, first, times->limit))
            give_up(port, pending);
    }
    result.started_count = asked_count - cpumask_count(pending);
    return result;
}
