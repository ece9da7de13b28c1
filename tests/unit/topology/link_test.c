/* The fast builder against the slow one: on random machines, contradictory ones
 * among them, and on every machine of the corpus, under every profile. */
#include <dirent.h>
#include <stdio.h>

#include "kernel/facts/facts_read.h"
#include "tests/unit/facts/load.h"
#include "tests/unit/topology/reference.h"
#include "tests/unit/topology/synthetic.h"

enum { ARENA_BYTES = 32 << 20, MACHINES = 1500 };

static uint8_t *memory, *inputs;
static struct reference *reference;
static uint64_t seed = 20170201;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % sides;
}

/* One of two values, mostly the first: contradictions must be rare to be telling. */
static uint32_t mostly(uint32_t usual, uint32_t other)
{
    return dice(40) ? usual : other;
}

static void put_caches(struct synthetic *s, uint32_t cpu, uint32_t leaf, const uint32_t *sharing)
{
    static const uint32_t kinds[] = {0x121, 0x122, 0x143, 0x163};
    uint32_t count = mostly(4, 3);

    for (uint32_t i = 0; i < count; i++)
        synthetic_row(s, cpu, leaf, i, kinds[i] | (mostly(sharing[i], 2) - 1) << 14 | dice(3) << 26,
                      0x01C0003F, 0x3F, 0);
}

static void put_levels(struct synthetic *s, uint32_t cpu, uint32_t leaf, uint32_t id,
                       const uint32_t *shifts, uint32_t levels)
{
    static const uint32_t types[] = {1, 2, 5, 6};

    for (uint32_t i = 0; i < levels; i++)
        synthetic_row(s, cpu, leaf, i, mostly(shifts[i], shifts[i] + 1),
                      mostly(1u << shifts[i], 1), i | mostly(types[i], 3) << 8, id);
}

/* A machine whose CPUs mostly agree about shifts and shares. */
static void random_machine(struct synthetic *s)
{
    static const char *const vendors[] = {"GenuineIntel", "AuthenticAMD", "HygonGenuine",
                                          "CentaurHauls", "  Shanghai  ", "NobodyKnows."};
    static const uint32_t signatures[] = {0x00050654, 0x00600F12, 0x00800F11, 0x00830F10,
                                          0x00A00F11, 0x00100F42};
    uint32_t cpus = 1 + dice(24), shifts[4] = {dice(2), 1 + dice(3), 3 + dice(2), 4 + dice(2)};
    uint32_t sharing[4] = {1u << shifts[0], 1 + dice(3), 1 + dice(6), 1 + dice(20)};
    uint32_t vendor = dice(6), signature = signatures[dice(6)], nodes = 1 + dice(3);
    uint32_t max_leaf = dice(4) ? 0x1F : 4, topoext = dice(2) << 22 | dice(2) << 1 | dice(2) << 19;
    uint32_t step = 1 + dice(2), nproc = 1u << dice(6), htt = dice(2) << 28;

    synthetic_init(s, cpus);
    for (uint32_t cpu = 0; cpu < cpus; cpu++) {
        uint32_t id = cpu * step;

        synthetic_id(s, cpu, mostly(id, id + 64));
        synthetic_vendor(s, cpu, vendors[vendor], mostly(max_leaf, 4));
        synthetic_row(s, cpu, 1, 0, signature, id << 24 | mostly(nproc, 3) << 16, 0, htt);
        put_caches(s, cpu, 4, sharing);
        put_caches(s, cpu, 0x8000001D, sharing);
        if (max_leaf >= 0xB)
            put_levels(s, cpu, dice(2) ? 0xB : 0x1F, id, shifts, 2 + dice(3));
        synthetic_row(s, cpu, 0x80000000, 0, mostly(0x80000026, 0x80000006), 0, 0, 0);
        synthetic_row(s, cpu, 0x80000001, 0, 0, 0, mostly(topoext, 0), 0);
        synthetic_row(s, cpu, 0x80000005, 0, 0, 0, 0x20080140, 0x40040140);
        synthetic_row(s, cpu, 0x80000006, 0, 0, 0, 0x02006140, mostly(0x00808140, 0));
        synthetic_row(s, cpu, 0x80000008, 0, 0, 0, dice(2) << 14 | (1u << shifts[1]) | 1, 0);
        synthetic_row(s, cpu, 0x8000001E, 0, id, shifts[0] << 8 | mostly(id >> 1, 0),
                      (dice(2) << 8) | mostly(id >> 3, 0), 0);
        s->nodes[cpu] = (int32_t)((id >> shifts[3]) % nodes);
    }
    if (nodes > 1)
        s->facts.stated_nodes = s->nodes;
}

static bool compare_machine(const struct machine_facts *facts, const char *name)
{
    struct topology topologies[RULE_PROFILE_COUNT];
    struct arena arena;
    bool is_equal = true;

    arena_init(&arena, memory, ARENA_BYTES);
    assert_true(topology_build_all(facts, (1u << RULE_PROFILE_COUNT) - 1, &arena, topologies));
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++) {
        const struct topology *t = &topologies[i];
        struct cpuid_regs vendor;
        uint32_t cpu;

        if (t->cpu_count > REFERENCE_CPUS || !t->cpu_count)
            continue;
        facts_cpuid(facts, &facts->cpus[0], 0, 0, &vendor);
        bool is_hygon = memcmp(&vendor.ebx, "Hygo", 4) == 0 && i >= AGE_5_10;
        bool is_amd = memcmp(&vendor.ebx, "Auth", 4) == 0 || is_hygon;
        bool has_ranges = is_hygon || t->cpus[0].ident.has_topoext;
        const char *what = reference_compare(t, reference, is_amd, has_ranges, &cpu);
        if (what) {
            print_error("%s, %s, cpu %u: %s differs\n", name, rules_name(&rule_profiles[i]), cpu,
                        what);
            is_equal = false;
        }
    }
    return is_equal;
}

static void random_machines_come_out_as_with_all_pairs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MACHINES; i++) {
        struct synthetic machine;
        char name[32];

        random_machine(&machine);
        snprintf(name, sizeof name, "machine %u", i);
        bool is_equal = compare_machine(&machine.facts, name);
        synthetic_free(&machine);
        assert_true(is_equal);
    }
}

static unsigned compare_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    unsigned compared = 0;

    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct machine_facts facts;
        struct expectations expectations;
        struct input_error error = {0};
        struct arena arena;
        char path[512];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct loaded text = load_file(path);
        arena_init(&arena, inputs, ARENA_BYTES);
        assert_true(facts_read(text.bytes, text.length, path, &arena, &facts, &expectations,
                               &error));
        assert_true(compare_machine(&facts, path));
        compared++;
        free(text.bytes);
    }
    closedir(directory);
    return compared;
}

static void corpus_machines_come_out_as_with_all_pairs(void **state)
{
    (void)state;
    assert_true(compare_folder("tests/corpus/machines") >= 140);
    assert_true(compare_folder("tests/corpus/single") >= 40);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_machines_come_out_as_with_all_pairs),
        cmocka_unit_test(corpus_machines_come_out_as_with_all_pairs),
    };

    memory = malloc(ARENA_BYTES);
    inputs = malloc(ARENA_BYTES);
    reference = malloc(sizeof *reference);
    if (!memory || !inputs || !reference)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(reference);
    free(inputs);
    free(memory);
    return failed;
}
