/* AMD and Hygon before the rework. The compute unit of family 0x15 lives here:
 * what three kernels of early 2017 make of it is compute_unit, siblings and
 * has_core_id of struct amd_rules. */
#include "kernel/lib/bits.h"
#include "kernel/topology/extended.h"
#include "kernel/topology/identify_classic.h"

enum { FAMILY_BULLDOZER = 0x15, FAMILY_ZEN = 0x17, ZEN1_LAST_MODEL = 0x1F };

static uint32_t node_count_of_msr(uint32_t msr)
{
    return bits_get(msr, 5, 3) + 1;
}

void classic_amd_boot(struct classic *c)
{
    uint32_t cpu = c->build->order[0];
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    enum cpu_vendor vendor = build_vendor(c->build, cpu);

    if (vendor != VENDOR_AMD && vendor != VENDOR_HYGON)
        return;
    if (leaves->has_topoext)
        c->nodes_per_socket = bits_get(leaves->amd_ids.ecx, 10, 8) + 1;
    else if (leaves->has_node_id_msr &&
             build_needs(c->build, cpu, ROW_MSR_NODE_ID, 0xC001100C))
        c->nodes_per_socket = node_count_of_msr(leaves->node_id_msr);
}

/* A1. The width of the core id within the APIC id. */
static unsigned core_bits(struct classic *c, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_ident *ident = &c->build->out->cpus[cpu].ident;

    if (!leaves->has_core_count)
        return 0;
    build_needs(c->build, cpu, ROW_LEAF_80000008, 0x80000008);
    ident->max_cores = bits_get(leaves->sizes.ecx, 7, 0) + 1;
    unsigned bits = bits_get(leaves->sizes.ecx, 15, 12);
    return bits ? bits : bits_order(ident->max_cores);
}

/* A3. */
static void early_siblings(struct classic *c, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);

    if (c->build->rules->amd.siblings == SIBLINGS_EARLY && leaves->has_topoext)
        c->siblings = bits_get(leaves->amd_ids.ebx, 15, 8) + 1;
}

/* A4 and A5. */
static void ids_by_width(struct classic *c, uint32_t cpu, unsigned width)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];

    out->ident.eid = leaves->hwid;
    if (c->build->rules->amd.needs_leaf_80000008 && !leaves->has_core_count)
        return;
    out->core_id = out->ident.cid & bits_ones(width);
    out->package_id = bits_shift_right(out->ident.cid, width);
    out->llc_id = out->package_id;
    if (c->build->rules->amd.node_is_die)
        out->die_id = out->package_id;
}

/* LLC of family 0x17 model > 0x1F and later: the last row of leaf 0x8000001D. */
static void llc_from_last_row(struct classic *c, uint32_t cpu)
{
    const struct leaf_rows *rows = &build_leaves(c->build, cpu)->list[LIST_LEAF_8000001D];
    struct topology_cpu *out = &c->build->out->cpus[cpu];

    build_needs(c->build, cpu, ROW_LEAF_8000001D, 0x8000001D);
    if (rows->is_endless)
        build_note(c->build, NOTE_LEAF_ENDLESS, cpu, 0x8000001D, 0, rows->count, 0);
    if (rows->count)
        out->llc_id = bits_shift_right(
            out->ident.eid, bits_order(leaves_cache_sharing(&rows->rows[rows->count - 1])));
}

static void llc_with_l3(struct classic *c, uint32_t cpu, uint32_t node)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];

    if (!leaves->l2_l3.edx)
        return;
    bool is_zen1 = leaves->family == FAMILY_ZEN && leaves->model <= ZEN1_LAST_MODEL;
    if (!c->build->rules->amd.has_l3_arithmetic)
        out->llc_id = leaves->family == FAMILY_ZEN ? out->ident.eid >> 3 : node;
    else if (leaves->family < FAMILY_ZEN)
        out->llc_id = node;
    else if (is_zen1)
        out->llc_id = out->ident.eid >> 3;
    else
        llc_from_last_row(c, cpu);
}

static void core_from_leaf(struct classic *c, uint32_t cpu)
{
    struct topology_cpu *out = &c->build->out->cpus[cpu];

    out->core_id = bits_get(build_leaves(c->build, cpu)->amd_ids.ebx, 7, 0);
    if (c->siblings > 1)
        out->ident.max_cores /= c->siblings;
}

