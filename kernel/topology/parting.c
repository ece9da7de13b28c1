/* Profiles with equal conclusions are one group; neighbours that are not in one
 * group are compared mask by mask. */
#include "kernel/topology/parting.h"

#include "kernel/topology/rules.h"

enum { LIST_COLUMNS = 22 };

/* How a difference in a kind of mask is called; NULL where a profile lacks it. */
static const char *const mask_words[TOPOLOGY_MASK_KINDS] = {
    [TOPOLOGY_SMT] = "SMT", [TOPOLOGY_CLUSTER] = "cluster", [TOPOLOGY_LLC] = "LLC",
    [TOPOLOGY_DIE] = "die", [TOPOLOGY_PACKAGE] = "package",
};

static bool has_mask(const struct topology *topology, uint32_t kind)
{
    return kind == TOPOLOGY_CLUSTER ? topology->rules->link.has_cluster_mask
         : kind == TOPOLOGY_DIE ? topology->rules->link.has_die_mask : true;
}

static const struct cpumask *mask_of(const struct topology *topology, uint32_t cpu, uint32_t kind)
{
    return &topology->masks[topology->cpus[cpu].mask[kind]];
}

static bool is_same_mask(const struct topology *a, const struct topology *b, uint32_t cpu,
                         uint32_t kind)
{
    if (a->masks == b->masks)
        return a->cpus[cpu].mask[kind] == b->cpus[cpu].mask[kind];
    return cpumask_equal(mask_of(a, cpu, kind), mask_of(b, cpu, kind));
}

/* CPUs whose mask differs; *first is the lowest of them. */
static uint32_t count_different(const struct topology *a, const struct topology *b, uint32_t kind,
                                uint32_t *first)
{
    uint32_t count = 0;

    *first = CPUMASK_NONE;
    if (!has_mask(a, kind) || !has_mask(b, kind))
        return 0;
    CPUMASK_FOR_EACH(cpu, &a->online)
        if (cpumask_has(&b->online, cpu) && !is_same_mask(a, b, cpu, kind) && !count++)
            *first = cpu;
    return count;
}

/* One number, one CPU: the numbers come from the MADT, whose rules differ too. */
static bool has_same_numbers(const struct topology *a, const struct topology *b)
{
    if (!cpumask_equal(&a->online, &b->online))
        return false;
    CPUMASK_FOR_EACH(cpu, &a->online)
        if (a->cpus[cpu].fact != b->cpus[cpu].fact)
            return false;
    return true;
}

static bool is_same(const struct topology *a, const struct topology *b)
{
    uint32_t first;

    for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
        if (count_different(a, b, kind, &first))
            return false;
    return has_same_numbers(a, b) && (a->span == SPAN_INSANE) == (b->span == SPAN_INSANE);
}

/* Distinct masks of a kind, and how many of them have the widest size. */
struct mask_tally {
    uint32_t count, widest, widest_count;
};

static bool tally(const struct topology *topology, uint32_t kind, struct arena *arena,
                  struct mask_tally *out)
{
    struct arena before = *arena;
    bool *is_seen = ARENA_NEW(arena, bool, topology->mask_count + 1);

    *out = (struct mask_tally){0};
    if (!is_seen)
        return false;
    CPUMASK_FOR_EACH(cpu, &topology->online) {
        uint32_t index = topology->cpus[cpu].mask[kind];
        uint32_t size;

        if (is_seen[index])
            continue;
        is_seen[index] = true;
        size = cpumask_count(&topology->masks[index]);
        out->count++;
        out->widest_count = size > out->widest ? 1 : out->widest_count + (size == out->widest);
        out->widest = size > out->widest ? size : out->widest;
    }
    *arena = before;
    return true;
}

static void put_count(struct textbuf *out, const char *before, uint32_t count, const char *word)
{
    textbuf_printf(out, "%s%u %s%s", before, count, word, count == 1 ? "" : "s");
}

static void put_cores(struct textbuf *out, const struct mask_tally *cores)
{
    put_count(out, ", ", cores->count, "core");
    if (cores->widest <= 1)
        textbuf_put(out, ", no SMT");
    else if (cores->widest_count == cores->count)
        textbuf_printf(out, " of %u threads", cores->widest);
    else
        textbuf_printf(out, ", %u of them with %u threads", cores->widest_count, cores->widest);
}

bool parting_put_summary(struct textbuf *out, const struct topology *topology,
                         struct arena *arena)
{
    struct mask_tally kinds[TOPOLOGY_MASK_KINDS];

    for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
        if (has_mask(topology, kind) && !tally(topology, kind, arena, &kinds[kind]))
            return false;
    put_count(out, "", kinds[TOPOLOGY_PACKAGE].count, "package");
    if (has_mask(topology, TOPOLOGY_DIE) &&
        kinds[TOPOLOGY_DIE].count != kinds[TOPOLOGY_PACKAGE].count)
        put_count(out, ", ", kinds[TOPOLOGY_DIE].count, "die");
    put_cores(out, &kinds[TOPOLOGY_SMT]);
    if (has_mask(topology, TOPOLOGY_CLUSTER) &&
        kinds[TOPOLOGY_CLUSTER].count != kinds[TOPOLOGY_SMT].count)
        put_count(out, ", ", kinds[TOPOLOGY_CLUSTER].count, "cluster");
    put_count(out, ", ", kinds[TOPOLOGY_LLC].count, "LLC");
    if (topology->node_count > 1)
        put_count(out, ", ", topology->node_count, "node");
    if (topology->span == SPAN_INSANE)
        textbuf_put(out, ", no scheduler domains");
    return true;
}

