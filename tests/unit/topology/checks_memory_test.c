/* Checks of the firmware's memory map. */
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

static void a_map_that_needed_nothing_or_was_not_recorded_is_silence(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.has_memory_repairs = true;
    bench_expect_silence(&b);
    bench_init(&b);
    bench_expect_silence(&b);
}

/* Every BIOS ends its RAM below 640 KiB within a page. */
static void ram_that_ends_within_a_page_is_usual(void **state)
{
    (void)state;
    bench_init(&b);
    b.s.facts.has_memory_repairs = true;
    b.s.facts.memory_repairs.unaligned = 1;
    bench_expect_silence(&b);
}

static void each_defect_is_told_by_its_count(void **state)
{
    static const struct {
        struct memory_repairs repairs;
        const char *id, *text;
        enum finding_severity severity;
    } defects[] = {
        {{.unsorted = 3}, "memory-map-unsorted", "3 entries", FINDING_INFO},
        {{.overlapping = 2}, "memory-map-overlaps", "2 entries", FINDING_WARNING},
        {{.empty = 4}, "memory-map-sizes", "4 entries without", FINDING_WARNING},
        {{.endless = 1}, "memory-map-sizes", "and 1 that reach", FINDING_WARNING},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(defects) / sizeof(defects[0]); i++) {
        bench_init(&b);
        b.s.facts.has_memory_repairs = true;
        b.s.facts.memory_repairs = defects[i].repairs;
        bench_run(&b);
        const struct finding *finding = bench_find(&b, defects[i].id);
        assert_non_null(finding);
        assert_non_null(strstr(finding->text, defects[i].text));
        assert_int_equal(finding->severity, defects[i].severity);
        bench_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_that_needed_nothing_or_was_not_recorded_is_silence),
        cmocka_unit_test(ram_that_ends_within_a_page_is_usual),
        cmocka_unit_test(each_defect_is_told_by_its_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
