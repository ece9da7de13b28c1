/* From a table of nodes by APIC id to the node of each CPU, and SLIT distances. */
#include "kernel/topology/nodes.h"

#include <stdlib.h>

#include "kernel/topology/nodes_srat.h"

enum { SLIT_HEADER_BYTES = 44, LOCAL_DISTANCE = 10, REMOTE_DISTANCE = 20 };

static int compare_apics(const void *a, const void *b)
{
    const struct node_of_apic *left = a, *right = b;

    if (left->apic_id != right->apic_id)
        return left->apic_id < right->apic_id ? -1 : 1;
    return (left->offset > right->offset) - (left->offset < right->offset);
}

static void note_plain(struct topology_notes *notes, enum note_kind kind, uint32_t cpu, uint32_t a)
{
    notes_add(notes, (struct topology_note){.kind = kind, .cpu = cpu, .other_cpu = NOTES_NO_CPU,
                                            .a = a});
}

/* One node for everything. Old AMD parts could say more over PCI. */
static void take_dummy(struct nodes *out, const struct leaves *leaves,
                       struct topology_notes *notes)
{
    enum { FAMILY_K8 = 0x0F, FAMILY_K11 = 0x11 };

    note_plain(notes, NOTE_NO_NUMA, NOTES_NO_CPU, 0);
    if (leaves->facts->cpu_count && leaves->cpus[0].vendor == VENDOR_AMD &&
        leaves->cpus[0].family >= FAMILY_K8 && leaves->cpus[0].family <= FAMILY_K11)
        note_plain(notes, NOTE_NORTHBRIDGE_NOT_READ, NOTES_NO_CPU, leaves->cpus[0].family);
    out->has_srat = false;
    out->apic_count = 0;
    out->count = 1;
    out->cpu_node_count = 1;
    out->domain[0] = 0;
    out->bytes[0] = 0;
    out->is_online[0] = true;
}

/* Nodes that the source states take the place of the table. */
static bool take_stated(const struct machine_facts *facts, struct arena *arena, struct nodes *out)
{
    out->apics = ARENA_NEW(arena, struct node_of_apic, facts->cpu_count);
    if (!out->apics)
        return false;
    out->has_srat = true;
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        int32_t node = facts->stated_nodes[i];

        if (node < 0 || node >= NODES_MAX)
            continue;
        out->apics[out->apic_count++] = (struct node_of_apic){facts->cpus[i].madt_apic_id, node, 0};
        out->is_online[node] = true;
        out->domain[node] = (uint32_t)node;
        if ((uint32_t)node >= out->count)
            out->count = (uint32_t)node + 1;
    }
    nodes_sort(out);
    for (uint32_t i = 0; i < out->count; i++)
        out->cpu_node_count += out->is_online[i];
    return true;
}

void nodes_sort(struct nodes *out)
{
    uint32_t kept = 0;

    qsort(out->apics, out->apic_count, sizeof *out->apics, compare_apics);
    for (uint32_t i = 0; i < out->apic_count; i++) {
        if (kept && out->apics[kept - 1].apic_id == out->apics[i].apic_id)
            kept--;
        out->apics[kept++] = out->apics[i];
    }
    out->apic_count = kept;
}

bool nodes_build(const struct leaves *leaves, const struct rule_profile *rules,
                 struct arena *arena, struct topology_notes *notes, struct nodes *out)
{
    const struct acpi_table *srat = facts_table(leaves->facts, "SRAT");
    bool is_accepted = false;

    *out = (struct nodes){0};
    out->domain = ARENA_NEW(arena, uint32_t, NODES_MAX);
    out->bytes = ARENA_NEW(arena, uint64_t, NODES_MAX);
    out->is_online = ARENA_NEW(arena, bool, NODES_MAX);
    if (!out->domain || !out->bytes || !out->is_online)
        return false;
    if (leaves->facts->stated_nodes)
        return take_stated(leaves->facts, arena, out);
    if (srat && !nodes_srat_read(srat, leaves, &rules->node, arena, notes, out, &is_accepted))
        return false;
    out->has_srat = is_accepted;
    if (!is_accepted) {
        for (uint32_t i = 0; i < out->count; i++)
            out->is_online[i] = false;
        take_dummy(out, leaves, notes);
    }
    return true;
}

/* The first table entry with an id not below `apic_id`. */
static uint32_t first_not_below(const struct nodes *nodes, uint32_t apic_id)
{
    uint32_t low = 0, high = nodes->apic_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (nodes->apics[middle].apic_id < apic_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int32_t nodes_of_apic(const struct nodes *nodes, uint32_t apic_id)
{
    uint32_t at = first_not_below(nodes, apic_id);

    return at < nodes->apic_count && nodes->apics[at].apic_id == apic_id ? nodes->apics[at].node
                                                                         : NODES_NONE;
}

bool nodes_is_online(const struct nodes *nodes, int64_t node)
{
    return node >= 0 && node < nodes->count && nodes->is_online[node];
}

void nodes_default(struct nodes *nodes, const struct numbering *numbering, int32_t *node)
{
    int32_t online[NODES_MAX];
    uint32_t online_count = 0;

    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->is_online[i])
            online[online_count++] = (int32_t)i;
    for (uint32_t cpu = 0; cpu < numbering->nr_cpu_ids; cpu++) {
        int32_t stated = nodes_of_apic(nodes, numbering->apic_id[cpu]);

        node[cpu] = online_count ? online[cpu % online_count] : 0;
        if (stated != NODES_NONE)
            node[cpu] = stated;
    }
    for (uint32_t cpu = 0; cpu < numbering->nr_cpu_ids; cpu++)
        if (nodes_of_apic(nodes, numbering->apic_id[cpu]) != NODES_NONE)
            nodes->is_online[node[cpu]] = true;
}

/* The node of the nearest id below, else above, that has an online one. */
static int32_t nearby_node(const struct nodes *nodes, uint32_t eid)
{
    uint32_t at = first_not_below(nodes, eid);

    for (uint32_t i = at; i-- > 0;)
        if (nodes_is_online(nodes, nodes->apics[i].node))
            return nodes->apics[i].node;
    for (uint32_t i = at; i < nodes->apic_count; i++)
        if (nodes->apics[i].apic_id != eid && nodes_is_online(nodes, nodes->apics[i].node))
            return nodes->apics[i].node;
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->is_online[i])
            return (int32_t)i;
    return 0;
}

