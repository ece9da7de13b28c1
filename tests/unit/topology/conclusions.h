/* Builds the profiles of a machine and looks at single conclusions. */
#ifndef TESTS_UNIT_TOPOLOGY_CONCLUSIONS_H
#define TESTS_UNIT_TOPOLOGY_CONCLUSIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/facts/facts_read.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/sysfs_names.h"
#include "kernel/topology/topology.h"
#include "tests/unit/facts/load.h"

enum { CONCLUSIONS_ARENA_BYTES = 32 << 20 };

struct conclusions {
    uint8_t *memory;
    struct arena arena;
    struct machine_facts facts;
    struct expectations expectations;
    struct topology topologies[RULE_PROFILE_COUNT];
};

static inline void conclusions_of(struct conclusions *c, const struct machine_facts *facts)
{
    c->memory = malloc(CONCLUSIONS_ARENA_BYTES);
    assert_non_null(c->memory);
    arena_init(&c->arena, c->memory, CONCLUSIONS_ARENA_BYTES);
    assert_true(topology_build_all(facts, (1u << RULE_PROFILE_COUNT) - 1, &c->arena,
                                   c->topologies));
}

static inline void conclusions_of_file(struct conclusions *c, const char *path)
{
    struct loaded text = load_file(path);
    struct input_error error = {0};

    c->memory = malloc(CONCLUSIONS_ARENA_BYTES);
    assert_non_null(c->memory);
    arena_init(&c->arena, c->memory, CONCLUSIONS_ARENA_BYTES);
    assert_true(facts_read(text.bytes, text.length, path, &c->arena, &c->facts, &c->expectations,
                           &error));
    assert_true(topology_build_all(&c->facts, (1u << RULE_PROFILE_COUNT) - 1, &c->arena,
                                   c->topologies));
    free(text.bytes);
}

static inline void conclusions_free(struct conclusions *c)
{
    free(c->memory);
}

static inline const struct topology *conclusions_at(const struct conclusions *c,
                                                    const char *profile)
{
    char name[32];

    snprintf(name, sizeof name, "linux-%s", profile);
    assert_non_null(rules_find(name));
    return &c->topologies[rules_find(name) - rule_profiles];
}

/* A file of cpuN/topology; "absent" when the profile does not have it. */
static inline void expect_file(const struct conclusions *c, const char *profile, uint32_t cpu,
                               const char *file, const char *expected)
{
    char got[4096] = "";
    struct textbuf text;

    textbuf_init(&text, got, sizeof got);
    if (!sysfs_cpu_text(conclusions_at(c, profile), cpu, file, &text))
        textbuf_put(&text, "absent");
    if (strcmp(got, expected) != 0)
        print_error("%s cpu %u %s\n", profile, cpu, file);
    assert_string_equal(got, expected);
}

static inline void expect_threads(const struct conclusions *c, const char *profile, uint32_t cpu,
                                  const char *expected)
{
    expect_file(c, profile, cpu, "thread_siblings_list", expected);
}

/* The LLC mask has no file. */
static inline void expect_llc(const struct conclusions *c, const char *profile, uint32_t cpu,
                              const char *expected)
{
    const struct topology *topology = conclusions_at(c, profile);
    char got[4096] = "";
    struct textbuf text;

    textbuf_init(&text, got, sizeof got);
    cpumask_put_list(&text, &topology->masks[topology->cpus[cpu].mask[TOPOLOGY_LLC]]);
    if (strcmp(got, expected) != 0)
        print_error("%s cpu %u LLC\n", profile, cpu);
    assert_string_equal(got, expected);
}

/* One value for several profiles: "4.9-rfc1 4.9 …". */
static inline void expect_in(const struct conclusions *c, const char *profiles, uint32_t cpu,
                             const char *file, const char *expected)
{
    char names[128], *rest;

    snprintf(names, sizeof names, "%s", profiles);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        if (strcmp(file, "llc") == 0)
            expect_llc(c, name, cpu, expected);
        else
            expect_file(c, name, cpu, file, expected);
    }
}

#endif
