/* "Implausible" against the published results themselves: each is plausible on the CPU that it was
 * measured on, and three times or a third of it is not.
 * [clear 2.1, 2.2, 2.6] */
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/bench_setup.h"
#include "kernel/stats/plausible.h"
#include "tests/unit/stats/fake_cpu.h"

#define MIB (1024ull * 1024)
#define GIB (1024 * MIB)

enum unit { GIB_S, GB_S, MB_S };

static const char *remark(const char *vendor, uint32_t signature, const char *variant,
                          uint64_t extent_bytes, uint64_t bytes_per_s)
{
    static struct fake_machine machine;
    static uint8_t memory[4096];
    struct arena arena;
    struct clear_variant wanted = { .id = variant };
    struct bench_setting setting = { .extent_bytes = extent_bytes, .region_bytes = 4 * GIB };
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, 1, vendor);
    fake_leaf(&machine, 1, 0, signature, 0, 0, 0);
    return plausible_remark(&machine.facts, &machine.cpus[0], &wanted, &setting, bytes_per_s,
                            &arena);
}

static void what_was_published_is_plausible(void **state)
{
    static const struct {
        const char *vendor;
        uint32_t signature;
        const char *family, *variant;
        uint64_t extent_bytes;
        uint64_t hundredths;
        enum unit unit;
    } list[] = {
        { "GenuineIntel", 0x406f1, "Broadwell-X", "stosb", 128 * MIB, 531, GIB_S },
        { "GenuineIntel", 0x406f1, "Broadwell-X", "stosb", 4 * GIB, 541, GIB_S },
        { "GenuineIntel", 0x406f1, "Broadwell-X", "movnti8", 1 * GIB, 1178, GIB_S },
        { "GenuineIntel", 0x50657, "Skylake-SP", "stosb", 1 * GIB, 648, GIB_S },
        { "GenuineIntel", 0x50657, "Skylake-SP", "movnti8", 1 * GIB, 624, GIB_S },
        { "GenuineIntel", 0x606a6, "Ice Lake-SP", "stosb", 128 * MIB, 1212, GIB_S },
        { "GenuineIntel", 0x606a6, "Ice Lake-SP", "stosb", 2 * MIB, 1237000, MB_S },
        { "GenuineIntel", 0x606a6, "Ice Lake-SP", "movnti8", 4 * GIB, 2398, GIB_S },
        { "GenuineIntel", 0x606a6, "Ice Lake-SP", "movnti8", 2 * MIB, 2450000, MB_S },
        { "AuthenticAMD", 0x830f10, "Rome", "stosq", 128 * MIB, 1104, GIB_S },
        { "AuthenticAMD", 0x830f10, "Rome", "stosq", 1 * GIB, 1133, GIB_S },
        { "AuthenticAMD", 0x830f10, "Rome", "movnti8", 1 * GIB, 1654, GIB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "stosb", 2 * MIB, 1482100, MB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "stosb", 128 * MIB, 2931100, MB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "stosb", 1 * GIB, 3580700, MB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "stosb", 1 * GIB, 3810, GIB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "movnti8", 8 * MIB, 1856000, MB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "clzero", 2 * MIB, 3900000, MB_S },
        { "AuthenticAMD", 0xa00f11, "Milan", "clzero", 1 * GIB, 4600000, MB_S },
        { "AuthenticAMD", 0xa10f11, "Genoa", "stosb", 2 * MIB, 2397, GB_S },
        { "AuthenticAMD", 0xa10f11, "Genoa", "stosb", 1 * GIB, 6336, GB_S },
        { "AuthenticAMD", 0xb00f21, "Zen 5", "stosb", 2 * MIB, 3506, GB_S },
        { "AuthenticAMD", 0xb00f21, "Zen 5", "clzero", 2 * MIB, 6695, GB_S },
        { "AuthenticAMD", 0xb00f21, "Zen 5", "movnti8", 2 * MIB, 5159, GB_S },
        { "AuthenticAMD", 0xb40f40, "Zen 5", "clzero", 2 * MIB, 6695, GB_S },
    };
    static const uint64_t scale[] = { [GIB_S] = 1ull << 30, [GB_S] = 1000000000,
                                      [MB_S] = 1000000 };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        uint64_t rate = list[i].hundredths * scale[list[i].unit] / 100;
#define REMARK(bytes_per_s) \
        remark(list[i].vendor, list[i].signature, list[i].variant, list[i].extent_bytes, (bytes_per_s))
        assert_null(REMARK(rate));
        assert_non_null(REMARK(rate * 3));
        assert_non_null(REMARK(rate / 3));
        assert_non_null(strstr(REMARK(rate * 3), list[i].family));
#undef REMARK
    }
}

