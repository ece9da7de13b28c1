/* AMD and Hygon since the rework: a compute unit is only a cluster now. [rules 3.5] */
#include "kernel/lib/bits.h"
#include "kernel/topology/identify_reworked.h"

enum { FAMILY_BULLDOZER = 0x15, FAMILY_ZEN = 0x17, ZEN1_LAST_MODEL = 0x1F };

/* Leaf 0x80000008 where no extended leaf parses. False: not there either. */
static bool sizes_scan(struct reworked *r, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);
    struct topology_ident *ident = &r->build->out->cpus[cpu].ident;

    if (!leaves->has_core_count)
        return false;
    build_needs(r->build, cpu, ROW_LEAF_80000008, 0x80000008);
    uint32_t count = bits_get(leaves->sizes.ecx, 7, 0) + 1;
    unsigned shift = bits_get(leaves->sizes.ecx, 15, 12);
    reworked_update(ident, DOMAIN_SMT, 0, 1);
    reworked_set(ident, DOMAIN_CORE, shift ? shift : bits_order(count), count);
    return true;
}

/* The LLC of family 0x17 model > 0x1F and later. */
static void llc_from_last_row(struct reworked *r, uint32_t cpu)
{
    const struct leaf_rows *rows = &build_leaves(r->build, cpu)->list[LIST_LEAF_8000001D];
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    build_needs(r->build, cpu, ROW_LEAF_8000001D, 0x8000001D);
    if (rows->is_endless)
        build_note(r->build, NOTE_LEAF_ENDLESS, cpu, 0x8000001D, 0, rows->count, 0);
    if (rows->count)
        out->llc_id = bits_shift_right(
            out->ident.eid, bits_order(leaves_cache_sharing(&rows->rows[rows->count - 1])));
}

static void amd_ids(struct reworked *r, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    if (leaves->family == FAMILY_BULLDOZER)
        out->ident.cu_id = bits_get(leaves->amd_ids.ebx, 7, 0);
    if (!leaves->l2_l3.edx)
        return;
    if (leaves->family < FAMILY_ZEN)
        out->llc_id = out->ident.amd_node;
    else if (leaves->family == FAMILY_ZEN && leaves->model <= ZEN1_LAST_MODEL)
        out->llc_id = out->ident.eid >> 3;
    else
        llc_from_last_row(r, cpu);
}

static void hygon_ids(struct reworked *r, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    if (!r->boot_has_hypervisor && leaves->model <= 3)
        reworked_set(&out->ident, DOMAIN_CORE, 6, out->ident.count[DOMAIN_CORE]);
    if (leaves->l2_l3.edx)
        out->llc_id = out->ident.eid >> 3;
}

/* Leaf 0x8000001E. */
static void topoext_scan(struct reworked *r, uint32_t cpu, bool has_extended)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);
    struct topology_ident *ident = &r->build->out->cpus[cpu].ident;

    build_needs(r->build, cpu, ROW_LEAF_8000001E, 0x8000001E);
    if (!(r->build->rules->amd.tests_boot_extended && cpu != r->build->order[0]
              ? r->boot_has_extended : has_extended)) {
        uint32_t threads = bits_get(leaves->amd_ids.ebx, 15, 8) + 1;

        ident->cid = leaves->amd_ids.eax;
        if (leaves->family >= FAMILY_ZEN)
            reworked_update(ident, DOMAIN_SMT, bits_order(threads), threads);
    }
    ident->nodes_per_package = bits_get(leaves->amd_ids.ecx, 10, 8) + 1;
    ident->amd_node = bits_get(leaves->amd_ids.ecx, 7, 0);
    if (build_vendor(r->build, cpu) == VENDOR_AMD)
        amd_ids(r, cpu);
    else
        hygon_ids(r, cpu);
}

static void node_msr_scan(struct reworked *r, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    if (!leaves->has_node_id_msr || !build_needs(r->build, cpu, ROW_MSR_NODE_ID, 0xC001100C))
        return;
    out->ident.nodes_per_package = bits_get(leaves->node_id_msr, 5, 3) + 1;
    out->ident.amd_node = out->llc_id = bits_get(leaves->node_id_msr, 2, 0);
}

void reworked_amd(struct reworked *r, uint32_t cpu)
{
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    build_note_topoext_off(r->build, cpu);
    out->ident.nodes_per_package = 1;
    bool has_extended = reworked_extended(r, cpu);
    if (has_extended || sizes_scan(r, cpu)) {
        if (r->boot_has_topoext)
            topoext_scan(r, cpu, has_extended);
        else
            node_msr_scan(r, cpu);
    }
    if (out->llc_id == TOPOLOGY_NO_ID)
        out->llc_id = bits_shift_right(out->ident.cid, out->ident.shift[DOMAIN_CORE]);
}
