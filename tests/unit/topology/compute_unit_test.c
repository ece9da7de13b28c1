/* The compute-unit story of 2017 on two replayed machines, one test per step, and
 * docs/rules.md as its witness. Expected masks are those of [rules 11.6, 13]: four
 * Opteron 6272 (Bulldozer), two EPYC 7451 (Zen, three cores a complex). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/facts/facts_read.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"
#include "tests/unit/unit_test.h"

enum { ARENA_BYTES = 64 << 20, TEXT_BYTES = 1 << 20, ALL_PROFILES = (1 << RULE_PROFILE_COUNT) - 1 };

static const char bulldozer_path[] = "tests/corpus/machines/amd-bulldozer-opteron-6272-4s-64t-a.txt";
static const char zen_path[] = "tests/corpus/machines/amd-zen1-epyc-7451-2s-96t.txt";

static struct topology bulldozer[RULE_PROFILE_COUNT], zen[RULE_PROFILE_COUNT];
static char doc[TEXT_BYTES];
static uint8_t *memory[2];

static size_t read_text(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    size_t length;

    if (!file)
        fail_msg("%s is not there", path);
    length = fread(text, 1, TEXT_BYTES - 1, file);
    text[length] = 0;
    fclose(file);
    return length;
}

static void build(const char *path, uint8_t *storage, struct topology *topologies)
{
    static struct machine_facts facts[2];
    static uint32_t used;
    struct expectations expectations;
    struct input_error error;
    struct arena arena;
    char *text = malloc(TEXT_BYTES);
    size_t length = read_text(path, text);

    arena_init(&arena, storage, ARENA_BYTES);
    assert_true(facts_read(text, length, path, &arena, &facts[used], &expectations, &error));
    assert_true(topology_build_all(&facts[used++], ALL_PROFILES, &arena, topologies));
    free(text);
}

static int set_up(void **state)
{
    (void)state;
    memory[0] = malloc(ARENA_BYTES);
    memory[1] = malloc(ARENA_BYTES);
    build(bulldozer_path, memory[0], bulldozer);
    build(zen_path, memory[1], zen);
    read_text("docs/rules.md", doc);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(memory[0]);
    free(memory[1]);
    return 0;
}

static const char *mask_text(const struct topology *topology, uint32_t cpu, enum topology_mask kind)
{
    static char storage[256];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    cpumask_put_list(&text, &topology->masks[topology->cpus[cpu].mask[kind]]);
    return storage;
}

static const struct topology *of(const struct topology *machine, const char *profile)
{
    return &machine[rules_find(profile) - rule_profiles];
}

static void expect_smt(const struct topology *machine, uint32_t cpu, const char *profile,
                       const char *mask)
{
    assert_string_equal(mask_text(of(machine, profile), cpu, TOPOLOGY_SMT), mask);
}

static void rfc1_pairs_bulldozer_but_makes_a_whole_zen_llc_siblings(void **state)
{
    (void)state;
    expect_smt(bulldozer, 9, "linux-4.9-rfc1", "8-9");
    expect_smt(zen, 0, "linux-4.9-rfc1", "0-2,48-50");
    assert_string_equal(mask_text(of(zen, "linux-4.9-rfc1"), 0, TOPOLOGY_LLC), "0-2,48-50");
}

static void linux_4_9_pairs_nobody(void **state)
{
    (void)state;
    expect_smt(bulldozer, 9, "linux-4.9", "9");
    expect_smt(zen, 0, "linux-4.9", "0");
}

static void linux_4_10_mends_both(void **state)
{
    (void)state;
    expect_smt(bulldozer, 9, "linux-4.10", "8-9");
    expect_smt(zen, 0, "linux-4.10", "0,48");
}

static void it_holds_to_linux_6_1(void **state)
{
    (void)state;
    expect_smt(bulldozer, 9, "linux-5.10", "8-9");
    expect_smt(bulldozer, 9, "linux-6.1", "8-9");
    expect_smt(zen, 0, "linux-5.10", "0,48");
    expect_smt(zen, 0, "linux-6.1", "0,48");
}

static void from_6_12_on_a_compute_unit_is_a_cluster_only(void **state)
{
    static const char *const profiles[] = {"linux-6.12", "linux-7.2"};

    (void)state;
    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        expect_smt(bulldozer, 9, profiles[i], "9");
        assert_string_equal(mask_text(of(bulldozer, profiles[i]), 9, TOPOLOGY_CLUSTER), "8-9");
        expect_smt(zen, 0, profiles[i], "0,48");
    }
}

static void the_other_masks_of_bulldozer_do_not_change(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        assert_string_equal(mask_text(&bulldozer[i], 9, TOPOLOGY_LLC), "8-15");
        assert_string_equal(mask_text(&bulldozer[i], 9, TOPOLOGY_PACKAGE), "0-15");
        if (bulldozer[i].rules->link.has_die_mask)
            assert_string_equal(mask_text(&bulldozer[i], 9, TOPOLOGY_DIE), "8-15");
    }
}

/* docs/rules.md has a row "| profile | Bulldozer's CPU 9 | Zen's CPU 0 |" each. */
static void docs_rules_tells_these_masks(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        char row[256];
        int length = snprintf(row, sizeof(row), "| `%s` | %s |", rules_name(&rule_profiles[i]),
                              mask_text(&bulldozer[i], 9, TOPOLOGY_SMT));

        snprintf(row + length, sizeof(row) - (size_t)length, " %s |",
                 mask_text(&zen[i], 0, TOPOLOGY_SMT));
        if (!strstr(doc, row))
            fail_msg("docs/rules.md lacks the row: %s", row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc1_pairs_bulldozer_but_makes_a_whole_zen_llc_siblings),
        cmocka_unit_test(linux_4_9_pairs_nobody),
        cmocka_unit_test(linux_4_10_mends_both),
        cmocka_unit_test(it_holds_to_linux_6_1),
        cmocka_unit_test(from_6_12_on_a_compute_unit_is_a_cluster_only),
        cmocka_unit_test(the_other_masks_of_bulldozer_do_not_change),
        cmocka_unit_test(docs_rules_tells_these_masks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
