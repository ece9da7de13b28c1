/* The steps from facts to a topology, in order. */
#include "kernel/topology/topology.h"

#include "kernel/lib/bits.h"
#include "kernel/topology/build.h"
#include "kernel/topology/domains.h"

bool build_needs(struct build *build, uint32_t cpu, enum leaf_row row, uint32_t leaf)
{
    if (!(build_leaves(build, cpu)->absent >> row & 1))
        return true;
    build_note(build, NOTE_ROW_ABSENT, cpu, leaf, 0, 0, 0);
    return false;
}

void build_note(struct build *build, enum note_kind kind, uint32_t cpu, uint32_t leaf,
                uint32_t subleaf, uint32_t a, uint32_t b)
{
    notes_add(&build->out->notes,
              (struct topology_note){.kind = kind, .cpu = cpu, .other_cpu = NOTES_NO_CPU,
                                     .leaf = leaf, .subleaf = subleaf, .a = a, .b = b});
}

/* Hypervisors that leave the bit out ignore the write to the MSR as well. */
void build_note_topoext_off(struct build *build, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(build, cpu);

    if (build_vendor(build, cpu) == VENDOR_AMD && leaves->family == 0x15 &&
        leaves->model >= 0x10 && leaves->model <= 0x6F && !leaves->has_topoext &&
        !leaves->has_hypervisor)
        build_note(build, NOTE_TOPOEXT_OFF, cpu, 0x80000001, 0, leaves->family, leaves->model);
}

unsigned build_order(struct build *build, uint32_t cpu, uint32_t n, enum note_kind kind)
{
    if (n == 0)
        build_note(build, kind, cpu, 1, 0, n, 0);
    return bits_order(n);
}

/* Numbers and nodes: all that is decided before a CPU looks at itself. */
static bool start(struct build *build)
{
    struct topology *out = build->out;

    if (!notes_init(&out->notes, NOTES_CAPACITY, build->arena) ||
        !numbering_build(build->leaves, build->rules, build->arena, &out->notes,
                         &build->numbering) ||
        !nodes_build(build->leaves, build->rules, build->arena, &out->notes, &build->nodes))
        return false;
    out->rules = build->rules;
    out->nr_cpu_ids = out->cpu_count = build->numbering.nr_cpu_ids;
    out->has_madt = build->numbering.has_madt;
    out->threads_per_core = 1;
    out->span = SPAN_NOT_CHECKED;
    return true;
}

static bool place_cpus(struct build *build)
{
    struct topology *out = build->out;
    const struct machine_facts *facts = build->leaves->facts;
    int32_t *node = ARENA_NEW(build->arena, int32_t, out->nr_cpu_ids);

    out->cpus = ARENA_NEW(build->arena, struct topology_cpu, out->nr_cpu_ids);
    build->order = ARENA_NEW(build->arena, uint32_t, out->nr_cpu_ids);
    build->position = ARENA_NEW(build->arena, uint32_t, out->nr_cpu_ids);
    build->has_smt = ARENA_NEW(build->arena, bool, out->nr_cpu_ids);
    build->has_mp = ARENA_NEW(build->arena, bool, out->nr_cpu_ids);
    if (!node || !out->cpus || !build->order || !build->position || !build->has_smt ||
        !build->has_mp || !cpumask_init(&out->online, out->nr_cpu_ids, build->arena))
        return false;
    nodes_default(&build->nodes, &build->numbering, node);
    for (uint32_t cpu = 0; cpu < out->nr_cpu_ids; cpu++) {
        struct topology_cpu *one = &out->cpus[cpu];

        one->fact = build->numbering.fact[cpu];
        one->apic_id = build->numbering.apic_id[cpu];
        one->node = node[cpu];
        one->is_online = one->fact != FACTS_NO_CPU && build->numbering.is_present[cpu] &&
                         facts->cpus[one->fact].state == CPU_ONLINE;
        if (!one->is_online)
            continue;
        one->ident.hwid = build->leaves->cpus[one->fact].hwid;
        one->ident.is_hwid_read = build->leaves->cpus[one->fact].is_hwid_read;
        build->order[build->online_count++] = cpu;
        cpumask_set(&out->online, cpu);
    }
    return true;
}

