/* Groups of the link rules without their NUMA part, to find what that part cuts. */
#include "kernel/topology/link_notes.h"

#include <stddef.h>

enum { PLACES_MAX = 16 };

struct visit {
    struct build *build;
    enum topology_mask mask;
    uint32_t late, early;     /* the first pair that failed, or NOTES_NO_CPU */
};

/* Parts that split one LLC among their nodes: no link and no warning. */
static bool is_snc_capable(const struct build *build)
{
    enum { FAMILY_6 = 6, HASWELL_X = 0x3F, BROADWELL_X = 0x4F };
    const struct cpu_leaves *boot = build_leaves(build, build->order[0]);

    if (build->rules->link.snc == SNC_UNKNOWN || boot->vendor != VENDOR_INTEL)
        return false;
    if (boot->family != FAMILY_6)
        return build->rules->link.snc == SNC_INTEL_ANY_FAMILY;
    return boot->model != HASWELL_X && boot->model != BROADWELL_X;
}

static bool is_wrong_pair(const struct visit *v, uint32_t a, uint32_t b)
{
    const struct topology_cpu *late = &v->build->out->cpus[a], *early = &v->build->out->cpus[b];

    if (late->node == early->node)
        return false;
    return v->mask != TOPOLOGY_LLC || late->package_id != early->package_id ||
           !is_snc_capable(v->build);
}

/* The first CPU of a group that comes up on another node than one before it. One
 * CPU of each (node, package) stands for all of them. */
static void find_split(void *context, const uint32_t *cpus, uint32_t count)
{
    struct visit *v = context;
    const struct topology_cpu *out = v->build->out->cpus;
    uint32_t places[PLACES_MAX], place_count = 0;

    for (uint32_t i = 0; i < count; i++) {
        bool is_known = false;

        for (uint32_t p = 0; p < place_count; p++) {
            if (is_wrong_pair(v, cpus[i], places[p]) && v->build->has_mp[cpus[i]]) {
                if (v->late == NOTES_NO_CPU ||
                    v->build->position[cpus[i]] < v->build->position[v->late]) {
                    v->late = cpus[i];
                    v->early = places[p];
                }
                return;
            }
            is_known = is_known || (out[cpus[i]].node == out[places[p]].node &&
                                    out[cpus[i]].package_id == out[places[p]].package_id);
        }
        if (!is_known && place_count < PLACES_MAX)
            places[place_count++] = cpus[i];
    }
}

static void find_two_packages(void *context, const uint32_t *cpus, uint32_t count)
{
    struct visit *v = context;
    const struct topology_cpu *out = v->build->out->cpus;

    for (uint32_t i = 1; i < count && v->late == NOTES_NO_CPU; i++)
        if (out[cpus[i]].package_id != out[cpus[0]].package_id) {
            v->late = cpus[i];
            v->early = cpus[0];
        }
}

static void note_pair(const struct visit *v, enum note_kind kind, uint32_t leaf, uint32_t a,
                      uint32_t b)
{
    notes_add(&v->build->out->notes,
              (struct topology_note){.kind = kind, .cpu = v->late, .other_cpu = v->early,
                                     .leaf = leaf, .a = a, .b = b});
}

/* The key of a mask's rule without the node. */
static struct group_key key_of(const struct build *build, uint32_t cpu, enum topology_mask mask)
{
    const struct topology_cpu *out = &build->out->cpus[cpu];
    struct group_key key = {.is_set = true};

    switch (mask) {
    case TOPOLOGY_SMT:
        key.is_set = build->has_smt[cpu];
        key.part[0] = out->package_id;
        key.part[1] = build->rules->link.smt_needs_die ? out->die_id : 0;
        key.part[2] = out->core_id;
        key.part[3] = out->ident.has_topoext ? out->llc_id : 0;
        break;
    case TOPOLOGY_CLUSTER:
        key.is_set = out->ident.l2_id != TOPOLOGY_NO_ID;
        key.part[0] = out->ident.l2_id;
        break;
    case TOPOLOGY_LLC:
        key.is_set = out->llc_id != TOPOLOGY_NO_ID;
        key.part[0] = out->llc_id;
        break;
    default:
        key.part[0] = out->package_id;
    }
    return key;
}

static struct visit visit_mask(struct build *build, enum topology_mask mask,
                               void (*visit)(void *, const uint32_t *, uint32_t))
{
    struct visit v = {build, mask, NOTES_NO_CPU, NOTES_NO_CPU};

    for (uint32_t i = 0; i < build->online_count; i++)
        build->groups->key[build->order[i]] = key_of(build, build->order[i], mask);
    groups_visit(build->groups, visit, &v);
    return v;
}

static bool has_several_nodes(const struct build *build)
{
    for (uint32_t i = 1; i < build->online_count; i++)
        if (build->out->cpus[build->order[i]].node != build->out->cpus[build->order[0]].node)
            return true;
    return false;
}

static void note_splits(struct build *build)
{
    static const enum topology_mask checked[] = {TOPOLOGY_SMT, TOPOLOGY_CLUSTER, TOPOLOGY_LLC};
    const struct topology_cpu *out = build->out->cpus;

    for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++) {
        if (checked[i] == TOPOLOGY_CLUSTER && !build->rules->link.has_cluster_mask)
            continue;
        struct visit v = visit_mask(build, checked[i], find_split);
        if (v.late != NOTES_NO_CPU)
            note_pair(&v, NOTE_NOT_SAME_NODE, checked[i], (uint32_t)out[v.late].node,
                      (uint32_t)out[v.early].node);
    }
    struct visit v = visit_mask(build, TOPOLOGY_PACKAGE, find_split);
    if (v.late == NOTES_NO_CPU)
        return;
    note_pair(&v, NOTE_PACKAGE_SPLIT, 0, (uint32_t)out[v.late].node,
              (uint32_t)out[v.early].node);
    if (!build->rules->node.counts_per_package)
        build->out->is_numa_in_package = true;
}

/* Package ids in order of appearance, and whether a 4.x kernel has room for them. */
static void note_packages(struct build *build)
{
    const struct groups *groups = build->groups;
    uint32_t cores = build->out->cpus[build->order[0]].ident.max_cores;

    for (uint32_t i = 0; i < groups->head_count; i++) {
        uint32_t cpu = build->order[groups->heads[i]];
        uint32_t package_id = build->out->cpus[cpu].package_id;

        if (package_id != i && !build->rules->link.counts_registered)
            build_note(build, NOTE_PACKAGE_ORDER, cpu, 0, 0, package_id, i);
    }
    if (!build->rules->link.limits_packages || !cores)
        return;
    uint32_t room = (build->out->nr_cpu_ids + cores - 1) / cores;
    if (groups->head_count > room)
        build_note(build, NOTE_PACKAGE_LIMIT, build->order[groups->heads[room]], 0, 0,
                   groups->head_count, room);
}

void link_note_nodes(struct build *build)
{
    build->out->is_numa_in_package =
        build->rules->node.counts_per_package && build->out->nodes_per_package > 1;
    if (has_several_nodes(build))
        note_splits(build);
    struct visit v = visit_mask(build, TOPOLOGY_LLC, find_two_packages);
    if (v.late != NOTES_NO_CPU)
        note_pair(&v, NOTE_LLC_CROSSES_PACKAGES, 0, build->out->cpus[v.late].llc_id, 0);
    visit_mask(build, TOPOLOGY_PACKAGE, find_two_packages);
    note_packages(build);
}
