/* Loading, building and checking in memory that grows until it suffices. */
#include "host/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/complain.h"
#include "kernel/topology/checks.h"

enum { SMALLEST_ARENA_BYTES = 4 << 20, FINDINGS_CAPACITY = 1024 };
static const size_t largest_arena_bytes = (size_t)4 << 30;

static bool build_topologies(struct machine *machine, uint32_t profiles, struct arena *arena)
{
    return topology_build_all(&machine->input.facts, profiles, arena, machine->topologies);
}

static uint32_t most_cpus(const struct machine *machine, uint32_t profiles)
{
    uint32_t most = 0;

    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        if (profiles >> i & 1 && machine->topologies[i].nr_cpu_ids > most)
            most = machine->topologies[i].nr_cpu_ids;
    return most;
}

static bool build_all(struct machine *machine, uint32_t profiles, struct arena *arena)
{
    return build_topologies(machine, profiles, arena) &&
           findings_init(&machine->findings, FINDINGS_CAPACITY, most_cpus(machine, profiles),
                         arena) &&
           checks_run(&machine->input.facts, machine->topologies, profiles, arena,
                      &machine->findings);
}

/* How much memory is needed depends on the machine: doubled until it fits. */
static bool build_in_memory(struct machine *machine, uint32_t profiles,
                            bool (*build)(struct machine *, uint32_t, struct arena *))
{
    for (size_t size = SMALLEST_ARENA_BYTES; size <= largest_arena_bytes; size *= 2) {
        struct arena arena;

        free(machine->memory);
        machine->memory = malloc(size);
        if (!machine->memory)
            break;
        arena_init(&arena, machine->memory, size);
        if (build(machine, profiles, &arena))
            return true;
    }
    complain("%s: not enough memory to conclude from it",
            machine->input.facts.source);
    return false;
}

bool machine_open(const char *path, struct machine *machine)
{
    *machine = (struct machine){0};
    return input_load(path, &machine->input);
}

bool machine_build(struct machine *machine, uint32_t profiles)
{
    return build_in_memory(machine, profiles, build_topologies);
}

bool machine_load(const char *path, uint32_t profiles, struct machine *machine)
{
    return machine_open(path, machine) && build_in_memory(machine, profiles, build_all);
}

void machine_free(struct machine *machine)
{
    free(machine->memory);
    machine->memory = NULL;
    input_free(&machine->input);
}

const char *machine_profile_name(unsigned i)
{
    return i < RULE_PROFILE_COUNT ? rules_name(&rule_profiles[i]) : NULL;
}

static const struct rule_profile *find_profile(const char *name, size_t length)
{
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++) {
        const char *known = rules_name(&rule_profiles[i]);

        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &rule_profiles[i];
    }
    char word[64];

    snprintf(word, sizeof word, "%.*s", (int)length, name);
    complain_choice(word, "profile", machine_profile_name);
    return NULL;
}

uint32_t machine_profiles(const char *names)
{
    uint32_t bits = 0;

    for (;;) {
        size_t length = strcspn(names, ",");
        const struct rule_profile *rules = find_profile(names, length);

        if (!rules)
            return 0;
        bits |= rules_bit(rules);
        if (!names[length])
            return bits;
        names += length + 1;
    }
}
