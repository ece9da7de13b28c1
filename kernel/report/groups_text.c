/* A mask is told once, by the first CPU that has it. */
#include "kernel/report/groups_text.h"

enum { LIST_BYTES = 150 }; /* of the groups that are listed: about three lines */

struct group_sizes {
    uint32_t groups, smallest, largest, members, cpus;
};

static const struct cpumask *mask_of(const struct topology *topology, uint32_t cpu,
                                     enum topology_mask kind)
{
    return &topology->masks[topology->cpus[cpu].mask[kind]];
}

/* Masks are stored once, so equal masks have equal indexes. */
static bool is_first_with_mask(const struct topology *topology, uint32_t cpu,
                               enum topology_mask kind)
{
    uint32_t index = topology->cpus[cpu].mask[kind];
    uint32_t first = cpumask_first(&topology->masks[index]);

    if (first >= cpu)
        return true;
    if (topology->cpus[first].is_online && topology->cpus[first].mask[kind] == index)
        return false;
    for (uint32_t other = 0; other < cpu; other++) {
        if (topology->cpus[other].is_online && topology->cpus[other].mask[kind] == index)
            return false;
    }
    return true;
}

static struct group_sizes measure(const struct topology *topology, enum topology_mask kind)
{
    struct group_sizes sizes = {.smallest = UINT32_MAX};

    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
        uint32_t members;

        if (!topology->cpus[cpu].is_online)
            continue;
        sizes.cpus++;
        if (!is_first_with_mask(topology, cpu, kind))
            continue;
        members = cpumask_count(mask_of(topology, cpu, kind));
        sizes.groups++;
        sizes.members += members;
        if (members < sizes.smallest)
            sizes.smallest = members;
        if (members > sizes.largest)
            sizes.largest = members;
    }
    return sizes;
}

static void put_lists(struct textbuf *out, const struct topology *topology,
                      enum topology_mask kind, uint32_t groups)
{
    size_t start = out->length;
    uint32_t told = 0;
    bool is_long = false;

    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
        if (!topology->cpus[cpu].is_online || !is_first_with_mask(topology, cpu, kind))
            continue;
        told++;
        if (out->length - start > LIST_BYTES && told < groups) {
            is_long = true;
            continue;
        }
        textbuf_put(out, is_long ? " ... " : " ");
        cpumask_put_list(out, mask_of(topology, cpu, kind));
    }
}

void groups_text_put(struct textbuf *out, const struct topology *topology,
                     enum topology_mask kind)
{
    struct group_sizes sizes = measure(topology, kind);

    if (sizes.cpus == 0) {
        textbuf_put(out, "no CPU");
        return;
    }
    if (sizes.largest == 1 && sizes.groups == sizes.cpus) {
        textbuf_put(out, "each CPU is alone");
        return;
    }
    if (sizes.groups == 1 && sizes.members == sizes.cpus)
        textbuf_printf(out, "all %u CPUs:", (unsigned)sizes.cpus);
    else if (sizes.members != sizes.cpus)
        textbuf_printf(out, "%u overlapping masks:", (unsigned)sizes.groups);
    else if (sizes.smallest == sizes.largest)
        textbuf_printf(out, "%u groups of %u:", (unsigned)sizes.groups, (unsigned)sizes.largest);
    else
        textbuf_printf(out, "%u groups of %u to %u:", (unsigned)sizes.groups,
                       (unsigned)sizes.smallest, (unsigned)sizes.largest);
    put_lists(out, topology, kind, sizes.groups);
}

bool groups_text_same(const struct topology *a, const struct topology *b,
                      enum topology_mask kind)
{
    if (a->cpu_count != b->cpu_count || !cpumask_equal(&a->online, &b->online))
        return false;
    for (uint32_t cpu = 0; cpu < a->cpu_count; cpu++) {
        if (a->cpus[cpu].is_online &&
            !cpumask_equal(mask_of(a, cpu, kind), mask_of(b, cpu, kind)))
            return false;
    }
    return true;
}

const char *groups_text_title(enum topology_mask kind)
{
    static const char *const titles[TOPOLOGY_MASK_KINDS] = {
        [TOPOLOGY_SMT] = "SMT siblings (thread_siblings_list)",
        [TOPOLOGY_CLUSTER] = "Cluster (cluster_cpus_list)",
        [TOPOLOGY_LLC] = "Last-level cache (MC level)",
        [TOPOLOGY_DIE] = "Die (die_cpus_list)",
        [TOPOLOGY_PACKAGE] = "Package (core_siblings_list)",
    };

    return titles[kind];
}

static bool has_kind(const struct topology *topology, enum topology_mask kind)
{
    if (kind == TOPOLOGY_DIE)
        return topology->rules->sysfs.has_die_files;
    return kind != TOPOLOGY_CLUSTER || topology->rules->sysfs.has_cluster_files;
}

uint32_t groups_text_profiles(const struct topology *const topologies[RULE_PROFILE_COUNT],
                              uint32_t first, enum topology_mask kind)
{
    uint32_t bits = 0;

    if (!topologies[first] || !has_kind(topologies[first], kind))
        return 0;
    for (uint32_t i = first; i < RULE_PROFILE_COUNT; i++) {
        if (topologies[i] && has_kind(topologies[i], kind) &&
            groups_text_same(topologies[first], topologies[i], kind))
            bits |= 1u << i;
    }
    return bits;
}

void groups_text_put_profiles(struct textbuf *out, uint32_t profiles)
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
