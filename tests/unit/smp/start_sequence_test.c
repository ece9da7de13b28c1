/* Tests kernel/smp/start_sequence.c against simulated CPUs, among them those of
 * tests/cases/ap-start-second-message. Time is in microseconds. */
#include "kernel/smp/start_sequence.c"

#include <stdio.h>
#include <string.h>

#include "tests/unit/unit_test.h"

enum { MAX_CPUS = 4096, NEVER = -1, STEP_US = 5, SEND_US = 1 };

/* One CPU as ap.txt describes it. */
struct sim_cpu {
    int messages_needed;         /* NEVER: does not answer */
    uint64_t pause_needed_us;    /* between INIT and a start message that counts */
    uint64_t report_us;          /* from the message that counts to the report */
    uint64_t init_us, started_us;
    int messages;
    bool is_started, is_expected, is_abandoned;
};

struct sim {
    struct sim_cpu cpus[MAX_CPUS];
    uint64_t now_us;
    uint32_t init_count, startup_count;
    bool is_out_of_order;        /* a start message before the CPU was expected and INIT sent */
};

static struct sim sim;

static uint64_t sim_now(void *context)
{
    (void)context;
    return sim.now_us;
}

static void sim_expect(void *context, uint32_t cpu)
{
    (void)context;
    sim.cpus[cpu].is_expected = true;
}

static void sim_send_init(void *context, uint32_t cpu)
{
    (void)context;
    sim.now_us += SEND_US;
    sim.init_count++;
    sim.is_out_of_order |= !sim.cpus[cpu].is_expected;
    sim.cpus[cpu].init_us = sim.now_us;
}

static void sim_send_startup(void *context, uint32_t cpu)
{
    struct sim_cpu *c = &sim.cpus[cpu];

    (void)context;
    sim.now_us += SEND_US;
    sim.startup_count++;
    sim.is_out_of_order |= c->init_us == 0;
    if (c->is_started || c->messages_needed == NEVER ||
        sim.now_us - c->init_us < c->pause_needed_us || ++c->messages < c->messages_needed)
        return;
    c->is_started = true;
    c->started_us = sim.now_us;
}

static bool sim_is_here(void *context, uint32_t cpu)
{
    const struct sim_cpu *c = &sim.cpus[cpu];

    (void)context;
    return c->is_started && !c->is_abandoned && sim.now_us - c->started_us >= c->report_us;
}

static bool sim_abandon(void *context, uint32_t cpu)
{
    if (sim_is_here(context, cpu))
        return false;
    sim.cpus[cpu].is_abandoned = true;
    return true;
}

static void sim_relax(void *context)
{
    (void)context;
    sim.now_us += STEP_US;
}

static const struct start_port port = {NULL, sim_now, sim_expect, sim_send_init, sim_send_startup,
                                       sim_is_here, sim_abandon, sim_relax};
static const struct start_times times = {10000, 200, 100000};

static struct cpumask mask_of(uint32_t first, uint32_t last, struct arena *arena)
{
    static uint8_t storage[MAX_CPUS / 4];
    struct cpumask mask;

    arena_init(arena, storage, sizeof(storage));
    assert_true(cpumask_init(&mask, last + 1, arena));
    for (uint32_t cpu = first; cpu <= last; cpu++)
        cpumask_set(&mask, cpu);
    return mask;
}

static void read_case(void)
{
    FILE *file = fopen("tests/cases/ap-start-second-message/ap.txt", "r");
    unsigned id, pause, report, lines = 0;
    char needed[8];

    assert_non_null(file);
    memset(&sim, 0, sizeof(sim));
    while (fscanf(file, "%x %7s %u %u", &id, needed, &pause, &report) == 4) {
        sim.cpus[id].messages_needed = needed[0] == '-' ? NEVER : needed[0] - '0';
        sim.cpus[id].pause_needed_us = pause;
        sim.cpus[id].report_us = report;
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, 15);
}

