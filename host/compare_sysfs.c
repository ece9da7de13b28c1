/* Values that a kernel printed, or the author of a case wrote down: the text must
 * be the same, bit for bit. */
#include <stdio.h>
#include <string.h>

#include "host/compare.h"
#include "kernel/topology/domains.h"
#include "kernel/topology/rules.h"
#include "kernel/topology/sysfs_names.h"

static bool is_online(const struct topology *topology, uint32_t cpu)
{
    return cpu < topology->cpu_count && topology->cpus[cpu].is_online;
}

typedef bool (*teller)(const struct topology *topology, const struct expectation *expected,
                       struct textbuf *out);

static void put_list(const struct topology *topology, const struct topology_cpu *cpu,
                     enum topology_mask mask, struct textbuf *out)
{
    cpumask_put_list(out, &topology->masks[cpu->mask[mask]]);
}

static bool tell_cpu(const struct topology *topology, const struct expectation *expected,
                     struct textbuf *out)
{
    return sysfs_cpu_text(topology, expected->cpu, expected->name, out);
}

static bool tell_cache(const struct topology *topology, const struct expectation *expected,
                       struct textbuf *out)
{
    return sysfs_cache_text(topology, expected->cpu, expected->index, expected->name, out);
}

static void put_range(uint32_t count, struct textbuf *out)
{
    if (count)
        textbuf_printf(out, count > 1 ? "0-%u" : "0", count - 1);
}

static bool tell_cpus(const struct topology *topology, const struct expectation *expected,
                      struct textbuf *out)
{
    if (strcmp(expected->name, "online") == 0)
        cpumask_put_list(out, &topology->online);
    else if (strcmp(expected->name, "possible") == 0 && topology->has_madt)
        put_range(topology->nr_cpu_ids, out);
    else
        return false;
    return true;
}

/* node/online, and node/has_cpu: those with CPUs of their own. */
static bool tell_nodes(const struct topology *topology, const char *name, struct textbuf *out)
{
    uint64_t words[1024 / 64] = {0};
    struct cpumask nodes = {words, 1024 / 64};
    bool with_cpus = strcmp(name, "has_cpu") == 0;

    if (!with_cpus && strcmp(name, "online") != 0)
        return false;
    for (uint32_t i = 0; i < topology->node_count; i++)
        if (!with_cpus || cpumask_count(&topology->nodes[i].cpus))
            cpumask_set(&nodes, topology->nodes[i].node);
    cpumask_put_list(out, &nodes);
    return true;
}

static bool tell_node(const struct topology *topology, const struct expectation *expected,
                      struct textbuf *out)
{
    if (!topology->has_madt)
        return false;
    if (expected->index == EXPECTATION_NONE)
        return tell_nodes(topology, expected->name, out);
    return sysfs_node_text(topology, expected->index, expected->name, out);
}

/* The M-th domain that the kernel keeps. */
static bool tell_domain(const struct topology *topology, const struct expectation *expected,
                        struct textbuf *out)
{
    uint32_t kept = 0, cpu = expected->cpu;

    if (!is_online(topology, cpu))
        return false;
    for (uint32_t level = 0; level < topology->level_count; level++) {
        if (!domains_is_kept(topology, level, cpu) || kept++ != expected->index)
            continue;
        if (strcmp(expected->name, "span") == 0)
            cpumask_put_hex(out, &topology->masks[topology->levels[level].span[cpu]],
                            topology->nr_cpu_ids);
        else if (strcmp(expected->name, "name") == 0)
            textbuf_put(out, topology->levels[level].name);
        else
            return false;
        return true;
    }
    textbuf_put(out, "no such domain");
    return true;
}

/* /sys/kernel/debug/x86/topo: the ids of one CPU. */
static bool tell_x86topo(const struct topology *topology, const struct expectation *expected,
                         struct textbuf *out)
{
    if (!is_online(topology, expected->cpu))
        return false;
    const struct topology_cpu *cpu = &topology->cpus[expected->cpu];
    const struct { const char *name; uint32_t value; } numbers[] = {
        {"pkg_id", cpu->package_id}, {"die_id", cpu->die_id}, {"core_id", cpu->core_id},
        {"cu_id", cpu->ident.cu_id}, {"llc_id", cpu->llc_id}, {"l2c_id", cpu->ident.l2_id},
        {"amd_node_id", cpu->ident.amd_node},
        {"amd_nodes_per_pkg", cpu->ident.nodes_per_package},
        {"max_threads_per_core", topology->threads_per_core},
    };

    if (strcmp(expected->name, "apicid") == 0)
        textbuf_printf(out, "%x", cpu->ident.eid);
    else if (strcmp(expected->name, "initial_apicid") == 0)
        textbuf_printf(out, "%x", cpu->ident.cid);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(expected->name, numbers[i].name) == 0)
            textbuf_printf(out, "%u", numbers[i].value);
    return out->length > 0;
}

/* /proc/cpuinfo of one CPU. */
static bool tell_cpuinfo(const struct topology *topology, const struct expectation *expected,
                         struct textbuf *out)
{
    if (!is_online(topology, expected->cpu))
        return false;
    const struct topology_cpu *cpu = &topology->cpus[expected->cpu];
    const struct { const char *name; uint32_t value; } numbers[] = {
        {"physical id", cpu->package_id},
        {"siblings", cpumask_count(&topology->masks[cpu->mask[TOPOLOGY_PACKAGE]])},
        {"core id", cpu->core_id}, {"cpu cores", cpu->booted_cores},
        {"apicid", cpu->ident.eid}, {"initial apicid", cpu->ident.cid},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(expected->name, numbers[i].name) == 0)
            textbuf_printf(out, "%u", numbers[i].value);
    return out->length > 0;
}

