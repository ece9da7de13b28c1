/* report.txt: the masks of every profile, told once for all profiles that agree, so
 * that the place where they part is the first thing one sees. */
#include <string.h>

#include "kernel/report/fixed.h"
#include "kernel/report/groups_text.h"
#include "kernel/report/sections.h"
#include "kernel/report/text.h"
#include "kernel/topology/parting.h"

enum { NAME_COLUMNS = 31, MAX_CACHE_KINDS = 24, GROUPS_BYTES = 1000, NAMES_BYTES = 200,
       SCRATCH_BYTES = 1 << 16 };

/* "  NAMES   VALUE", the value on a line of its own when the names are long. */
static void put_line(struct textbuf *out, const char *names, struct textbuf *value)
{
    char first[NAME_COLUMNS + 1];
    struct textbuf margin;

    if (value->is_cut)
        memcpy(value->text + value->length - 3, "...", 3);
    textbuf_init(&margin, first, sizeof(first));
    if (strlen(names) + 3 > NAME_COLUMNS)
        textbuf_printf(out, "  %s\n", names);
    else
        textbuf_printf(&margin, "  %s", names);
    while (margin.length < NAME_COLUMNS)
        textbuf_putc(&margin, ' ');
    text_wrap(out, first, NAME_COLUMNS, value->text);
}

static void put_kind(struct textbuf *out, const struct report_model *model,
                     enum topology_mask kind, const char *title)
{
    uint32_t told = 0;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        char groups[GROUPS_BYTES], names[NAMES_BYTES];
        struct textbuf name_text, group_text;
        uint32_t profiles;

        if (told >> i & 1)
            continue;
        profiles = groups_text_profiles(model->topologies, i, kind);
        if (!profiles)
            continue;
        if (!told) {
            textbuf_put(out, title);
            textbuf_putc(out, '\n');
        }
        told |= profiles;
        textbuf_init(&name_text, names, sizeof(names));
        groups_text_put_profiles(&name_text, profiles);
        textbuf_init(&group_text, groups, sizeof(groups));
        groups_text_put(&group_text, model->topologies[i], kind);
        put_line(out, names, &group_text);
    }
}

/* Caches of one sort on this machine. */
struct cache_kind {
    const struct topology_cache *cache;
    uint32_t cpus, instances;
};

static bool is_same_kind(const struct cache_kind *kind, const struct topology_cache *cache,
                         uint32_t cpus)
{
    return kind->cpus == cpus && kind->cache->level == cache->level &&
           !strcmp(kind->cache->type, cache->type) &&
           kind->cache->size_bytes == cache->size_bytes && kind->cache->ways == cache->ways;
}

static uint32_t collect_caches(const struct topology *topology, struct cache_kind *kinds)
{
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
        for (uint32_t i = 0; i < topology->cpus[cpu].cache_count; i++) {
            const struct topology_cache *cache = &topology->cpus[cpu].caches[i];
            const struct cpumask *shared = &topology->masks[cache->shared_mask];
            uint32_t at = 0;

            if (cpumask_first(shared) != cpu)
                continue;
            while (at < count && !is_same_kind(&kinds[at], cache, cpumask_count(shared)))
                at++;
            if (at == MAX_CACHE_KINDS)
                continue;
            if (at == count)
                kinds[count++] = (struct cache_kind){cache, cpumask_count(shared), 0};
            kinds[at].instances++;
        }
    }
    return count;
}

static void put_caches(struct textbuf *out, const struct topology *topology)
{
    static const struct text_column columns[] = {
        {"cache", 16, false}, {"size KiB", 9, true}, {"ways", 5, true}, {"line", 5, true},
        {"CPUs each", 10, true}, {"instances", 10, true},
    };
    struct cache_kind kinds[MAX_CACHE_KINDS];
    uint32_t count = collect_caches(topology, kinds);
    struct text_table table;

    if (!count)
        return;
    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < count; i++) {
        const struct topology_cache *cache = kinds[i].cache;

        text_cell(&table, "L%u %s", (unsigned)cache->level, cache->type);
        text_cell(&table, "%llu", (unsigned long long)(cache->size_bytes / 1024));
        text_cell(&table, cache->ways ? "%u" : "?", (unsigned)cache->ways);
        text_cell(&table, "%u", (unsigned)cache->line_bytes);
        text_cell(&table, "%u", (unsigned)kinds[i].cpus);
        text_cell(&table, "%u", (unsigned)kinds[i].instances);
    }
}

static void put_nodes(struct textbuf *out, const struct topology *topology)
{
    textbuf_putc(out, '\n');
    for (uint32_t i = 0; i < topology->node_count; i++) {
        char list[GROUPS_BYTES], label[32];
        struct textbuf text, name;

        textbuf_init(&text, list, sizeof(list));
        textbuf_put(&text, "CPUs ");
        cpumask_put_list(&text, &topology->nodes[i].cpus);
        if (topology->nodes[i].memory_bytes)
            textbuf_printf(&text, "; %llu MiB",
                           (unsigned long long)(topology->nodes[i].memory_bytes >> 20));
        textbuf_put(&text, "; distances");
        for (uint32_t to = 0; topology->distances && to < topology->node_count; to++)
            textbuf_printf(&text, " %u",
                           (unsigned)topology->distances[i * topology->node_count + to]);
        textbuf_init(&name, label, sizeof(label));
        textbuf_printf(&name, "node %u", (unsigned)topology->nodes[i].node);
        text_pair(out, label, "%s", list);
    }
}

static void put_levels(struct textbuf *out, const struct topology *topology)
{
    static const char *const verdicts[] = {
        [SPAN_NOT_CHECKED] = "none in this kernel", [SPAN_SANE] = "sane",
        [SPAN_INSANE] = "insane",
    };
    char names[NAMES_BYTES];
    struct textbuf text;

    textbuf_init(&text, names, sizeof(names));
    for (uint32_t i = 0; i < topology->level_count; i++)
        textbuf_printf(&text, "%s%s", i ? " " : "", topology->levels[i].name);
    text_pair(out, rules_name(topology->rules), "levels %s; span check: %s",
              topology->level_count ? names : "none", verdicts[topology->span]);
    if (topology->span == SPAN_INSANE)
        text_pair(out, "", "level %s of CPU %u and CPU %u overlap without being equal",
                  topology->span_level, (unsigned)topology->span_cpu_a,
                  (unsigned)topology->span_cpu_b);
}

/* Without room for a byte a mask (tens of thousands of CPUs) the masks below say it alone. */
static void put_parting(struct textbuf *out, const struct report_model *model)
{
    static uint8_t scratch[SCRATCH_BYTES];
    struct arena arena;

    arena_init(&arena, scratch, sizeof(scratch));
    if (parting_put(out, model->topologies, &arena))
        textbuf_putc(out, '\n');
}

void text_topology(struct textbuf *out, const struct report_model *model)
{
    const struct topology *newest = report_newest(model);

    if (!newest)
        return;
    text_heading(out, "What the kernels would conclude");
    put_parting(out, model);
    for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
        put_kind(out, model, (enum topology_mask)kind, groups_text_title((enum topology_mask)kind));
    textbuf_put(out, "\nScheduler levels, lowest first\n");
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (model->topologies[i])
            put_levels(out, model->topologies[i]);
    }
    textbuf_printf(out, "\nCaches and nodes as %s shows them\n", rules_name(newest->rules));
    put_caches(out, newest);
    put_nodes(out, newest);
}
