/* Checks of CPUs that are listed and not there. What must be found is said in
 * tests/cases/ap-start-second-message: named with its id, and the run goes on. */
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

static void everybody_there_is_silence(void **state)
{
    (void)state;
    bench_init(&b);
    bench_expect_none(&b, "cpu-silent");
    bench_init(&b);
    bench_expect_none(&b, "cpu-faulted");
}

static void a_silent_cpu_is_named(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[3].state = CPU_SILENT;
    b.s.facts.cpus[3].row_count = 0;
    bench_expect(&b, "cpu-silent", "3", 0);
}

static void a_cpu_lost_in_capture_is_named(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[2].state = CPU_FAULTED;
    bench_expect(&b, "cpu-faulted", "2", 0);
}

static void a_disabled_entry_is_neither(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.cpus[3].state = CPU_DISABLED;
    b.s.facts.cpus[3].row_count = 0;
    bench_expect_none(&b, "cpu-silent");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_there_is_silence),
        cmocka_unit_test(a_silent_cpu_is_named),
        cmocka_unit_test(a_cpu_lost_in_capture_is_named),
        cmocka_unit_test(a_disabled_entry_is_neither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