/* "linux-4.9, linux-6.12 to linux-7.2" */
static void put_names(struct textbuf *out, uint32_t group)
{
    const char *between = "";

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t last = i;

        if (!(group >> i & 1))
            continue;
        while (last + 1 < RULE_PROFILE_COUNT && group >> (last + 1) & 1)
            last++;
        textbuf_printf(out, "%s%s", between, rules_name(&rule_profiles[i]));
        if (last > i)
            textbuf_printf(out, " %s %s", last > i + 1 ? "to" : "and",
                           rules_name(&rule_profiles[last]));
        between = ", ";
        i = last;
    }
}

/* Masks that a profile lacks differ from nothing, so a member has to agree with
 * all members, not only with one. */
static bool is_same_as_all(const struct topology *const *topologies, uint32_t group,
                           uint32_t profile)
{
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (group >> i & 1 && !is_same(topologies[profile], topologies[i]))
            return false;
    return true;
}

/* The built profiles that agree and are not in `done`. */
static uint32_t group_of(const struct topology *const *topologies, uint32_t done, uint32_t *newest)
{
    uint32_t group = 0;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (topologies[i] && !(done >> i & 1) && is_same_as_all(topologies, group, i)) {
            group |= 1u << i;
            *newest = i;
        }
    return group;
}

uint32_t parting_count(const struct topology *const *topologies)
{
    uint32_t done = 0, count = 0;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t newest = i;

        if (!topologies[i] || done >> i & 1)
            continue;
        done |= group_of(topologies, done, &newest);
        count++;
    }
    return count;
}

static bool put_groups(struct textbuf *out, const struct topology *const *topologies,
                       struct arena *arena)
{
    uint32_t done = 0;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t group, newest = i;

        if (!topologies[i] || done >> i & 1)
            continue;
        group = group_of(topologies, done, &newest);
        done |= group;
        put_names(out, group);
        textbuf_put(out, ":\n    ");
        /* The newest member knows dies and clusters. */
        if (!parting_put_summary(out, topologies[newest], arena))
            return false;
        textbuf_putc(out, '\n');
    }
    return true;
}

/* A list that is cut at a comma when it is long. */
static void put_short_list(struct textbuf *out, const struct cpumask *mask)
{
    char storage[256];
    struct textbuf list;
    size_t end = LIST_COLUMNS;

    textbuf_init(&list, storage, sizeof(storage));
    cpumask_put_list(&list, mask);
    if (list.length <= LIST_COLUMNS && !list.is_cut) {
        textbuf_put(out, storage);
        return;
    }
    while (end > 0 && storage[end] != ',')
        end--;
    textbuf_put_bytes(out, storage, end);
    textbuf_put(out, end ? ",..." : "...");
}

static void put_differences(struct textbuf *out, const struct topology *a,
                            const struct topology *b)
{
    for (uint32_t kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++) {
        uint32_t cpu, count = count_different(a, b, kind, &cpu);

        if (!count)
            continue;
        textbuf_printf(out, "    %s: CPU %u: ", mask_words[kind], cpu);
        put_short_list(out, mask_of(a, cpu, kind));
        textbuf_put(out, " -> ");
        put_short_list(out, mask_of(b, cpu, kind));
        if (count > 1)
            textbuf_printf(out, "; %u CPUs", count);
        textbuf_putc(out, '\n');
    }
    if (!has_same_numbers(a, b))
        textbuf_printf(out, "    CPUs are numbered differently (%u and %u possible)\n",
                       a->nr_cpu_ids, b->nr_cpu_ids);
    if (a->span != b->span && (a->span == SPAN_INSANE || b->span == SPAN_INSANE))
        textbuf_printf(out, "    the span check %s\n", b->span == SPAN_INSANE ? "fails" : "passes");
}

static void put_partings(struct textbuf *out, const struct topology *const *topologies)
{
    const struct topology *before = NULL;
    bool is_first = true;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        const struct topology *topology = topologies[i];

        if (!topology)
            continue;
        if (before && !is_same(before, topology)) {
            textbuf_put(out, is_first ? "\nWhere they part:\n" : "");
            is_first = false;
            textbuf_printf(out, "%s -> %s\n", rules_name(before->rules),
                           rules_name(topology->rules));
            put_differences(out, before, topology);
        }
        before = topology;
    }
    if (is_first)
        textbuf_put(out, "\nThe kernels agree.\n");
}

bool parting_put(struct textbuf *out, const struct topology *const *topologies,
                 struct arena *arena)
{
    if (!put_groups(out, topologies, arena))
        return false;
    put_partings(out, topologies);
    return true;
}