/* A6 with TOPOEXT; the node id. */
static uint32_t ids_by_topoext(struct classic *c, uint32_t cpu)
{
    const struct amd_rules *rules = &c->build->rules->amd;
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    uint32_t node = leaves->amd_ids.ecx & rules->node_mask;

    build_needs(c->build, cpu, ROW_LEAF_8000001E, 0x8000001E);
    if (rules->siblings == SIBLINGS_WITH_NODE)
        c->siblings = bits_get(leaves->amd_ids.ebx, 15, 8) + 1;
    if (rules->node_is_die)
        out->die_id = node;
    if (leaves->family == FAMILY_BULLDOZER && rules->compute_unit != COMPUTE_UNIT_UNKNOWN)
        out->ident.cu_id = bits_get(leaves->amd_ids.ebx, 7, 0);
    if (leaves->family >= FAMILY_ZEN && rules->has_core_id)
        core_from_leaf(c, cpu);
    if (rules->asks_extended_leaf)
        extended_identify(c->build, cpu, &c->siblings);
    return rules->node_is_die ? out->die_id : node;
}

/* A6 without TOPOEXT, by the node id MSR. False: no node id. */
static bool node_by_msr(struct classic *c, uint32_t cpu, uint32_t *node)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];

    if (!leaves->has_node_id_msr || !build_needs(c->build, cpu, ROW_MSR_NODE_ID, 0xC001100C))
        return false;
    *node = bits_get(leaves->node_id_msr, 2, 0);
    out->llc_id = *node;
    if (c->build->rules->amd.node_is_die)
        out->die_id = *node;
    return true;
}

/* A7: the core id counts within a node. */
static void reduce_core_id(struct classic *c, uint32_t cpu)
{
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    uint32_t per_node = out->ident.max_cores / c->nodes_per_socket;

    if (c->nodes_per_socket <= 1 ||
        build_leaves(c->build, cpu)->family >= c->build->rules->amd.reduces_below_family)
        return;
    if (per_node == 0)
        build_note(c->build, NOTE_NODE_QUOTIENT_ZERO, cpu, 0x80000008, 0, out->ident.max_cores,
                   c->nodes_per_socket);
    else
        out->core_id %= per_node;
}

/* A8. */
static void node_step(struct classic *c, uint32_t cpu)
{
    struct topology_cpu *out = &c->build->out->cpus[cpu];

    out->node = nodes_amd_step(&c->build->nodes, out->apic_id, out->ident.cid, out->ident.eid,
                               out->llc_id, cpu, &c->build->out->notes);
}

void classic_amd(struct classic *c, uint32_t cpu)
{
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    uint32_t node = 0;

    unsigned width = core_bits(c, cpu);
    build_note_topoext_off(c->build, cpu);
    early_siblings(c, cpu);
    ids_by_width(c, cpu, width);
    if (c->build->rules->amd.needs_leaf_80000008 && !build_leaves(c->build, cpu)->has_core_count)
        return;
    bool has_node = c->boot_has_topoext;
    if (has_node) {
        node = ids_by_topoext(c, cpu);
        llc_with_l3(c, cpu, node);
    } else {
        has_node = node_by_msr(c, cpu, &node);
    }
    if (has_node)
        reduce_core_id(c, cpu);
    out->ident.amd_node = node;
    out->ident.nodes_per_package = c->nodes_per_socket;
    node_step(c, cpu);
}

void classic_hygon(struct classic *c, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    uint32_t node = 0;

    unsigned width = core_bits(c, cpu);
    early_siblings(c, cpu);
    ids_by_width(c, cpu, width);
    if (c->boot_has_topoext) {
        node = leaves->amd_ids.ecx & c->build->rules->amd.node_mask;
        out->die_id = node;
        core_from_leaf(c, cpu);
        extended_identify(c->build, cpu, &c->siblings);
        if (!c->boot_has_hypervisor && leaves->model <= 3)
            out->package_id = out->ident.eid >> 6;
        if (leaves->l2_l3.edx)
            out->llc_id = out->ident.eid >> 3;
    } else {
        node_by_msr(c, cpu, &node);
    }
    out->ident.amd_node = node;
    out->ident.nodes_per_package = c->nodes_per_socket;
    node_step(c, cpu);
}