/* A line of expected*.txt of a case: numbers and lists by the case's own names. */
static bool tell_case(const struct topology *topology, const struct expectation *expected,
                      struct textbuf *out)
{
    if (expected->cpu >= topology->cpu_count)
        return false;
    const struct topology_cpu *cpu = &topology->cpus[expected->cpu];
    const struct { const char *name; enum topology_mask mask; } lists[] = {
        {"smt", TOPOLOGY_SMT}, {"l2", TOPOLOGY_CLUSTER}, {"llc", TOPOLOGY_LLC},
        {"die_mask", TOPOLOGY_DIE}, {"pkg_mask", TOPOLOGY_PACKAGE},
    };
    const struct { const char *name; uint32_t value; } numbers[] = {
        {"pkg", cpu->package_id}, {"die", cpu->die_id}, {"core", cpu->core_id},
    };

    if (strcmp(expected->name, "apic") == 0)
        textbuf_printf(out, "%x", cpu->apic_id);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && cpu->is_online; i++)
        if (strcmp(expected->name, numbers[i].name) == 0)
            textbuf_printf(out, "%u", numbers[i].value);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && cpu->is_online; i++)
        if (strcmp(expected->name, lists[i].name) == 0 &&
            cpu->mask[lists[i].mask] != MASKS_NONE)
            put_list(topology, cpu, lists[i].mask, out);
    return out->length > 0;
}

static bool is_unrecorded(const struct topology *topology, uint32_t cpu)
{
    return cpu >= topology->cpu_count || topology->cpus[cpu].fact == FACTS_NO_CPU;
}

/* What is said of CPUs which were not dumped cannot come out of the rows. */
static bool names_unrecorded_cpus(const struct topology *topology,
                                  const struct expectation *expected)
{
    uint64_t words[1024] = {0};
    struct cpumask listed = {words, 1024};
    bool is_list = strstr(expected->name, "list") || expected->kind == EXPECT_CPUS;

    if (topology->has_madt)
        return false;
    if (expected->cpu != EXPECTATION_NONE && is_unrecorded(topology, expected->cpu))
        return true;
    if (!is_list || !cpumask_parse_list(&listed, expected->value))
        return false;
    CPUMASK_FOR_EACH(cpu, &listed)
        if (is_unrecorded(topology, cpu))
            return true;
    return false;
}

static bool has_node(const struct topology *topology, uint32_t number)
{
    for (uint32_t i = 0; i < topology->node_count; i++)
        if (topology->nodes[i].node == number)
            return true;
    return false;
}

/* The source has a directory where the profile has none: that is a difference, as
 * a file with another text is one. NULL: the directory is there. */
static const char *missing_object(const struct topology *topology,
                                  const struct expectation *expected)
{
    if (expected->cpu != EXPECTATION_NONE && !is_online(topology, expected->cpu))
        return "no such CPU online";
    if (expected->kind == EXPECT_CACHE &&
        expected->index >= topology->cpus[expected->cpu].cache_count)
        return "no such cache";
    if (expected->kind == EXPECT_NODE && topology->has_madt &&
        expected->index != EXPECTATION_NONE && !has_node(topology, expected->index))
        return "no such node";
    return NULL;
}

/* Lists with "-" for the empty one are the files' form; sysfs prints nothing. */
static bool texts_are_equal(const char *expected, const char *got)
{
    return strcmp(expected, got) == 0 || (strcmp(expected, "-") == 0 && !*got);
}

static const char *reason_to_skip(const struct topology *topology,
                                  const struct expectation *expected)
{
    if (expected->kind == EXPECT_NODE && !topology->has_madt)
        return "nodes come from ACPI tables that the file does not have";
    if (expected->kind == EXPECT_CPU || expected->kind == EXPECT_CACHE)
        return "the profile has no such file";
    return "not part of the model";
}

static enum compare_outcome say(struct textbuf *text, const char *missing)
{
    textbuf_put(text, missing);
    return COMPARE_DIFFERENT;
}

void compare_sysfs(const struct topology *topology, const struct expectation *expected,
                   struct compared *result)
{
    static const teller tellers[] = {
        [EXPECT_CPU] = tell_cpu, [EXPECT_CACHE] = tell_cache, [EXPECT_CPUS] = tell_cpus,
        [EXPECT_NODE] = tell_node, [EXPECT_DOMAIN] = tell_domain,
        [EXPECT_X86TOPO] = tell_x86topo, [EXPECT_CPUINFO] = tell_cpuinfo,
        [EXPECT_CASE] = tell_case,
    };
    const char *missing;
    struct textbuf text;
    teller tell = expected->kind < sizeof tellers / sizeof tellers[0] ? tellers[expected->kind]
                                                                      : NULL;

    textbuf_init(&text, result->got, result->got_bytes);
    result->outcome = COMPARE_SKIPPED;
    if (names_unrecorded_cpus(topology, expected))
        result->reason = "names CPUs that were not recorded";
    else if (tell && (missing = missing_object(topology, expected)) != NULL)
        result->outcome = say(&text, missing);
    else if (!tell || !tell(topology, expected, &text))
        result->reason = reason_to_skip(topology, expected);
    else
        result->outcome = texts_are_equal(expected->value, result->got) ? COMPARE_EQUAL
                                                                        : COMPARE_DIFFERENT;
}