/* Half of the lower end and one and a half of the upper one are still inside. */
static void the_ends_are_those_of_the_table(void **state)
{
    (void)state;
    assert_null(remark("AuthenticAMD", 0xa00f11, "clzero", 2 * MIB, 19 * GIB));
    assert_non_null(remark("AuthenticAMD", 0xa00f11, "clzero", 2 * MIB, 18 * GIB));
    assert_null(remark("AuthenticAMD", 0xa00f11, "clzero", 2 * MIB, 69 * GIB));
    assert_non_null(remark("AuthenticAMD", 0xa00f11, "clzero", 2 * MIB, 70 * GIB));
}

static void nothing_is_said_where_nothing_is_published(void **state)
{
    static const struct {
        const char *vendor;
        uint32_t signature;
        const char *variant;
        uint64_t extent_bytes;
    } list[] = {
        { "GenuineIntel", 0x806f8, "stosb", 2 * MIB },       /* Sapphire Rapids */
        { "GenuineIntel", 0x606a6, "stosb", 64 << 10 },      /* extents below 2 MiB */
        { "GenuineIntel", 0x606a6, "vmovntdq64", 2 * MIB },  /* only the 8-byte form */
        { "AuthenticAMD", 0x830f10, "clzero", 2 * MIB },     /* Rome: unverified */
        { "AuthenticAMD", 0xa10f11, "movnti8", 2 * MIB },    /* Genoa: unverified */
        { "AuthenticAMD", 0xa10f11, "stosb", 32 * MIB },     /* between 2 MB and 1 GB */
        { "AuthenticAMD", 0xa00f11, "stosb", 32 * MIB },     /* Milan between 2 MB and 128 MB */
        { "AuthenticAMD", 0xa20f10, "stosb", 2 * MIB },      /* Vermeer: a desktop part */
        { "AuthenticAMD", 0xb30f00, "stosb", 2 * MIB },      /* not Zen 5 */
        { "AuthenticAMD", 0xb50f00, "clzero", 2 * MIB },
        { "HygonGenuine", 0x900f11, "stosq", 2 * MIB },
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        assert_null(remark(list[i].vendor, list[i].signature, list[i].variant,
                           list[i].extent_bytes, 1000 * GIB));
}

/* Memory of another node is slower, and no value was published for it. */
static void other_nodes_are_not_judged(void **state)
{
    static struct fake_machine machine;
    static uint8_t memory[4096];
    static const struct clear_variant variants[] = { { .id = "stosb" } };
    static struct verdict_scratch scratch;
    struct bench_setting settings[] = {
        { .extent_bytes = 2 * MIB, .region_bytes = 4 * GIB, .node = 1 },
        { .extent_bytes = 2 * MIB, .region_bytes = 4 * GIB, .node = 0 },
    };
    struct bench_cell cells[] = { { .setting = 0, .bytes_per_s = 30 * GIB },
                                  { .setting = 1, .bytes_per_s = 30 * GIB } };
    struct bench_setup setup = { .facts = &machine.facts, .request = { .node = 1 },
                                 .scratch = &scratch };
    struct bench_results results = { .variants = variants, .variant_count = 1, .cells = cells,
                                     .settings = settings, .cell_count = 2 };
    struct arena arena;
    (void)state;
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, 1, "AuthenticAMD");
    fake_leaf(&machine, 1, 0, 0x830f10, 0, 0, 0);
    bench_setup_judge(&setup, &arena, &results);
    assert_non_null(cells[0].implausible);
    assert_null(cells[1].implausible);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_published_is_plausible),
        cmocka_unit_test(the_ends_are_those_of_the_table),
        cmocka_unit_test(nothing_is_said_where_nothing_is_published),
        cmocka_unit_test(other_nodes_are_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