int32_t nodes_amd_step(const struct nodes *nodes, uint32_t fwid, uint32_t cid, uint32_t eid,
                       uint32_t llc_id, uint32_t cpu, struct topology_notes *notes)
{
    int32_t stated = nodes_of_apic(nodes, fwid);
    int64_t node = stated != NODES_NONE ? stated : (int64_t)llc_id;

    if (node >= NODES_MAX)
        note_plain(notes, NOTE_NODE_OUT_OF_RANGE, cpu, llc_id);
    if (!nodes_is_online(nodes, node) && nodes_of_apic(nodes, cid) != NODES_NONE)
        node = nodes_of_apic(nodes, cid);
    if (!nodes_is_online(nodes, node))
        node = nearby_node(nodes, eid);
    return (int32_t)node;
}

int32_t nodes_intel_step(const struct nodes *nodes, uint32_t fwid, int32_t current)
{
    int32_t stated = nodes_of_apic(nodes, fwid);

    return nodes_is_online(nodes, stated) ? stated : current;
}

/* Where the SLIT says how far two domains are; NULL: none that fits, or invalid. */
static const uint8_t *slit_matrix(const struct machine_facts *facts, struct topology_notes *notes,
                                  uint64_t *localities)
{
    const struct acpi_table *slit = facts_table(facts, "SLIT");

    if (!slit || slit->length_bytes < SLIT_HEADER_BYTES)
        return NULL;
    *localities = 0;
    for (unsigned i = 0; i < 8; i++)
        *localities |= (uint64_t)slit->bytes[SLIT_HEADER_BYTES - 8 + i] << 8 * i;
    uint32_t room = slit->length_bytes - SLIT_HEADER_BYTES;
    if (*localities > room || *localities * *localities > room)
        return NULL;
    const uint8_t *matrix = slit->bytes + SLIT_HEADER_BYTES;
    for (uint64_t i = 0; i < *localities * *localities; i++) {
        bool is_diagonal = i / *localities == i % *localities;

        if (is_diagonal ? matrix[i] != LOCAL_DISTANCE : matrix[i] <= LOCAL_DISTANCE) {
            notes_add(notes, (struct topology_note){
                .kind = NOTE_SLIT_INVALID, .cpu = NOTES_NO_CPU, .other_cpu = NOTES_NO_CPU,
                .offset = SLIT_HEADER_BYTES + (uint32_t)i, .a = matrix[i]});
            return NULL;
        }
    }
    return matrix;
}

static void fill_distances(const struct nodes *nodes, const struct machine_facts *facts,
                           struct topology *topology)
{
    uint64_t localities;
    const uint8_t *matrix = nodes->has_srat ? slit_matrix(facts, &topology->notes, &localities)
                                            : NULL;

    for (uint32_t i = 0; i < topology->node_count; i++)
        for (uint32_t j = 0; j < topology->node_count; j++) {
            uint32_t from = nodes->domain[topology->nodes[i].node];
            uint32_t to = nodes->domain[topology->nodes[j].node];
            uint32_t *distance = &topology->distances[i * topology->node_count + j];

            *distance = i == j ? LOCAL_DISTANCE : REMOTE_DISTANCE;
            if (matrix && from < localities && to < localities)
                *distance = matrix[from * localities + to];
        }
}

bool nodes_publish(const struct nodes *nodes, const struct machine_facts *facts,
                   struct arena *arena, struct topology *topology)
{
    uint32_t place[NODES_MAX], count = 0;

    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->is_online[i])
            place[i] = count++;
    topology->node_count = count;
    topology->nodes = ARENA_NEW(arena, struct topology_node, count);
    topology->distances = ARENA_NEW(arena, uint32_t, (size_t)count * count);
    if (!topology->nodes || !topology->distances)
        return false;
    for (uint32_t i = 0; i < nodes->count; i++) {
        if (!nodes->is_online[i])
            continue;
        topology->nodes[place[i]] = (struct topology_node){.node = i,
                                                           .memory_bytes = nodes->bytes[i]};
        if (!cpumask_init(&topology->nodes[place[i]].cpus, topology->nr_cpu_ids, arena))
            return false;
    }
    CPUMASK_FOR_EACH(cpu, &topology->online) {
        int32_t node = topology->cpus[cpu].node;

        if (nodes_is_online(nodes, node))
            cpumask_set(&topology->nodes[place[node]].cpus, cpu);
    }
    fill_distances(nodes, facts, topology);
    return true;
}
