/* File names of cpuN/topology, cpuN/cache and nodeN, and what stands in them. */
#include "kernel/topology/sysfs_names.h"

#include <string.h>

#include "kernel/topology/rules.h"

enum file_kind { FILE_NUMBER, FILE_LIST, FILE_HEX };
enum file_age { AGE_ALWAYS, AGE_DIE, AGE_CLUSTER };

struct cpu_file {
    const char *name;
    enum file_kind kind;
    enum topology_mask mask;
    enum file_age age;
};

/* "core_siblings" is the package and "core_cpus" the threads of a core. */
static const struct cpu_file files[] = {
    {"thread_siblings_list", FILE_LIST, TOPOLOGY_SMT, AGE_ALWAYS},
    {"core_siblings_list", FILE_LIST, TOPOLOGY_PACKAGE, AGE_ALWAYS},
    {"die_cpus_list", FILE_LIST, TOPOLOGY_DIE, AGE_DIE},
    {"cluster_cpus_list", FILE_LIST, TOPOLOGY_CLUSTER, AGE_CLUSTER},
    {"core_cpus_list", FILE_LIST, TOPOLOGY_SMT, AGE_DIE},
    {"package_cpus_list", FILE_LIST, TOPOLOGY_PACKAGE, AGE_DIE},
    {"thread_siblings", FILE_HEX, TOPOLOGY_SMT, AGE_ALWAYS},
    {"core_siblings", FILE_HEX, TOPOLOGY_PACKAGE, AGE_ALWAYS},
    {"die_cpus", FILE_HEX, TOPOLOGY_DIE, AGE_DIE},
    {"cluster_cpus", FILE_HEX, TOPOLOGY_CLUSTER, AGE_CLUSTER},
    {"core_cpus", FILE_HEX, TOPOLOGY_SMT, AGE_DIE},
    {"package_cpus", FILE_HEX, TOPOLOGY_PACKAGE, AGE_DIE},
    {"physical_package_id", FILE_NUMBER, TOPOLOGY_PACKAGE, AGE_ALWAYS},
    {"die_id", FILE_NUMBER, TOPOLOGY_DIE, AGE_DIE},
    {"core_id", FILE_NUMBER, TOPOLOGY_SMT, AGE_ALWAYS},
    {"cluster_id", FILE_NUMBER, TOPOLOGY_CLUSTER, AGE_CLUSTER},
};

const char *const sysfs_cpu_files[] = {
    "thread_siblings_list", "core_siblings_list", "die_cpus_list", "cluster_cpus_list",
    "physical_package_id", "die_id", "core_id", "cluster_id", NULL,
};

const char *const sysfs_cache_files[] = {
    "level", "type", "size", "id", "shared_cpu_list", NULL,
};

static const struct cpu_file *find_file(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

static bool profile_has(const struct rule_profile *rules, enum file_age age)
{
    return age == AGE_DIE ? rules->sysfs.has_die_files
         : age == AGE_CLUSTER ? rules->sysfs.has_cluster_files : true;
}

bool sysfs_has_cpu_file(const struct rule_profile *rules, const char *name)
{
    const struct cpu_file *file = find_file(name);

    return file && profile_has(rules, file->age);
}

uint32_t sysfs_cpu_file_count(const struct rule_profile *rules)
{
    uint32_t count = 0;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        count += profile_has(rules, files[i].age);
    return count;
}

static uint32_t number_of(const struct topology_cpu *cpu, enum topology_mask mask)
{
    return mask == TOPOLOGY_PACKAGE ? cpu->package_id
         : mask == TOPOLOGY_DIE ? cpu->die_id
         : mask == TOPOLOGY_CLUSTER ? cpu->cluster_id : cpu->core_id;
}

static void put_mask(const struct topology *topology, const struct cpumask *mask, bool as_hex,
                     struct textbuf *out)
{
    if (as_hex)
        cpumask_put_hex(out, mask, topology->nr_cpu_ids);
    else
        cpumask_put_list(out, mask);
}

bool sysfs_cpu_text(const struct topology *topology, uint32_t cpu, const char *name,
                    struct textbuf *out)
{
    const struct cpu_file *file = find_file(name);

    if (!file || !profile_has(topology->rules, file->age) || cpu >= topology->cpu_count ||
        !topology->cpus[cpu].is_online)
        return false;
    const struct topology_cpu *one = &topology->cpus[cpu];
    if (file->kind == FILE_NUMBER)
        textbuf_printf(out, "%d", (int)number_of(one, file->mask));
    else
        put_mask(topology, &topology->masks[one->mask[file->mask]], file->kind == FILE_HEX, out);
    return true;
}

static bool put_cache_number(const struct topology_cache *cache, const char *name,
                             struct textbuf *out)
{
    const struct { const char *name; uint32_t value; } numbers[] = {
        {"level", cache->level}, {"coherency_line_size", cache->line_bytes},
        {"number_of_sets", cache->sets}, {"ways_of_associativity", cache->ways},
        {"physical_line_partition", cache->partitions},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i].name) == 0) {
            textbuf_printf(out, "%u", numbers[i].value);
            return true;
        }
    return false;
}

bool sysfs_cache_text(const struct topology *topology, uint32_t cpu, uint32_t index,
                      const char *name, struct textbuf *out)
{
    if (cpu >= topology->cpu_count || index >= topology->cpus[cpu].cache_count)
        return false;
    const struct topology_cache *cache = &topology->cpus[cpu].caches[index];
    bool as_hex = strcmp(name, "shared_cpu_map") == 0;

    if (as_hex || strcmp(name, "shared_cpu_list") == 0) {
        put_mask(topology, &topology->masks[cache->shared_mask], as_hex, out);
    } else if (strcmp(name, "type") == 0) {
        textbuf_put(out, cache->type);
    } else if (strcmp(name, "size") == 0) {
        textbuf_printf(out, "%lluK", (unsigned long long)(cache->size_bytes >> 10));
    } else if (strcmp(name, "id") == 0) {
        if (cache->has_id)
            textbuf_printf(out, "%u", cache->id);
        return cache->has_id;
    } else {
        return put_cache_number(cache, name, out);
    }
    return true;
}

bool sysfs_node_text(const struct topology *topology, uint32_t number, const char *name,
                     struct textbuf *out)
{
    uint32_t at = 0;

    while (at < topology->node_count && topology->nodes[at].node != number)
        at++;
    if (at == topology->node_count)
        return false;
    bool as_hex = strcmp(name, "cpumap") == 0;
    if (as_hex || strcmp(name, "cpulist") == 0) {
        put_mask(topology, &topology->nodes[at].cpus, as_hex, out);
        return true;
    }
    if (strcmp(name, "distance") != 0)
        return false;
    for (uint32_t i = 0; i < topology->node_count; i++)
        textbuf_printf(out, i ? " %u" : "%u", topology->distances[at * topology->node_count + i]);
    return true;
}
