/* Ids as the kernels since the rework of 2024 make them: one table of shifts,
 * the boot CPU's, applied to every CPU's own APIC id. */
#include "kernel/topology/identify_reworked.h"

#include <string.h>

#include "kernel/lib/bits.h"

enum { FAMILY_ZEN = 0x17 };

void reworked_update(struct topology_ident *ident, enum domain domain, unsigned shift,
                     uint32_t count)
{
    ident->shift[domain] = (uint8_t)shift;
    ident->count[domain] = count;
}

void reworked_set(struct topology_ident *ident, enum domain domain, unsigned shift, uint32_t count)
{
    for (unsigned d = domain; d < TOPOLOGY_DOMAINS; d++)
        reworked_update(ident, d, shift, count);
}

/* Leaves 1 and 4, where there is no better one. [rules 3.4] */
static void legacy_scan(struct build *build, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(build, cpu);
    struct topology_ident *ident = &build->out->cpus[cpu].ident;
    const struct leaf_rows *rows = &leaves->list[LIST_LEAF_4];
    uint32_t cores = 1;
    unsigned threads_shift = 0;

    if (leaves->max_basic >= 4 && build_needs(build, cpu, ROW_LEAF_4, 4) && rows->count)
        cores = bits_get(rows->rows[0].eax, 31, 26) + 1;
    unsigned cores_shift = bits_order(cores);
    if (leaves->has_htt) {
        unsigned package_shift = build_order(build, cpu, leaves->nproc, NOTE_NPROC_ZERO);

        if (package_shift >= cores_shift)
            threads_shift = package_shift - cores_shift;
        else if (leaves->nproc)
            build_note(build, NOTE_LEGACY_SHIFT, cpu, 1, 0, package_shift, cores_shift);
    }
    reworked_set(ident, DOMAIN_SMT, threads_shift, 1u << threads_shift);
    reworked_set(ident, DOMAIN_CORE, cores_shift + threads_shift, cores << threads_shift);
}

/* [rules 3.2] */
static void scan_cpu(struct reworked *r, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    out->ident.cu_id = TOPOLOGY_NO_CUID;
    out->llc_id = out->cluster_id = out->ident.l2_id = TOPOLOGY_NO_ID;
    reworked_set(&out->ident, DOMAIN_SMT, 0, 1);
    out->ident.eid = leaves->hwid;
    if (leaves->max_basic < 1)
        return;
    out->ident.cid = leaves->apic_id_leaf1;
    switch (build_vendor(r->build, cpu)) {
    case VENDOR_INTEL:
        if (!reworked_extended(r, cpu))
            legacy_scan(r->build, cpu);
        break;
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        legacy_scan(r->build, cpu);
        break;
    case VENDOR_AMD:
    case VENDOR_HYGON:
        reworked_amd(r, cpu);
        break;
    case VENDOR_OTHER:
        break;
    }
}

/* [rules 3.6] */
static void give_ids(struct reworked *r, uint32_t cpu)
{
    struct topology_cpu *out = &r->build->out->cpus[cpu];
    const uint8_t *shift = r->boot_shift;
    uint32_t eid = out->ident.eid;

    out->package_id = bits_shift_right(eid, shift[DOMAIN_DIEGRP]);
    out->die_id = bits_shift_right(eid, shift[DOMAIN_TILE]);
    out->core_id = bits_shift_right(eid & bits_ones(shift[DOMAIN_PKG]), shift[DOMAIN_SMT]);
    if (build_vendor(r->build, cpu) != VENDOR_AMD || out->ident.nodes_per_package <= 1 ||
        build_leaves(r->build, cpu)->family >= FAMILY_ZEN)
        return;
    uint32_t cores = out->ident.count[DOMAIN_CORE], per_node;
    per_node = cores / out->ident.nodes_per_package;
    if (per_node)
        out->core_id %= per_node;
    else
        build_note(r->build, NOTE_NODE_QUOTIENT_ZERO, cpu, 0x80000008, 0, cores,
                   out->ident.nodes_per_package);
}