static void fourteen_of_the_fifteen_cpus_of_the_case_come_up(void **state)
{
    struct arena arena;
    struct cpumask pending = mask_of(1, 15, &arena);

    (void)state;
    read_case();
    struct start_result result = start_sequence_run(&port, &times, &pending);
    assert_int_equal(result.started_count, 14);
    assert_int_equal(cpumask_count(&pending), 1);
    assert_int_equal(cpumask_first(&pending), 0xC);
    assert_true(sim.cpus[0xC].is_abandoned);
    assert_false(sim.is_out_of_order);
    /* Ids 5, 9 and 0xC had not reported after the first round. */
    assert_int_equal(result.second_count, 3);
    assert_int_equal(sim.init_count, 15);
}

static void one_silent_cpu_costs_one_limit_not_one_for_each(void **state)
{
    struct arena arena;
    struct cpumask pending = mask_of(1, 15, &arena);

    (void)state;
    read_case();
    start_sequence_run(&port, &times, &pending);
    assert_in_range(sim.now_us, times.after_init + times.limit,
                    times.after_init + times.limit + 1000);
}

static void without_a_silent_cpu_the_slowest_decides(void **state)
{
    struct arena arena;
    struct cpumask pending = mask_of(1, 15, &arena);

    (void)state;
    read_case();
    sim.cpus[0xC] = (struct sim_cpu){.messages_needed = 1, .report_us = 164};
    struct start_result result = start_sequence_run(&port, &times, &pending);
    assert_int_equal(result.started_count, 15);
    assert_in_range(sim.now_us, 10000 + 40000, 10000 + 40000 + 1000);
}

static void nobody_waits_per_cpu(void **state)
{
    struct arena arena;
    struct cpumask pending = mask_of(1, MAX_CPUS - 1, &arena);

    (void)state;
    memset(&sim, 0, sizeof(sim));
    for (uint32_t cpu = 1; cpu < MAX_CPUS; cpu++)
        sim.cpus[cpu] = (struct sim_cpu){.messages_needed = 1, .report_us = 100};
    struct start_result result = start_sequence_run(&port, &times, &pending);
    assert_int_equal(result.started_count, MAX_CPUS - 1);
    assert_int_equal(result.second_count, 0);
    /* The pause, two messages a CPU, and the report of the last one. */
    assert_in_range(sim.now_us, 10000, 10000 + 2 * MAX_CPUS * SEND_US + 200);
}

static void init_is_given_the_pause_that_the_manual_asks_for(void **state)
{
    struct arena arena;
    struct cpumask pending = mask_of(1, 2, &arena);

    (void)state;
    memset(&sim, 0, sizeof(sim));
    for (uint32_t cpu = 1; cpu <= 2; cpu++)
        sim.cpus[cpu] = (struct sim_cpu){1, 10000, 50, 0, 0, 0, false, false, false};
    struct start_result result = start_sequence_run(&port, &times, &pending);
    assert_int_equal(result.started_count, 2);
    assert_int_equal(result.second_count, 0);
}

/* Between the last look and the taking back of the permission. */
static bool arrives_at_the_last_moment(void *context, uint32_t cpu)
{
    (void)context;
    sim.cpus[cpu].messages_needed = 1;
    return false;
}

static void a_cpu_that_reports_while_it_is_given_up_has_started(void **state)
{
    struct arena arena;
    struct cpumask pending = mask_of(1, 1, &arena);
    struct start_port late = port;

    (void)state;
    memset(&sim, 0, sizeof(sim));
    sim.cpus[1].messages_needed = NEVER;
    late.abandon = arrives_at_the_last_moment;
    struct start_result result = start_sequence_run(&late, &times, &pending);
    assert_int_equal(result.started_count, 1);
    assert_int_equal(cpumask_count(&pending), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fourteen_of_the_fifteen_cpus_of_the_case_come_up),
        cmocka_unit_test(one_silent_cpu_costs_one_limit_not_one_for_each),
        cmocka_unit_test(without_a_silent_cpu_the_slowest_decides),
        cmocka_unit_test(nobody_waits_per_cpu),
        cmocka_unit_test(init_is_given_the_pause_that_the_manual_asks_for),
        cmocka_unit_test(a_cpu_that_reports_while_it_is_given_up_has_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
