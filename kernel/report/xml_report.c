/* topology.xml: hwloc 2 XML of the newest profile. What does not nest into a tree is
 * left out here; it is in report.json. [hwloc XML format 2.0] */
#include <string.h>

#include "kernel/report/machine.h"
#include "kernel/report/tree.h"
#include "kernel/report/writers.h"
#include "kernel/report/xml.h"
#include "kernel/topology/nodes.h"

struct xml_writer {
    struct textbuf *out;
    const struct topology *topology;
    const struct machine_facts *facts;
    uint64_t gp_index;
    unsigned depth;
};

static void put_indent(struct xml_writer *writer)
{
    for (unsigned i = 0; i < writer->depth; i++)
        textbuf_put(writer->out, "  ");
}

/* Nodes near a set: those of its CPUs, all for the machine, 0 where it has no nodes. */
static void find_nodes(const struct topology *topology, const struct cpumask *set,
                       struct cpumask *nodes)
{
    cpumask_clear(nodes);
    if (topology->node_count == 0)
        cpumask_set(nodes, 0);
    if (cpumask_equal(set, &topology->online)) {
        for (uint32_t i = 0; i < topology->node_count; i++)
            cpumask_set(nodes, topology->nodes[i].node);
        return;
    }
    CPUMASK_FOR_EACH(cpu, set) {
        const struct topology_node *node = tree_node(topology, cpu);

        if (node)
            cpumask_set(nodes, node->node);
    }
}

static void put_cpuset(struct xml_writer *writer, const char *name, const struct cpumask *set)
{
    textbuf_printf(writer->out, " %s=\"", name);
    xml_bitmap(writer->out, set);
    textbuf_putc(writer->out, '"');
}

/* All of one width, that of the highest node. */
static void put_nodeset(struct xml_writer *writer, const char *name, const struct cpumask *nodes)
{
    const struct topology *topology = writer->topology;
    uint32_t highest = 0;

    for (uint32_t i = 0; i < topology->node_count; i++) {
        if (topology->nodes[i].node > highest)
            highest = topology->nodes[i].node;
    }
    textbuf_printf(writer->out, " %s=\"", name);
    for (uint32_t group = highest / 32 + 1; group-- > 0;) {
        textbuf_put(writer->out, "0x");
        textbuf_put_hex(writer->out, (uint32_t)(nodes->words[group / 2] >> 32 * (group % 2)), 8);
        if (group)
            textbuf_putc(writer->out, ',');
    }
    textbuf_putc(writer->out, '"');
}

static void put_sets(struct xml_writer *writer, const struct cpumask *set, bool is_machine)
{
    uint64_t words[NODES_MAX / 64];
    struct cpumask nodes = {words, NODES_MAX / 64};

    find_nodes(writer->topology, set, &nodes);
    put_cpuset(writer, "cpuset", set);
    put_cpuset(writer, "complete_cpuset", set);
    if (is_machine)
        put_cpuset(writer, "allowed_cpuset", set);
    put_nodeset(writer, "nodeset", &nodes);
    put_nodeset(writer, "complete_nodeset", &nodes);
    if (is_machine)
        put_nodeset(writer, "allowed_nodeset", &nodes);
    xml_attribute_u64(writer->out, "gp_index", ++writer->gp_index);
}

static void put_info(struct xml_writer *writer, const char *name, const char *value)
{
    put_indent(writer);
    textbuf_put(writer->out, "<info");
    xml_attribute(writer->out, "name", name);
    xml_attribute(writer->out, "value", value);
    textbuf_put(writer->out, "/>\n");
}

static void put_node(struct xml_writer *writer, uint32_t node, uint64_t memory_bytes,
                     const struct cpumask *set)
{
    put_indent(writer);
    textbuf_put(writer->out, "<object type=\"NUMANode\"");
    xml_attribute_u64(writer->out, "os_index", node);
    put_cpuset(writer, "cpuset", set);
    put_cpuset(writer, "complete_cpuset", set);
    textbuf_put(writer->out, " nodeset=\"");
    xml_bitmap_of_one(writer->out, node);
    textbuf_put(writer->out, "\" complete_nodeset=\"");
    xml_bitmap_of_one(writer->out, node);
    textbuf_putc(writer->out, '"');
    xml_attribute_u64(writer->out, "gp_index", ++writer->gp_index);
    if (memory_bytes)
        xml_attribute_u64(writer->out, "local_memory", memory_bytes);
    textbuf_put(writer->out, "/>\n");
}

