/* docs/rules.md tells the compute-unit story of 2017 with the masks of two replayed
 * machines: the rows of its table are what the profiles conclude from them. The
 * masks themselves are held against the manual in compute_units_test.c. */
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
        cmocka_unit_test(docs_rules_tells_these_masks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
