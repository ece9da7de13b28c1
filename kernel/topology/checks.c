/* The table of all checks and the run over it. */
#include "kernel/topology/checks.h"

#include <string.h>

#include "kernel/topology/checks_run.h"

static const struct check_group *const groups[] = {
    &checks_of_ids,  &checks_of_leaves,   &checks_of_rows,     &checks_of_masks,
    &checks_of_levels, &checks_of_madt,   &checks_of_srat,     &checks_of_packages,
    &checks_of_features, &checks_of_msrs, &checks_of_mtrrs, &checks_of_clock,
    &checks_of_rsdp,  &checks_of_start,   &checks_of_memory,
    &checks_of_watchdog,
};

uint32_t checks_count(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        count += groups[i]->count;
    return count;
}

const struct check *checks_at(uint32_t index)
{
    for (uint32_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        if (index < groups[i]->count)
            return &groups[i]->checks[index];
        index -= groups[i]->count;
    }
    return NULL;
}

const char *checks_severity_word(enum finding_severity severity)
{
    return severity == FINDING_ERROR ? "error" : severity == FINDING_WARNING ? "warning" : "info";
}

void checks_put_row(struct textbuf *out, const struct check *check)
{
    textbuf_printf(out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", check->id,
                   checks_severity_word(check->severity), check->numbers, check->profiles,
                   check->condition, check->key_text, check->meaning);
}

static bool number_cpus(struct check_run *run)
{
    run->number = ARENA_NEW(run->arena, uint32_t, run->facts->cpu_count + 1);
    if (!run->number)
        return false;
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++)
        run->number[fact] = run->facts->number ? run->facts->number[fact] : fact;
    for (uint32_t cpu = 0; run->newest && cpu < run->newest->cpu_count; cpu++)
        if (run->newest->cpus[cpu].fact != FACTS_NO_CPU)
            run->number[run->newest->cpus[cpu].fact] = cpu;
    return true;
}

static void sort_profiles(struct check_run *run)
{
    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct rule_profile *rules = &rule_profiles[profile];

        if (checks_topology(run, profile))
            run->newest = &run->topologies[profile];
        if (rules->numbering.is_by_apic_id)
            run->era_reworked |= 1u << profile;
        else if (rules->link.has_die_mask)
            run->era_classic |= 1u << profile;
        else
            run->era_4x |= 1u << profile;
    }
}

/* `id` NULL: all. */
static bool run_checks(const struct machine_facts *facts, const struct topology *topologies,
                       uint32_t profiles, struct arena *arena, struct findings *findings,
                       const char *id)
{
    struct check_run run = {.facts = facts, .topologies = topologies, .profiles = profiles,
                            .findings = findings, .arena = arena};

    sort_profiles(&run);
    if (!leaves_decode(facts, arena, &run.leaves) || !number_cpus(&run))
        return false;
    for (uint32_t i = 0; i < checks_count(); i++) {
        run.check = checks_at(i);
        if (!id || !strcmp(id, run.check->id))
            run.check->run(&run);
    }
    return !arena->is_exhausted;
}

bool checks_run(const struct machine_facts *facts, const struct topology *topologies,
                uint32_t profiles, struct arena *arena, struct findings *findings)
{
    return run_checks(facts, topologies, profiles, arena, findings, NULL);
}

bool checks_run_one(const struct machine_facts *facts, const struct topology *topologies,
                    uint32_t profiles, struct arena *arena, struct findings *findings,
                    const char *id)
{
    return run_checks(facts, topologies, profiles, arena, findings, id);
}