/* The node whose CPUs are exactly this set. */
static void put_node_of(struct xml_writer *writer, const struct cpumask *set)
{
    const struct topology *topology = writer->topology;
    const struct topology_node *node = tree_node(topology, cpumask_first(set));

    if (node && cpumask_equal(&node->cpus, set) &&
        tree_node_is_object(topology, (uint32_t)(node - topology->nodes)))
        put_node(writer, node->node, node->memory_bytes, set);
}

/* The same for all CPUs; nodes without CPUs and those whose CPUs do not nest with the
 * rest are at the top, too. */
static void put_nodes_of_machine(struct xml_writer *writer, const struct cpumask *set)
{
    const struct topology *topology = writer->topology;

    for (uint32_t i = 0; i < topology->node_count; i++) {
        const struct topology_node *node = &topology->nodes[i];

        if (!tree_node_is_object(topology, i) || cpumask_equal(&node->cpus, set))
            put_node(writer, node->node, node->memory_bytes, set);
    }
    if (topology->node_count == 0)
        put_node(writer, 0, 0, set);
}

static void put_cache_attributes(struct xml_writer *writer, const struct topology_cache *cache)
{
    xml_attribute_u64(writer->out, "cache_size", cache->size_bytes);
    xml_attribute_u64(writer->out, "depth", cache->level);
    xml_attribute_u64(writer->out, "cache_linesize", cache->line_bytes);
    xml_attribute_u64(writer->out, "cache_associativity", cache->ways);
    xml_attribute_u64(writer->out, "cache_type", cache->type[0] == 'D');
}

/* The opening tag of a level's object, without its end. */
static void put_level(struct xml_writer *writer, enum tree_level level, uint32_t number,
                      const struct cpumask *set)
{
    static const char *const types[TREE_COUNT] = {
        "Package", "Die", "L4Cache", "L3Cache", "L2Cache", "L1Cache", "Core", "Group",
    };
    const struct topology_cpu *cpu = &writer->topology->cpus[number];
    const uint32_t *os_index = level == TREE_PACKAGE ? &cpu->package_id
                             : level == TREE_DIE     ? &cpu->die_id
                             : level == TREE_CORE    ? &cpu->core_id : NULL;

    put_indent(writer);
    textbuf_printf(writer->out, "<object type=\"%s\"", types[level]);
    if (os_index)
        xml_attribute_u64(writer->out, "os_index", *os_index);
    put_sets(writer, set, false);
    if (level >= TREE_L4 && level <= TREE_L1)
        put_cache_attributes(writer, tree_cache(cpu, level));
    if (level == TREE_NODE)
        textbuf_put(writer->out, " kind=\"0\" subkind=\"0\"");
    textbuf_put(writer->out, ">\n");
}

static void put_pu(struct xml_writer *writer, uint32_t number)
{
    const struct topology_node *node = tree_node(writer->topology, number);
    static const char *const sets[] = {"cpuset", "complete_cpuset"};
    static const char *const nodesets[] = {"nodeset", "complete_nodeset"};

    put_indent(writer);
    textbuf_put(writer->out, "<object type=\"PU\"");
    xml_attribute_u64(writer->out, "os_index", number);
    for (unsigned i = 0; i < 2; i++) {
        textbuf_printf(writer->out, " %s=\"", sets[i]);
        xml_bitmap_of_one(writer->out, number);
        textbuf_putc(writer->out, '"');
    }
    for (unsigned i = 0; i < 2; i++) {
        textbuf_printf(writer->out, " %s=\"", nodesets[i]);
        xml_bitmap_of_one(writer->out, node ? node->node : 0);
        textbuf_putc(writer->out, '"');
    }
    xml_attribute_u64(writer->out, "gp_index", ++writer->gp_index);
    textbuf_put(writer->out, "/>\n");
}

/* All objects below a set. At most TREE_COUNT deep: each step uses
 * up a level. */
