/* A report.json may come from anywhere: every number is looked at before it is used
 * as an index or a size. */
#include "host/report_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/arena.h"

enum { MAX_CPUS = 65536, MAX_CACHES = 64, MAX_NODES = 1024 };

struct loader {
    struct arena arena;
    struct topology *topology;
    uint32_t mask_capacity;
    const char *error;
};

static bool wrong(struct loader *loader, const char *what)
{
    if (!loader->error)
        loader->error = what;
    return false;
}

static bool read_number(struct loader *loader, const json_t *object, const char *name,
                        uint32_t limit, uint32_t *value)
{
    const json_t *number = json_object_get(object, name);

    if (!json_is_integer(number) || json_integer_value(number) < 0 ||
        json_integer_value(number) >= limit)
        return wrong(loader, name);
    *value = (uint32_t)json_integer_value(number);
    return true;
}

/* Ids may be absent (the profile has no such file) or negative (none). */
static uint32_t read_id(const json_t *object, const char *name)
{
    const json_t *number = json_object_get(object, name);

    return json_is_integer(number) ? (uint32_t)json_integer_value(number) : TOPOLOGY_NO_ID;
}

/* The index of a mask with that list; equal lists share one mask. */
static bool read_mask(struct loader *loader, const json_t *object, const char *name,
                      uint32_t *index)
{
    struct topology *topology = loader->topology;
    const json_t *list = json_object_get(object, name);
    struct cpumask mask;

    if (!json_is_string(list) ||
        !cpumask_init(&mask, topology->nr_cpu_ids, &loader->arena) ||
        !cpumask_parse_list(&mask, json_string_value(list)))
        return wrong(loader, name);
    for (uint32_t i = 0; i < topology->mask_count; i++) {
        if (cpumask_equal(&topology->masks[i], &mask)) {
            *index = i;
            return true;
        }
    }
    if (topology->mask_count == loader->mask_capacity)
        return wrong(loader, "too many masks");
    topology->masks[topology->mask_count] = mask;
    *index = topology->mask_count++;
    return true;
}

static bool read_cache(struct loader *loader, const json_t *object, struct topology_cache *cache)
{
    static const char *const types[] = {"Data", "Instruction", "Unified"};
    const char *type = json_string_value(json_object_get(object, "type"));
    const char *size = json_string_value(json_object_get(object, "size"));

    if (!type || !size)
        return wrong(loader, "caches");
    for (int i = 0; i < 3; i++) {
        if (!strcmp(type, types[i]))
            cache->type = types[i];
    }
    if (!cache->type)
        return wrong(loader, "type");
    cache->size_bytes = strtoull(size, NULL, 10) * 1024;
    cache->has_id = json_object_get(object, "id") != NULL;
    cache->id = read_id(object, "id");
    return read_number(loader, object, "index", MAX_CACHES, &cache->index) &&
           read_number(loader, object, "level", 16, &cache->level) &&
           read_mask(loader, object, "shared_cpu_list", &cache->shared_mask);
}

static bool read_caches(struct loader *loader, const json_t *list, struct topology_cpu *cpu)
{
    size_t count = json_array_size(list);

    if (count > MAX_CACHES)
        return wrong(loader, "caches");
    cpu->caches = ARENA_NEW(&loader->arena, struct topology_cache, count);
    if (count && !cpu->caches)
        return wrong(loader, "caches");
    for (; cpu->cache_count < count; cpu->cache_count++) {
        if (!read_cache(loader, json_array_get(list, cpu->cache_count),
                        &cpu->caches[cpu->cache_count]))
            return false;
    }
    return true;
}

static bool read_cpu(struct loader *loader, const json_t *object)
{
    static const struct { enum topology_mask kind; const char *name, *fallback; } masks[] = {
        {TOPOLOGY_SMT, "thread_siblings_list", NULL},
        {TOPOLOGY_PACKAGE, "core_siblings_list", NULL},
        {TOPOLOGY_DIE, "die_cpus_list", "core_siblings_list"},
        {TOPOLOGY_CLUSTER, "cluster_cpus_list", "thread_siblings_list"},
        {TOPOLOGY_LLC, "llc_cpus_list", "core_siblings_list"},
    };
    struct topology *topology = loader->topology;
    struct topology_cpu *cpu;
    uint32_t number;

    if (!read_number(loader, object, "cpu", topology->nr_cpu_ids, &number))
        return false;
    cpu = &topology->cpus[number];
    if (cpu->is_online)
        return wrong(loader, "cpu (each listed once)");
    cpu->is_online = true;
    cpumask_set(&topology->online, number);
    for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
        const char *name = json_object_get(object, masks[i].name) || !masks[i].fallback
            ? masks[i].name : masks[i].fallback;

        if (!read_mask(loader, object, name, &cpu->mask[masks[i].kind]))
            return false;
    }
    cpu->package_id = read_id(object, "physical_package_id");
    cpu->core_id = read_id(object, "core_id");
    cpu->die_id = read_id(object, "die_id");
    cpu->cluster_id = read_id(object, "cluster_id");
    cpu->llc_id = read_id(object, "llc_id");
    return read_caches(loader, json_object_get(object, "caches"), cpu);
}