static void cache_and_node_step(struct reworked *r, uint32_t cpu)
{
    struct topology_cpu *out = &r->build->out->cpus[cpu];

    switch (build_vendor(r->build, cpu)) {
    case VENDOR_INTEL:
        leaf4_ids(r->build, cpu, build_leaves(r->build, cpu)->list[LIST_LEAF_4].count);
        out->node = nodes_intel_step(&r->build->nodes, out->apic_id, out->node);
        break;
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        leaf4_ids(r->build, cpu, build_leaves(r->build, cpu)->list[LIST_LEAF_4].count);
        break;
    case VENDOR_AMD:
    case VENDOR_HYGON:
        out->node = nodes_amd_step(&r->build->nodes, out->apic_id, out->ident.cid,
                                   out->ident.eid, out->llc_id, cpu, &r->build->out->notes);
        break;
    case VENDOR_OTHER:
        break;
    }
}

/* checks 2, 3 and 4. */
static void compare_ids(struct reworked *r, uint32_t cpu)
{
    const struct topology_cpu *out = &r->build->out->cpus[cpu];
    const struct topology_ident *ident = &out->ident;

    if (ident->cid != ident->eid)
        build_note(r->build, NOTE_CID_MISMATCH, cpu, ident->leaf_used ? ident->leaf_used : 1, 0,
                   ident->cid, ident->eid);
    if (out->apic_id != ident->eid)
        build_note(r->build, NOTE_FWID_MISMATCH, cpu, 0, 0, out->apic_id, ident->eid);
    for (unsigned d = 0; d < TOPOLOGY_DOMAINS; d++)
        if (ident->shift[d] != r->boot_shift[d])
            build_note(r->build, NOTE_SHIFT_MISMATCH, cpu, ident->leaf_used, d, ident->shift[d],
                       r->boot_shift[d]);
}

/* Registered ids that differ above the low `shift` bits, counted; *in_first: those
 * within the package of the smallest id. The ids are ascending. */
static uint32_t count_groups(const struct numbering *numbering, unsigned shift,
                             unsigned package_shift, uint32_t *in_first)
{
    uint32_t count = 0;

    *in_first = 0;
    for (uint32_t i = 0; i < numbering->registered_count; i++) {
        uint32_t id = numbering->registered[i], first = numbering->registered[0];

        if (i && bits_shift_right(id, shift) ==
                     bits_shift_right(numbering->registered[i - 1], shift))
            continue;
        count++;
        *in_first += bits_shift_right(id, package_shift) ==
                     bits_shift_right(first, package_shift);
    }
    return count;
}

/* [rules 3.8]: threads per core and cores per package from all registered ids. */
static void count_system(struct reworked *r)
{
    struct build *build = r->build;
    unsigned package_shift = r->boot_shift[DOMAIN_DIEGRP];
    uint32_t in_first, threads = count_groups(&build->numbering, 0, package_shift, &in_first);
    uint32_t packages = count_groups(&build->numbering, package_shift, package_shift, &in_first);
    uint32_t cores = count_groups(&build->numbering, r->boot_shift[DOMAIN_SMT], package_shift,
                                  &in_first);

    build->cores_per_package = in_first;
    build->out->threads_per_core = cores ? (threads + cores - 1) / cores : 1;
    if (build->rules->node.counts_per_package && packages)
        build->out->nodes_per_package =
            (build->nodes.cpu_node_count + packages - 1) / packages;
}

bool identify_reworked(struct build *build)
{
    const struct cpu_leaves *boot = build_leaves(build, build->order[0]);
    struct reworked r = {.build = build, .boot_has_topoext = boot->has_topoext,
                         .boot_has_hypervisor = boot->has_hypervisor};

    for (uint32_t i = 0; i < build->online_count; i++) {
        uint32_t cpu = build->order[i];
        struct topology_ident *ident = &build->out->cpus[cpu].ident;

        scan_cpu(&r, cpu);
        if (i == 0) {
            memcpy(r.boot_shift, ident->shift, sizeof r.boot_shift);
            r.boot_has_extended = ident->leaf_used != 0;
            count_system(&r);
        }
        give_ids(&r, cpu);
        cache_and_node_step(&r, cpu);
        compare_ids(&r, cpu);
        r.boot_has_topoext = r.boot_has_topoext && build_leaves(build, cpu)->has_topoext;
        ident->has_topoext = r.boot_has_topoext;
        build->has_smt[cpu] = build->out->threads_per_core > 1;
        build->has_mp[cpu] = build->has_smt[cpu] || build->cores_per_package > 1;
    }
    return true;
}
