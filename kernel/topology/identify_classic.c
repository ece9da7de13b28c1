/* Ids as the kernels before the rework of 2024 make them: every CPU runs the
 * whole procedure on itself, in bring-up order. */
#include "kernel/topology/identify_classic.h"

#include "kernel/lib/bits.h"
#include "kernel/topology/extended.h"

/* [rules 2.1] */
static void start_values(struct classic *c, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    uint32_t cid = leaves->max_basic >= 1 ? leaves->apic_id_leaf1 : 0;

    out->package_id = out->ident.cid = out->ident.eid = cid;
    out->ident.max_cores = 1;
    out->llc_id = out->cluster_id = out->ident.l2_id = TOPOLOGY_NO_ID;
    out->ident.cu_id = c->build->rules->amd.compute_unit == COMPUTE_UNIT_ZERO ? 0
                                                                              : TOPOLOGY_NO_CUID;
    out->ident.nodes_per_package = 1;
    if (cpu != 0) {
        out->core_id = c->build->out->cpus[0].core_id;
        out->die_id = c->build->out->cpus[0].die_id;
    }
}

/* CID without the bits that tell `count` CPUs apart. order(0) is -1 in the kernel,
 * and a shift by -1 is one by 31 on x86: recorded on linux-6.1. */
static uint32_t strip_bits(struct classic *c, uint32_t cpu, uint32_t count, enum note_kind kind,
                           uint32_t divisor)
{
    uint32_t cid = c->build->out->cpus[cpu].ident.cid;

    if (count)
        return cid >> bits_order(count);
    build_note(c->build, kind, cpu, 1, 0, build_leaves(c->build, cpu)->nproc, divisor);
    return cid >> 31;
}

/* "Detect HT", the last step of every vendor. [rules 2.7] */
static void legacy_step(struct classic *c, uint32_t cpu, bool has_extended)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    uint32_t cores = out->ident.max_cores;

    if (!leaves->has_htt || leaves->has_cmp_legacy || has_extended)
        return;
    c->siblings = leaves->nproc;
    if (c->build->rules->legacy_stops_at_one && c->siblings <= 1)
        return;
    out->package_id = strip_bits(c, cpu, c->siblings, NOTE_NPROC_ZERO, 0);
    if (cores == 0) { /* the kernel divides by it */
        build_note(c->build, NOTE_HT_QUOTIENT_ZERO, cpu, 1, 0, leaves->nproc, 0);
        cores = 1;
    }
    c->siblings = leaves->nproc / cores;
    out->core_id = strip_bits(c, cpu, c->siblings, NOTE_HT_QUOTIENT_ZERO, cores) &
                   bits_ones(bits_order(cores));
}

static void max_cores_from_leaf4(struct classic *c, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(c->build, cpu);

    c->build->out->cpus[cpu].ident.max_cores = 1;
    if (leaves->max_basic < 4 || !build_needs(c->build, cpu, ROW_LEAF_4, 4))
        return;
    if (leaves->list[LIST_LEAF_4].count)
        c->build->out->cpus[cpu].ident.max_cores =
            bits_get(leaves->list[LIST_LEAF_4].rows[0].eax, 31, 26) + 1;
}

/* [rules 2.3]; true: the extended leaf was usable. */
static bool intel_step(struct classic *c, uint32_t cpu)
{
    bool has_extended = extended_identify(c->build, cpu, &c->siblings);

    if (!has_extended)
        max_cores_from_leaf4(c, cpu);
    leaf4_ids(c->build, cpu, c->boot_leaf4_count);
    struct topology_cpu *out = &c->build->out->cpus[cpu];
    out->node = nodes_intel_step(&c->build->nodes, out->apic_id, out->node);
    return has_extended;
}

static void identify_cpu(struct classic *c, uint32_t cpu)
{
    bool has_extended = false;

    start_values(c, cpu);
    switch (build_vendor(c->build, cpu)) {
    case VENDOR_INTEL:
        has_extended = intel_step(c, cpu);
        break;
    case VENDOR_AMD:
        classic_amd(c, cpu);
        break;
    case VENDOR_HYGON:
        classic_hygon(c, cpu);
        break;
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        leaf4_ids(c->build, cpu, c->boot_leaf4_count);
        max_cores_from_leaf4(c, cpu);
        break;
    case VENDOR_OTHER:
        break;
    }
    legacy_step(c, cpu, has_extended);
}

/* check 1: the MADT's id against the one in use, not on the boot CPU. */
static void compare_firmware_id(struct build *build, uint32_t cpu)
{
    const struct topology_cpu *out = &build->out->cpus[cpu];

    if (cpu != 0 && out->apic_id != out->ident.eid)
        build_note(build, NOTE_FWID_MISMATCH, cpu, 1, 0, out->apic_id, out->ident.eid);
}

bool identify_classic(struct build *build)
{
    const struct cpu_leaves *boot = build_leaves(build, build->order[0]);
    struct classic c = {
        .build = build, .siblings = 1, .nodes_per_socket = 1,
        .boot_leaf4_count = boot->list[LIST_LEAF_4].count,
        .boot_has_topoext = boot->has_topoext, .boot_has_hypervisor = boot->has_hypervisor,
    };

    classic_amd_boot(&c);
    for (uint32_t i = 0; i < build->online_count; i++) {
        uint32_t cpu = build->order[i];
        struct topology_ident *ident = &build->out->cpus[cpu].ident;

        identify_cpu(&c, cpu);
        c.boot_has_topoext = c.boot_has_topoext && build_leaves(build, cpu)->has_topoext;
        ident->has_topoext = c.boot_has_topoext;
        ident->siblings = c.siblings;
        build->has_smt[cpu] = c.siblings > 1;
        build->has_mp[cpu] = c.siblings > 1 ||
                             build->out->cpus[build->order[0]].ident.max_cores > 1;
        compare_firmware_id(build, cpu);
    }
    build->out->threads_per_core = c.siblings;
    return true;
}