static bool read_nodes(struct loader *loader, const json_t *list)
{
    struct topology *topology = loader->topology;
    size_t count = json_array_size(list);

    if (count > MAX_NODES)
        return wrong(loader, "nodes");
    topology->nodes = ARENA_NEW(&loader->arena, struct topology_node, count);
    if (count && !topology->nodes)
        return wrong(loader, "nodes");
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(list, i);
        struct topology_node *node = &topology->nodes[i];
        const char *cpus = json_string_value(json_object_get(object, "cpulist"));

        if (!cpus || !read_number(loader, object, "node", MAX_NODES, &node->node) ||
            !cpumask_init(&node->cpus, topology->nr_cpu_ids, &loader->arena) ||
            !cpumask_parse_list(&node->cpus, cpus))
            return wrong(loader, "cpulist");
        node->memory_bytes =
            (uint64_t)json_integer_value(json_object_get(object, "memory_bytes"));
        topology->node_count++;
    }
    return true;
}

static bool read_profile(struct loader *loader, const json_t *object)
{
    struct topology *topology = loader->topology;
    const json_t *cpus = json_object_get(object, "cpus");
    size_t count = json_array_size(cpus);

    if (!read_number(loader, object, "nr_cpu_ids", MAX_CPUS + 1, &topology->nr_cpu_ids) ||
        count > topology->nr_cpu_ids)
        return wrong(loader, "cpus");
    loader->mask_capacity = (uint32_t)count * 12 + 1;
    topology->cpu_count = topology->nr_cpu_ids;
    topology->cpus = ARENA_NEW(&loader->arena, struct topology_cpu, topology->cpu_count);
    topology->masks = ARENA_NEW(&loader->arena, struct cpumask, loader->mask_capacity);
    if (!topology->cpus || !topology->masks ||
        !cpumask_init(&topology->online, topology->nr_cpu_ids, &loader->arena))
        return wrong(loader, "cpus");
    for (uint32_t i = 0; i < topology->cpu_count; i++)
        topology->cpus[i].fact = FACTS_NO_CPU;
    for (size_t i = 0; i < count; i++) {
        if (!read_cpu(loader, json_array_get(cpus, i)))
            return false;
    }
    return read_nodes(loader, json_object_get(object, "nodes"));
}

/* Memory for masks grows with the square of the CPUs: doubled until it fits. */
static bool read_all(const json_t *rules, struct report_load *load, struct loader *loader,
                     size_t size)
{
    free(load->memory);
    load->memory = malloc(size);
    load->profiles = 0;
    memset(load->topologies, 0, sizeof(load->topologies));
    *loader = (struct loader){0};
    if (!load->memory)
        return wrong(loader, "no memory");
    arena_init(&loader->arena, load->memory, size);
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        const json_t *profile = json_object_get(rules, rules_name(&rule_profiles[i]));

        if (!profile)
            continue;
        loader->topology = &load->topologies[i];
        loader->topology->rules = &rule_profiles[i];
        if (!read_profile(loader, profile))
            return false;
        load->profiles |= 1u << i;
    }
    return true;
}

bool report_load_topologies(const json_t *report, struct report_load *load)
{
    const char *schema = json_string_value(json_object_get(report, "schema"));
    struct loader loader = {0};

    *load = (struct report_load){0};
    if (!schema || strcmp(schema, "coretruth-report/1") != 0) {
        snprintf(load->error, sizeof(load->error), "\"schema\" is not coretruth-report/1");
        return false;
    }
    for (size_t size = (size_t)4 << 20; size <= (size_t)2 << 30; size *= 4) {
        if (read_all(json_object_get(report, "rules"), load, &loader, size))
            return true;
        if (!loader.arena.is_exhausted)
            break;
    }
    snprintf(load->error, sizeof(load->error), "rules.%s: %s is missing or not sane",
             loader.topology ? rules_name(loader.topology->rules) : "*",
             loader.error ? loader.error : "rules");
    return false;
}

void report_load_free(struct report_load *load)
{
    free(load->memory);
    load->memory = NULL;
}
