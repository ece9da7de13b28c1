/* Scheduler levels: what the kernel's span check and nesting test say. */
#include "kernel/topology/checks_run.h"

#include <string.h>

/* A CPU without a node has no mask at the levels of nodes. */
static void put_level_mask(struct textbuf *text, const struct topology *topology, uint32_t level,
                           uint32_t cpu)
{
    uint32_t mask = topology->levels[level].mask[cpu];

    if (mask == UINT32_MAX)
        textbuf_put(text, "(none)");
    else
        cpumask_put_list(text, &topology->masks[mask]);
}

static uint32_t find_level(const struct topology *topology, const char *name)
{
    uint32_t level = 0;

    while (level + 1 < topology->level_count && strcmp(topology->levels[level].name, name) != 0)
        level++;
    return level;
}

static struct finding *report_span(struct check_run *run, const struct topology *topology)
{
    uint32_t level = find_level(topology, topology->span_level);
    char storage[CHECKS_TEXT_BYTES];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    put_level_mask(&text, topology, level, topology->span_cpu_a);
    textbuf_put(&text, " and ");
    put_level_mask(&text, topology, level, topology->span_cpu_b);
    return checks_report(run, 0, "level masks",
                         "The %s masks of CPUs %u and %u overlap without being equal (%s): no "
                         "scheduler domain is built at all.", topology->span_level,
                         checks_number(run, topology, topology->span_cpu_a),
                         checks_number(run, topology, topology->span_cpu_b), text.text);
}

static void check_span(struct check_run *run)
{
    struct finding *finding = NULL;
    uint32_t rules = 0;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);

        if (!topology || topology->span != SPAN_INSANE)
            continue;
        if (!rules)
            finding = report_span(run, topology);
        rules |= 1u << profile;
        checks_mark_cpu(run, finding, topology, topology->span_cpu_a);
        checks_mark_cpu(run, finding, topology, topology->span_cpu_b);
    }
    if (finding)
        finding->rules = rules;
}

static void check_empty(struct check_run *run)
{
    uint32_t rules = 0, count = 0;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct topology *topology = checks_topology(run, profile);

        if (topology && topology->span_empty_count) {
            rules |= 1u << profile;
            count = topology->span_empty_count;
        }
    }
    if (rules)
        checks_report(run, rules, "level masks",
                      "%u level masks are empty: the kernel's span check is not written for that.",
                      count);
}

static struct finding *report_unnested(struct check_run *run, const struct topology *topology,
                                       uint32_t level)
{
    uint32_t cpu = cpumask_first(&topology->levels[level].unnested);
    char storage[CHECKS_TEXT_BYTES];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    textbuf_printf(&text, "the %s mask ", topology->levels[level - 1].name);
    put_level_mask(&text, topology, level - 1, cpu);
    textbuf_printf(&text, " is not inside the %s mask ", topology->levels[level].name);
    put_level_mask(&text, topology, level, cpu);
    return checks_report(run, 0, "level masks", "CPU %u: %s.", checks_number(run, topology, cpu),
                         text.text);
}

/* A pair of levels in one finding, whatever number of profiles and CPUs has it. */
static struct finding *find_pair(const struct check_run *run, uint32_t first, const char *inner,
                                 const char *outer)
{
    char storage[64];
    struct textbuf text;

    for (uint32_t i = first; i < run->findings->count; i++) {
        textbuf_init(&text, storage, sizeof(storage));
        textbuf_printf(&text, "the %s mask ", inner);
        if (!strstr(run->findings->list[i].text, text.text))
            continue;
        textbuf_init(&text, storage, sizeof(storage));
        textbuf_printf(&text, "inside the %s mask ", outer);
        if (strstr(run->findings->list[i].text, text.text))
            return &run->findings->list[i];
    }
    return NULL;
}

static void check_nesting(struct check_run *run)
{
    uint32_t first = run->findings->count;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);

        for (uint32_t level = 1; topology && level < topology->level_count; level++) {
            const struct topology_level *one = &topology->levels[level];
            struct finding *finding;

            if (!one->unnested.words)
                continue;
            finding = find_pair(run, first, topology->levels[level - 1].name, one->name);
            if (!finding)
                finding = report_unnested(run, topology, level);
            if (finding)
                finding->rules |= 1u << profile;
            CPUMASK_FOR_EACH(cpu, &one->unnested)
                checks_mark_cpu(run, finding, topology, cpu);
        }
    }
    /* What only the oldest kernels stumble over is a CPU they did not know. */
    for (uint32_t i = first; i < run->findings->count; i++)
        if (!(run->findings->list[i].rules & ~run->era_4x))
            run->findings->list[i].severity = FINDING_INFO;
}

static void check_slit_form(struct check_run *run)
{
    uint32_t rules = 0;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++)
        if (checks_topology(run, profile) && run->topologies[profile].is_slit_form_refused)
            rules |= 1u << profile;
    if (rules)
        checks_report(run, rules, "SLIT", "The distances between nodes are not in the blocks that "
                      "sub-NUMA clusters of this CPU should have, so they are not evened out.");
}

static const struct check checks[] = {
    {"span-check-fails", FINDING_ERROR, "10", "5.10 and later",
     "two masks of a scheduler level overlap but are not equal",
     "WARNING … build_sched_domains",
     "the kernel builds no scheduler domains: every CPU for itself",
     check_span, NULL},
    {"level-mask-empty", FINDING_WARNING, "", "7.2", "a level mask is empty", "",
     "the single pass of the span check has no name for it", check_empty, NULL},
    {"level-not-nested", FINDING_WARNING, "11", "all",
     "the span of a scheduler level is not inside the one above",
     "BUG: arch topology borken / the X domain not a subset of the Y domain",
     "the kernel adds the missing CPUs to the upper level", check_nesting, NULL},
    {"slit-snc-form", FINDING_WARNING, "29", "7.2",
     "Granite Rapids X or Darkmont X with sub-NUMA clusters and a SLIT of another form",
     "[Firmware Bug]: SLIT table doesn't have the expected form for SNC -- fixup disabled!",
     "the distances are used as they are", check_slit_form, NULL},
};
CHECK_GROUP(checks_of_levels, checks);
