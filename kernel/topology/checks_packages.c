/* Counting packages, dies and CPUs as the kernels do. */
#include "kernel/topology/checks_run.h"

enum { KERNEL_CPU_LIMIT = 8192 }; /* the largest NR_CPUS an x86 kernel can be built with */

static void check_package_limit(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_PACKAGE_LIMIT, &where);

    if (note)
        checks_report(run, checks_noted(run, NOTE_PACKAGE_LIMIT), "package ids",
                      "%u packages, but these kernels have room for %u and crash.", note->a,
                      note->b);
}

/* Ids in order of appearance: the n-th new one should be n. */
struct id_order {
    uint64_t *ids;
    uint32_t count;
};

/* True when the id is new and not the next in order. */
static bool is_out_of_order(struct id_order *order, uint64_t key, uint32_t id)
{
    for (uint32_t i = order->count; i-- > 0;)
        if (order->ids[i] == key)
            return false;
    order->ids[order->count++] = key;
    return id != order->count - 1;
}

/* The number of packages (dies) that get another logical number, in one profile. */
static uint32_t count_renumbered(struct check_run *run, const struct topology *topology,
                                 bool is_die, uint32_t *cpu_first, uint32_t *id_first)
{
    struct id_order order = {ARENA_NEW(run->arena, uint64_t, topology->cpu_count + 1), 0};
    uint32_t count = 0;

    CPUMASK_FOR_EACH(cpu, &topology->online) {
        const struct topology_cpu *one = &topology->cpus[cpu];
        uint32_t id = is_die ? one->die_id : one->package_id;
        uint64_t key = is_die ? (uint64_t)one->package_id << 32 | id : id;

        if (!order.ids)
            return 0;
        if (!is_out_of_order(&order, key, id))
            continue;
        if (!count++) {
            *cpu_first = cpu;
            *id_first = id;
        }
    }
    return count;
}

static void report_renumbered(struct check_run *run, uint32_t allowed, bool is_die)
{
    struct finding *finding = NULL;
    uint32_t cpu, id;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);
        uint32_t count = topology && (allowed >> profile & 1)
                             ? count_renumbered(run, topology, is_die, &cpu, &id) : 0;

        if (!count)
            continue;
        if (!finding)
            finding = checks_report(run, 0, is_die ? "die ids" : "package ids",
                                    "%u %s not numbered in order of appearance, first that of CPU "
                                    "%u with id %u.", count,
                                    is_die ? (count == 1 ? "die is" : "dies are")
                                           : (count == 1 ? "package is" : "packages are"),
                                    checks_number(run, topology, cpu), id);
        if (finding)
            finding->rules |= 1u << profile;
    }
}

static void check_order(struct check_run *run)
{
    report_renumbered(run, run->era_4x | run->era_classic, false);
    report_renumbered(run, run->era_classic, true);
}

static void check_cpu_limit(struct check_run *run)
{
    uint32_t rules = 0, possible = 0;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct topology *topology = checks_topology(run, profile);

        if (topology && topology->nr_cpu_ids > KERNEL_CPU_LIMIT) {
            rules |= 1u << profile;
            possible = topology->nr_cpu_ids;
        }
    }
    if (rules)
        checks_report(run, rules, "MADT", "%u possible CPUs, more than the %u an x86 kernel can be "
                      "built for.", possible, KERNEL_CPU_LIMIT);
}

static bool has_threads(const struct topology *topology)
{
    CPUMASK_FOR_EACH(cpu, &topology->online)
        if (cpumask_count(&topology->masks[topology->cpus[cpu].mask[TOPOLOGY_SMT]]) > 1)
            return true;
    return false;
}

static void check_smt_alone(struct check_run *run)
{
    uint32_t rules = 0, siblings = 0;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct topology *topology = checks_topology(run, profile);

        if (!topology || !(run->era_4x >> profile & 1) || topology->threads_per_core < 2 ||
            cpumask_count(&topology->online) < 2 || has_threads(topology))
            continue;
        rules |= 1u << profile;
        siblings = topology->threads_per_core;
    }
    if (rules)
        checks_report(run, rules, "leaf 0xB EBX or leaf 0x1 EBX[23:16]",
                      "CPUID promises %u threads per core, but no two CPUs share a core.",
                      siblings);
}

static const struct check checks[] = {
    {"cpu-limit", FINDING_WARNING, "17", "all", "more possible CPUs than a kernel can be built for",
     "NR_CPUS/possible_cpus limit of n reached / CPU limit of n reached",
     "the CPUs beyond the limit stay unused", check_cpu_limit, NULL},
    {"package-limit", FINDING_ERROR, "19", "4.x", "more packages than the kernel has room for",
     "Package n of CPU m exceeds BIOS package data k", "4.x kernels crash here",
     check_package_limit, NULL},
    {"package-renumbered", FINDING_INFO, "20", "4.x, 5.10, 6.1",
     "package (5.10, 6.1: or die) ids are not numbered in order of appearance",
     "Converting physical p to logical package q / … to logical die q",
     "the kernel numbers them anew for its own use", check_order, NULL},
    {"smt-without-siblings", FINDING_INFO, "31", "4.x",
     "CPUID counts several threads per core, but no two CPUs share a core", "",
     "SMT switched off in setup; harmless unless APIC ids were compacted", check_smt_alone, NULL},
};
CHECK_GROUP(checks_of_packages, checks);
