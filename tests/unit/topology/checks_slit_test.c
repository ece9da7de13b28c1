/* Checks of the SLIT on a healthy machine with two nodes. [acpi 5.2.17], [rules 7.8, 8] */
#include "tests/unit/topology/checks_bench.h"

static struct bench b;

static void a_slit_with_a_wrong_diagonal_is_ignored(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 1, 1};
    const uint8_t distances[4] = {10, 21, 21, 20};

    (void)state;
    bench_init(&b);
    bench_madt(&b);
    bench_srat(&b, domains, 2);
    bench_slit(&b, 2, distances);
    bench_expect(&b, "slit-invalid", "", ALL_PROFILES);
}

/* [acpi 5.2.17]: the length is 44 bytes and the square of the count. */
static void a_slit_too_short_for_its_count_is_told(void **state)
{
    const uint32_t domains[BENCH_CPUS] = {0, 0, 1, 1};
    const uint8_t distances[4] = {10, 21, 21, 10};
    static const struct { uint32_t length_bytes; uint8_t count_top; bool is_short; } cases[] = {
        {48, 0, false}, {47, 0, true}, {40, 0, true}, {48, 0x80, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_init(&b);
        bench_madt(&b);
        bench_srat(&b, domains, 2);
        struct acpi_table *slit = bench_slit(&b, 2, distances);
        slit->length_bytes = cases[i].length_bytes;
        ((uint8_t *)slit->bytes)[43] = cases[i].count_top;
        if (cases[i].is_short)
            bench_expect(&b, "slit-invalid", "", 0);
        else
            bench_expect_none(&b, "slit-invalid");
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slit_with_a_wrong_diagonal_is_ignored),
        cmocka_unit_test(a_slit_too_short_for_its_count_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
