/* What a profile concludes and a record does not have: a directory more than the
 * kernel made is as wrong as one that is missing. */
#include "host/compare_extras.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/topology/domains.h"
#include "kernel/topology/sysfs_names.h"

struct counts {
    uint32_t files, caches, domains;
};

/* How many there are of a kind whose members are numbered from 0. */
static void count_member(uint32_t *count, uint32_t index)
{
    if (index != EXPECTATION_NONE && index >= *count)
        *count = index + 1;
}

static void count_recorded(const struct topology *topology, const struct expectations *all,
                           struct counts *counts)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const struct expectation *one = &all->list[i];

        if (one->cpu >= topology->cpu_count)
            continue;
        if (one->kind == EXPECT_CPU)
            counts[one->cpu].files += sysfs_has_cpu_file(topology->rules, one->name);
        else if (one->kind == EXPECT_CACHE)
            count_member(&counts[one->cpu].caches, one->index);
        else if (one->kind == EXPECT_DOMAIN && strcmp(one->name, "span") == 0)
            count_member(&counts[one->cpu].domains, one->index);
    }
}

static uint32_t domain_count(const struct topology *topology, uint32_t cpu)
{
    uint32_t count = 0;

    for (uint32_t level = 0; level < topology->level_count; level++)
        count += domains_is_kept(topology, level, cpu);
    return count;
}

bool compare_extras(const struct topology *topology, const struct expectations *all,
                    extra_judge judge, void *context)
{
    struct counts *counts = calloc(topology->cpu_count + 1, sizeof *counts);
    bool has_files = expectations_header(all, "== topology");
    bool has_caches = expectations_header(all, "== cache");
    bool has_domains = expectations_header(all, "== schedstat");

    if (!counts)
        return false;
    count_recorded(topology, all, counts);
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
        if (!topology->cpus[cpu].is_online)
            continue;
        if (has_files)
            judge(context, cpu, "topology files", counts[cpu].files,
                  sysfs_cpu_file_count(topology->rules));
        if (has_caches)
            judge(context, cpu, "cache indexes", counts[cpu].caches,
                  topology->cpus[cpu].cache_count);
        if (has_domains)
            judge(context, cpu, "domains", counts[cpu].domains, domain_count(topology, cpu));
    }
    free(counts);
    return true;
}