static void put_below(struct xml_writer *writer, const struct cpumask *scope, uint32_t used)
{
    const struct topology *topology = writer->topology;
    struct tree_seen seen;

    tree_seen_init(&seen);
    writer->depth++;
    CPUMASK_FOR_EACH(cpu, scope) {
        enum tree_level level;
        const struct cpumask *set;

        if (cpumask_has(&seen.mask, cpu))
            continue;
        level = tree_next_level(topology, cpu, scope, used);
        if (level == TREE_COUNT) {
            put_pu(writer, cpu);
            continue;
        }
        set = tree_set(topology, cpu, level);
        cpumask_or(&seen.mask, set);
        if (cpumask_first(set) != cpu)
            continue;
        put_level(writer, level, cpu, set);
        writer->depth++;
        if (!cpumask_equal(set, scope))
            put_node_of(writer, set);
        writer->depth--;
        put_below(writer, set, used | 1u << level);
        put_indent(writer);
        textbuf_put(writer->out, "</object>\n");
    }
    writer->depth--;
}

static void put_machine(struct xml_writer *writer)
{
    const struct cpumask *online = &writer->topology->online;
    struct machine_cpu cpu;

    writer->depth = 1;
    textbuf_put(writer->out, "  <object type=\"Machine\" os_index=\"0\"");
    put_sets(writer, online, true);
    textbuf_put(writer->out, ">\n");
    writer->depth = 2;
    put_info(writer, "Backend", "coretruth");
    put_info(writer, "Rules", rules_name(writer->topology->rules));
    if (writer->facts && writer->facts->cpu_count) {
        machine_describe_cpu(writer->facts, &writer->facts->cpus[0], &cpu);
        if (cpu.brand[0])
            put_info(writer, "CPUModel", cpu.brand);
        if (cpu.vendor[0])
            put_info(writer, "CPUVendor", cpu.vendor);
    }
    put_nodes_of_machine(writer, online);
    writer->depth = 1;
    put_below(writer, online, 0);
    textbuf_put(writer->out, "  </object>\n");
}

/* The kind of core that leaf 0x1A names, as hwloc calls it: "IntelAtom", "IntelCore". */
static bool is_of_kind(const struct xml_writer *writer, uint32_t cpu, const char *kind)
{
    const struct topology *topology = writer->topology;

    if (cpu >= topology->cpu_count || !topology->cpus[cpu].is_online ||
        topology->cpus[cpu].fact == FACTS_NO_CPU)
        return false;
    const struct topology_cpu *one = &topology->cpus[cpu];
    const char *type = machine_intel_core_type(writer->facts, &writer->facts->cpus[one->fact]);
    return type && strcmp(type, kind) == 0;
}

static void put_cpukind(struct xml_writer *writer, const char *kind)
{
    uint32_t highest = UINT32_MAX;

    for (uint32_t cpu = 0; cpu < writer->topology->cpu_count; cpu++)
        if (is_of_kind(writer, cpu, kind))
            highest = cpu;
    if (highest == UINT32_MAX)
        return;
    textbuf_put(writer->out, "  <cpukind cpuset=\"");
    for (uint32_t group = highest / 32 + 1; group-- > 0;) {
        uint32_t bits = 0;

        for (uint32_t i = 0; i < 32; i++)
            bits |= (uint32_t)is_of_kind(writer, group * 32 + i, kind) << i;
        textbuf_put(writer->out, "0x");
        textbuf_put_hex(writer->out, bits, 8);
        if (group)
            textbuf_putc(writer->out, ',');
    }
    textbuf_put(writer->out, "\">\n    <info name=\"CoreType\"");
    xml_attribute(writer->out, "value", kind);
    textbuf_put(writer->out, "/>\n  </cpukind>\n");
}

void xml_report(const struct report_model *model, struct textbuf *out)
{
    struct xml_writer writer = {
        .out = out, .topology = report_newest(model), .facts = model->facts,
    };

    textbuf_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n");
    if (writer.topology && cpumask_first(&writer.topology->online) != CPUMASK_NONE)
        put_machine(&writer);
    if (writer.topology && writer.facts) { /* the slower kind first, as hwloc ranks them */
        put_cpukind(&writer, "IntelAtom");
        put_cpukind(&writer, "IntelCore");
    }
    textbuf_put(out, "</topology>\n");
}
