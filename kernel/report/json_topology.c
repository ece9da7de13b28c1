/* report.json: what each profile concludes, by the names that sysfs has for it. A
 * name that the profile's kernels do not have is left out. */
#include "kernel/report/fixed.h"
#include "kernel/report/sections.h"

static void put_mask(struct json *json, const char *key, const struct topology *topology,
                     const struct topology_cpu *cpu, enum topology_mask which)
{
    json_list(json, key, &topology->masks[cpu->mask[which]]);
}

static void put_caches(struct json *json, const struct topology *topology,
                       const struct topology_cpu *cpu)
{
    json_open_array(json, "caches");
    for (uint32_t i = 0; i < cpu->cache_count; i++) {
        const struct topology_cache *cache = &cpu->caches[i];

        json_open_object(json, NULL);
        json_u64(json, "index", cache->index);
        json_u64(json, "level", cache->level);
        json_text(json, "type", cache->type);
        json_format(json, "size", "%lluK", (unsigned long long)(cache->size_bytes / 1024));
        if (cache->has_id)
            json_u64(json, "id", cache->id);
        json_list(json, "shared_cpu_list", &topology->masks[cache->shared_mask]);
        json_end(json);
    }
    json_end(json);
}

/* sysfs prints ids as signed numbers. */
static void put_id(struct json *json, const char *key, uint32_t id)
{
    json_i64(json, key, (int32_t)id);
}

static void put_cpu(struct json *json, const struct topology *topology, uint32_t number)
{
    const struct topology_cpu *cpu = &topology->cpus[number];
    const struct sysfs_rules *sysfs = &topology->rules->sysfs;

    json_open_object(json, NULL);
    json_u64(json, "cpu", number);
    put_mask(json, "thread_siblings_list", topology, cpu, TOPOLOGY_SMT);
    put_mask(json, "core_siblings_list", topology, cpu, TOPOLOGY_PACKAGE);
    if (sysfs->has_die_files)
        put_mask(json, "die_cpus_list", topology, cpu, TOPOLOGY_DIE);
    if (sysfs->has_cluster_files)
        put_mask(json, "cluster_cpus_list", topology, cpu, TOPOLOGY_CLUSTER);
    put_mask(json, "llc_cpus_list", topology, cpu, TOPOLOGY_LLC);
    put_id(json, "physical_package_id", cpu->package_id);
    put_id(json, "core_id", cpu->core_id);
    if (sysfs->has_die_files)
        put_id(json, "die_id", cpu->die_id);
    if (sysfs->has_cluster_files)
        put_id(json, "cluster_id", cpu->cluster_id);
    put_id(json, "llc_id", cpu->llc_id);
    put_caches(json, topology, cpu);
    json_end(json);
}

static void put_nodes(struct json *json, const struct topology *topology)
{
    json_open_array(json, "nodes");
    for (uint32_t i = 0; i < topology->node_count; i++) {
        const struct topology_node *node = &topology->nodes[i];

        json_open_object(json, NULL);
        json_u64(json, "node", node->node);
        json_list(json, "cpulist", &node->cpus);
        json_u64(json, "memory_bytes", node->memory_bytes);
        if (topology->distances) {
            json_open_array(json, "distance");
            for (uint32_t to = 0; to < topology->node_count; to++)
                json_u64(json, NULL, topology->distances[i * topology->node_count + to]);
            json_end(json);
        }
        json_end(json);
    }
    json_end(json);
}

/* One list per logical CPU; null for a CPU that has none. */
static void put_level_masks(struct json *json, const char *key, const struct topology *topology,
                            const uint32_t *index)
{
    if (!index)
        return;
    json_open_array(json, key);
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
        if (topology->cpus[cpu].is_online && index[cpu] < topology->mask_count)
            json_list(json, NULL, &topology->masks[index[cpu]]);
        else
            json_no_value(json, NULL);
    }
    json_end(json);
}

static void put_domains(struct json *json, const struct topology *topology)
{
    json_open_array(json, "domains");
    for (uint32_t i = 0; i < topology->level_count; i++) {
        const struct topology_level *level = &topology->levels[i];

        json_open_object(json, NULL);
        json_text(json, "name", level->name);
        json_bool(json, "is_numa_overlap", level->is_numa_overlap);
        put_level_masks(json, "masks", topology, level->mask);
        put_level_masks(json, "spans", topology, level->span);
        json_end(json);
    }
    json_end(json);
}

static void put_span_check(struct json *json, const struct topology *topology)
{
    if (topology->span == SPAN_NOT_CHECKED) {
        json_no_value(json, "span_sane");
        return;
    }
    json_bool(json, "span_sane", topology->span == SPAN_SANE);
    if (topology->span == SPAN_INSANE) {
        json_open_object(json, "span_failure");
        json_text(json, "level", topology->span_level);
        json_u64(json, "cpu_a", topology->span_cpu_a);
        json_u64(json, "cpu_b", topology->span_cpu_b);
        json_end(json);
    }
}

static void put_profile(struct json *json, const struct topology *topology)
{
    json_open_object(json, rules_name(topology->rules));
    json_u64(json, "nr_cpu_ids", topology->nr_cpu_ids);
    json_list(json, "online", &topology->online);
    json_u64(json, "max_smt_threads", topology->max_smt_threads);
    json_bool(json, "is_numa_in_package", topology->is_numa_in_package);
    json_open_array(json, "cpus");
    for (uint32_t i = 0; i < topology->cpu_count; i++) {
        if (topology->cpus[i].is_online)
            put_cpu(json, topology, i);
    }
    json_end(json);
    put_nodes(json, topology);
    put_domains(json, topology);
    put_span_check(json, topology);
    json_end(json);
}

void json_topology(struct json *json, const struct report_model *model)
{
    json_open_object(json, "rules");
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (model->topologies[i])
            put_profile(json, model->topologies[i]);
    }
    json_end(json);
}