/* 2^floor(log2 n) - 1, the low bits that are zero in a primary thread's id. */
static uint32_t primary_bits(const struct build *build, const struct topology_cpu *cpu)
{
    uint32_t threads = build->rules->link.counts_registered ? build->out->threads_per_core
                                                            : cpu->ident.siblings;

    if (threads <= 1)
        return 0;
    return build->rules->link.counts_registered ? threads - 1
                                                : bits_ones(31 - (unsigned)__builtin_clz(threads));
}

/* From linux-6.5 on first threads come up before their siblings. */
static void order_cpus(struct build *build)
{
    uint32_t *order = build->order, placed = 0, *position = build->position;
    struct topology *out = build->out;

    for (uint32_t i = 0; i < build->online_count; i++)
        out->cpus[order[i]].is_primary =
            !(out->cpus[order[i]].apic_id & primary_bits(build, &out->cpus[order[i]]));
    /* The boot CPU is first in any case; position[] doubles as the new order. */
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < build->online_count; i++) {
            bool is_early = i == 0 || !build->rules->link.primaries_first ||
                            out->cpus[order[i]].is_primary;

            if (is_early == (pass == 0))
                position[placed++] = order[i];
        }
    for (uint32_t i = 0; i < build->online_count; i++)
        order[i] = position[i];
    for (uint32_t i = 0; i < build->online_count; i++)
        position[order[i]] = i;
}

static bool conclude(struct build *build)
{
    struct topology *out = build->out;

    if (build->online_count) {
        if (!build->rules->identify(build))
            return false;
        order_cpus(build);
        if (!link_build(build) || !counters_build(build) || !caches_build(build))
            return false;
    }
    if (!nodes_publish(&build->nodes, build->leaves->facts, build->arena, out))
        return false;
    out->mask_table = build->masks;
    out->masks = build->masks->masks;
    out->mask_count = build->masks->count;
    return domains_build(build->leaves->facts, &build->rules->domains, out, build->arena);
}

bool topology_build_all(const struct machine_facts *facts, uint32_t profiles,
                        struct arena *arena, struct topology *out)
{
    struct build builds[RULE_PROFILE_COUNT] = {0};
    struct mask_table *masks = ARENA_NEW(arena, struct mask_table, 1);
    struct groups groups;
    struct leaves leaves;
    uint32_t most = 0;

    if (!masks || !leaves_decode(facts, arena, &leaves))
        return false;
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (!(profiles >> i & 1))
            continue;
        out[i] = (struct topology){0};
        builds[i] = (struct build){.leaves = &leaves, .rules = &rule_profiles[i], .arena = arena,
                                   .out = &out[i], .masks = masks,
                                   .groups = &groups};
        if (!start(&builds[i]) || !place_cpus(&builds[i]))
            return false;
        most = out[i].nr_cpu_ids > most ? out[i].nr_cpu_ids : most;
    }
    if (!masks_init(masks, most, arena) || !groups_init(&groups, most, masks, arena))
        return false;
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        if (profiles >> i & 1 && !conclude(&builds[i]))
            return false;
    /* The table may have moved while it grew. */
    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        if (profiles >> i & 1) {
            out[i].masks = masks->masks;
            out[i].mask_count = masks->count;
        }
    return true;
}

bool topology_build(const struct machine_facts *facts, const struct rule_profile *rules,
                    struct arena *arena, struct topology *out)
{
    struct topology all[RULE_PROFILE_COUNT];
    uint32_t index = (uint32_t)(rules - rule_profiles);

    if (!topology_build_all(facts, rules_bit(rules), arena, all))
        return false;
    *out = all[index];
    return true;
}
