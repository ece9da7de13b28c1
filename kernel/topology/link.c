/* Which CPUs share a core, an L2, an LLC, a die, a package: each rule as the key
 * that two CPUs must have in common. A pair is linked when the later of the two
 * comes up, so a rule may depend on that one's state alone. [rules 4] */
#include <stddef.h>

#include "kernel/topology/build.h"
#include "kernel/topology/groups.h"
#include "kernel/topology/link_notes.h"

struct linker {
    struct build *build;
    struct groups *groups;
    bool compares_amd_node;  /* die rule: the boot CPU has several nodes per package */
};

/* The part of the SMT rule that is not the core: package, LLC, die, AMD node. */
static struct group_key smt_key(const struct linker *l, const struct topology_cpu *cpu,
                                bool has_topoext)
{
    const struct link_rules *rules = &l->build->rules->link;

    return (struct group_key){
        .part = {cpu->package_id, has_topoext ? cpu->llc_id : 0,
                 rules->smt_needs_die ? cpu->die_id : 0,
                 rules->smt_needs_amd_node && has_topoext ? cpu->ident.amd_node : 0,
                 cpu->core_id, (uint32_t)cpu->node},
        .is_set = true,
    };
}

/* When CPU `cpu` comes up: does the SMT rule look at it for partners? For the
 * thread mask with hasSMT; for the cluster mask when it has no L2 id. */
static bool smt_initiates(const struct linker *l, uint32_t cpu, enum topology_mask mask)
{
    const struct build *build = l->build;

    if (!build->has_mp[cpu])
        return false;
    return mask == TOPOLOGY_SMT ? build->has_smt[cpu]
                                : build->out->cpus[cpu].ident.l2_id == TOPOLOGY_NO_ID;
}

/* One pass of the SMT rule: by core id or by compute unit, for pairs whose later
 * CPU finds TOPOEXT(boot) as `has_topoext`. */
static bool link_smt_pass(struct linker *l, enum topology_mask mask, bool has_topoext,
                          bool by_compute_unit)
{
    const struct build *build = l->build;
    bool is_wanted = false;

    for (uint32_t i = 0; i < build->online_count; i++) {
        uint32_t cpu = build->order[i];
        const struct topology_cpu *out = &build->out->cpus[cpu];
        struct group_key *key = &l->groups->key[cpu];

        *key = smt_key(l, out, has_topoext);
        if (by_compute_unit) {
            key->part[4] = out->ident.cu_id;
            key->is_set = build->rules->amd.compute_unit == COMPUTE_UNIT_ZERO ||
                          out->ident.cu_id != TOPOLOGY_NO_CUID;
        }
        key->initiates = out->ident.has_topoext == has_topoext && smt_initiates(l, cpu, mask);
        is_wanted = is_wanted || (key->initiates && key->is_set);
    }
    return !is_wanted || groups_link(l->groups, LINK_BY_LATER);
}

static bool link_smt_rule(struct linker *l, enum topology_mask mask)
{
    bool has_units = l->build->rules->amd.compute_unit != COMPUTE_UNIT_UNKNOWN;

    return link_smt_pass(l, mask, true, false) && link_smt_pass(l, mask, false, false) &&
           (!has_units || link_smt_pass(l, mask, true, true));
}

/* Links by two values and, where wanted, the NUMA node. */
static bool link_pair_rule(struct linker *l, enum topology_mask mask)
{
    const struct build *build = l->build;

    for (uint32_t i = 0; i < build->online_count; i++) {
        uint32_t cpu = build->order[i];
        const struct topology_cpu *out = &build->out->cpus[cpu];
        struct group_key key = {.is_set = true, .initiates = build->has_mp[cpu]};

        switch (mask) {
        case TOPOLOGY_LLC:
            key.is_set = out->llc_id != TOPOLOGY_NO_ID;
            key.part[0] = out->llc_id;
            key.part[1] = (uint32_t)out->node;
            break;
        case TOPOLOGY_CLUSTER:
            key.is_set = out->ident.l2_id != TOPOLOGY_NO_ID;
            key.part[0] = out->ident.l2_id;
            key.part[1] = (uint32_t)out->node;
            break;
        case TOPOLOGY_DIE:
            key.part[1] = out->die_id;
            key.part[2] = l->compares_amd_node ? out->ident.amd_node : 0;
            __attribute__((fallthrough));
        default:
            key.part[0] = out->package_id;
        }
        l->groups->key[cpu] = key;
    }
    return groups_link(l->groups, LINK_BY_LATER);
}

static bool link_mask(struct linker *l, enum topology_mask mask)
{
    const struct build *build = l->build;
    bool is_done;

    groups_start(l->groups, build->order, build->online_count);
    if (mask == TOPOLOGY_SMT)
        is_done = link_smt_rule(l, mask);
    else if (mask == TOPOLOGY_CLUSTER)
        is_done = link_pair_rule(l, mask) && link_smt_rule(l, mask);
    else
        is_done = link_pair_rule(l, mask);
    if (!is_done || !groups_finish(l->groups))
        return false;
    for (uint32_t i = 0; i < build->online_count; i++)
        build->out->cpus[build->order[i]].mask[mask] = l->groups->result[build->order[i]];
    return true;
}

static bool profile_has(const struct rule_profile *rules, enum topology_mask mask)
{
    return mask == TOPOLOGY_DIE ? rules->link.has_die_mask
         : mask == TOPOLOGY_CLUSTER ? rules->link.has_cluster_mask : true;
}

bool link_build(struct build *build)
{
    struct linker l = {.build = build, .groups = build->groups};
    const struct topology_ident *boot = &build->out->cpus[build->order[0]].ident;

    l.compares_amd_node = build->rules->link.die_needs_amd_node && boot->has_topoext &&
                          boot->nodes_per_package > 1;
    for (uint32_t cpu = 0; cpu < build->out->cpu_count; cpu++)
        for (unsigned mask = 0; mask < TOPOLOGY_MASK_KINDS; mask++)
            build->out->cpus[cpu].mask[mask] = MASKS_NONE;
    for (unsigned mask = 0; mask < TOPOLOGY_MASK_KINDS; mask++)
        if (profile_has(build->rules, mask) && !link_mask(&l, mask))
            return false;
    link_note_nodes(build);
    return true;
}
