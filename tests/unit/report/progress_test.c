/* Tests kernel/report/progress.c: how often the person who waits hears of a run. */
#include "kernel/report/progress.c"

#include <string.h>

#include "tests/unit/unit_test.h"

static char heard[4096];
static uint32_t line_count;

static bool hear(struct report_sink *sink, const void *bytes, size_t length)
{
    (void)sink;
    assert_true(strlen(heard) + length < sizeof(heard));
    strncat(heard, bytes, length);
    line_count++;
    return true;
}

static void start(struct progress *progress)
{
    static struct report_sink sink = {.name = "test", .wants = SINK_PROGRESS, .write = hear};
    static struct report_sink *const sinks[] = {&sink};

    heard[0] = '\0';
    progress_init(progress, sinks, 1);
    progress_phase(progress, "a long step", 1000);
    line_count = 0;
}

static void a_percent_that_stands_still_is_told_every_five_seconds(void **state)
{
    struct progress progress;

    (void)state;
    start(&progress);
    for (uint64_t ms = 1000; ms <= 61000; ms += 100)
        progress_update(&progress, 0, 100, ms, 30000);
    assert_int_equal(line_count, 12);
    assert_non_null(strstr(heard, "[  0%] a long step, 1 min 0 s gone, 30 s left\r\n"));
}

static void small_steps_wait_and_large_ones_do_not(void **state)
{
    struct progress progress;

    (void)state;
    start(&progress);
    for (uint64_t percent = 1; percent <= 100; percent++)
        progress_update(&progress, percent, 100, 1000 + percent, 0);
    assert_int_equal(line_count, 20); /* 5, 10, ... 100 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_percent_that_stands_still_is_told_every_five_seconds),
        cmocka_unit_test(small_steps_wait_and_large_ones_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
