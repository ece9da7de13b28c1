/* report.txt: the masks of every profile, told once for all profiles that agree, so
 * that the place where they part is the first thing one sees. */
#include <string.h>

#include "kernel/report/fixed.h"
#include "kernel/report/groups_text.h"
#include "kernel/report/sections.h"
#include "kernel/report/text.h"

enum { NAME_COLUMNS = 31, MAX_CACHE_KINDS = 24, GROUPS_BYTES = 1000, NAMES_BYTES = 200 };

static const struct { enum topology_mask kind; const char *title; } mask_kinds[] = {
    {TOPOLOGY_SMT, "SMT siblings (thread_siblings_list)"},
    {TOPOLOGY_CLUSTER, "Cluster (cluster_cpus_list)"},
    {TOPOLOGY_LLC, "Last-level cache (MC level)"},
    {TOPOLOGY_DIE, "Die (die_cpus_list)"},
    {TOPOLOGY_PACKAGE, "Package (core_siblings_list)"},
};

static bool has_kind(const struct topology *topology, enum topology_mask kind)
{
    if (kind == TOPOLOGY_DIE)
        return topology->rules->sysfs.has_die_files;
    return kind != TOPOLOGY_CLUSTER || topology->rules->sysfs.has_cluster_files;
}

/* The profiles from `first` on that have the kind and conclude the same as `first`. */
static uint32_t same_as(const struct report_model *model, uint32_t first,
                        enum topology_mask kind)
{
    uint32_t bits = 0;

    for (uint32_t i = first; i < RULE_PROFILE_COUNT; i++) {
        const struct topology *other = model->topologies[i];

        if (other && has_kind(other, kind) &&
            groups_text_same(model->topologies[first], other, kind))
            bits |= 1u << i;
    }
    return bits;
}

static void put_names(struct textbuf *out, uint32_t profiles)
{
    const char *gap = "";

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t last = i;

        if (!(profiles >> i & 1))
            continue;
        while (last + 1 < RULE_PROFILE_COUNT && profiles >> (last + 1) & 1)
            last++;
        textbuf_printf(out, "%s%s", gap, rules_name(&rule_profiles[i]));
        if (last > i)
            textbuf_printf(out, "%s%s", last > i + 1 ? " to " : ", ",
                           rules_name(&rule_profiles[last]));
        gap = ", ";
        i = last;
    }
}

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

        if (!model->topologies[i] || told >> i & 1 || !has_kind(model->topologies[i], kind))
            continue;
        if (!told) {
            textbuf_put(out, title);
            textbuf_putc(out, '\n');
        }
        profiles = same_as(model, i, kind);
        told |= profiles;
        textbuf_init(&name_text, names, sizeof(names));
        put_names(&name_text, profiles);
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
        [SPAN_NOT_CHECKED] = "not checked", [SPAN_SANE] = "sane", [SPAN_INSANE] = "insane",
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

void text_topology(struct textbuf *out, const struct report_model *model)
{
    const struct topology *newest = report_newest(model);

    if (!newest)
        return;
    text_heading(out, "What the kernels would conclude");
    for (uint32_t i = 0; i < sizeof(mask_kinds) / sizeof(mask_kinds[0]); i++)
        put_kind(out, model, mask_kinds[i].kind, mask_kinds[i].title);
    textbuf_put(out, "\nScheduler levels, lowest first\n");
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (model->topologies[i])
            put_levels(out, model->topologies[i]);
    }
    textbuf_printf(out, "\nCaches and nodes as %s shows them\n", rules_name(newest->rules));
    put_caches(out, newest);
    put_nodes(out, newest);
}
