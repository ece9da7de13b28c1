/* The masks against the nodes, against each other and between kernels. */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"

enum { FAMILY_COMPUTE_UNITS = 0x15 };

static const char *mask_word(uint32_t mask)
{
    return mask == TOPOLOGY_SMT ? "core" : mask == TOPOLOGY_CLUSTER ? "L2" : "last-level cache";
}

static void report_other_node(struct check_run *run, enum topology_mask mask)
{
    struct finding *finding = NULL;
    uint32_t rules = 0;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);

        for (uint32_t i = 0; topology && i < topology->notes.count; i++) {
            const struct topology_note *note = &topology->notes.list[i];

            if (note->kind != NOTE_NOT_SAME_NODE || note->leaf != mask)
                continue;
            if (!rules)
                finding = checks_report(run, 0, "SRAT processor entries",
                                        "CPUs %u and %u share one %s but are on nodes %u and %u: "
                                        "the kernels ignore what they share.",
                                        checks_number(run, topology, note->other_cpu),
                                        checks_number(run, topology, note->cpu), mask_word(mask),
                                        note->b, note->a);
            rules |= 1u << profile;
            checks_mark_cpu(run, finding, topology, note->cpu);
            checks_mark_cpu(run, finding, topology, note->other_cpu);
        }
    }
    if (finding)
        finding->rules = rules;
    /* Sub-NUMA clusters are nothing wrong; only the oldest kernels did not know them. */
    if (finding && mask == TOPOLOGY_LLC && !(rules & ~run->era_4x))
        finding->severity = FINDING_INFO;
}

static void check_other_node(struct check_run *run)
{
    report_other_node(run, TOPOLOGY_SMT);
    report_other_node(run, TOPOLOGY_CLUSTER);
    report_other_node(run, TOPOLOGY_LLC);
}

static void check_package_split(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t profile = RULE_PROFILE_COUNT; profile-- > 0;) {
        const struct topology *topology = checks_topology(run, profile);
        const struct topology_note *note;

        if (!topology || !topology->rules->node.counts_per_package ||
            topology->nodes_per_package != 1)
            continue;
        note = notes_first(&topology->notes, NOTE_PACKAGE_SPLIT);
        if (!note)
            continue;
        finding = checks_report(run, 1u << profile, "SRAT processor entries",
                                "CPUs %u and %u are in one package but on nodes %u and %u, while "
                                "the SRAT has one node per package.",
                                checks_number(run, topology, note->other_cpu),
                                checks_number(run, topology, note->cpu), note->b, note->a);
        checks_mark_cpu(run, finding, topology, note->cpu);
        checks_mark_cpu(run, finding, topology, note->other_cpu);
    }
}

static void mark_online(const struct check_run *run, struct finding *finding)
{
    CPUMASK_FOR_EACH(cpu, &run->newest->online)
        checks_mark_cpu(run, finding, run->newest, cpu);
}

static bool has_one_llc(const struct topology_cpu *a, const struct topology_cpu *b)
{
    return a->llc_id == b->llc_id && a->package_id == b->package_id;
}

/* Two CPUs with one LLC id and package on different nodes. `first` takes the first
 * CPU of every LLC: they are few, and neighbours mostly share one. */
static bool find_split_llc(const struct topology *topology, uint32_t *first, uint32_t *a,
                           uint32_t *b)
{
    uint32_t count = 0, at = 0;

    CPUMASK_FOR_EACH(cpu, &topology->online) {
        const struct topology_cpu *own = &topology->cpus[cpu];

        if (at == count || !has_one_llc(&topology->cpus[first[at]], own))
            for (at = 0; at < count && !has_one_llc(&topology->cpus[first[at]], own); at++)
                ;
        if (at == count)
            first[count++] = cpu;
        if (topology->cpus[first[at]].node == own->node || own->llc_id == TOPOLOGY_NO_ID)
            continue;
        *a = first[at];
        *b = cpu;
        return true;
    }
    return false;
}

static void put_mask(struct textbuf *text, const struct topology *topology, uint32_t mask)
{
    cpumask_put_list(text, &topology->masks[mask]);
}

static void check_llc_split(struct check_run *run)
{
    const struct topology *topology = run->newest;
    char storage[CHECKS_TEXT_BYTES - 128];
    struct textbuf text;
    uint32_t *first, a, b;

    if (!topology || topology->cpu_count == 0 || topology->node_count < 2 ||
        run->leaves.cpus[0].vendor != VENDOR_INTEL)
        return;
    first = ARENA_NEW(run->arena, uint32_t, topology->cpu_count);
    if (!first || !find_split_llc(topology, first, &a, &b))
        return;
    textbuf_init(&text, storage, sizeof(storage));
    put_mask(&text, topology, topology->cpus[a].mask[TOPOLOGY_LLC]);
    textbuf_put(&text, " and ");
    put_mask(&text, topology, topology->cpus[b].mask[TOPOLOGY_LLC]);
    mark_online(run, checks_report(run, 0, "leaf 0x4 EAX[25:14], SRAT",
                                   "L3 split by node (SNC): CPUs %u and %u have one L3 by CPUID, "
                                   "but the LLC masks are %s.", checks_number(run, topology, a),
                                   checks_number(run, topology, b), storage));
}

static void check_llc_packages(struct check_run *run)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, NOTE_LLC_CROSSES_PACKAGES, &where);

    if (!note)
        return;
    checks_mark_noted(run, checks_report(run, checks_noted(run, NOTE_LLC_CROSSES_PACKAGES),
                                         "LLC id",
                                         "CPUs %u and %u have the LLC id 0x%x although they are in "
                                         "two packages.",
                                         checks_number(run, where, note->other_cpu),
                                         checks_number(run, where, note->cpu), note->a),
                      NOTE_LLC_CROSSES_PACKAGES);
}

static uint32_t thread_count(const struct topology *topology, uint32_t cpu)
{
    return topology->mask_table->sizes[topology->cpus[cpu].mask[TOPOLOGY_SMT]];
}

/* Whether CPUs that `before` pairs as threads stand alone in `after`. */
static bool parts_threads(const struct topology *before, const struct topology *after,
                          uint32_t *cpu_alone)
{
    if (!before || !after)
        return false;
    CPUMASK_FOR_EACH(cpu, &after->online)
        if (cpumask_has(&before->online, cpu) && thread_count(before, cpu) > 1 &&
            thread_count(after, cpu) == 1) {
            *cpu_alone = cpu;
            return true;
        }
    return false;
}

/* Profiles of `after` that part what some profile of `before` pairs. */
static uint32_t profiles_that_part(const struct check_run *run, uint32_t before, uint32_t after,
                                   uint32_t *cpu)
{
    uint32_t rules = 0;

    for (uint32_t a = 0; a < RULE_PROFILE_COUNT; a++)
        for (uint32_t b = 0; b < RULE_PROFILE_COUNT; b++)
            if (before >> b & 1 && after >> a & 1 &&
                parts_threads(checks_topology(run, b), checks_topology(run, a), cpu))
                rules |= 1u << a;
    return rules;
}

/* Profiles that compare compute units with "none" as a value of its own. */
static uint32_t pairing_profiles(void)
{
    uint32_t rules = 0;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++)
        if (rule_profiles[profile].amd.compute_unit == COMPUTE_UNIT_OR_NONE)
            rules |= 1u << profile;
    return rules;
}

static void check_compute_unit(struct check_run *run)
{
    uint32_t cpu = 0;
    uint32_t rules = profiles_that_part(run, pairing_profiles(), run->era_reworked, &cpu);

    if (!rules || !run->leaves.cpus[0].has_topoext || run->leaves.cpus[0].vendor != VENDOR_AMD ||
        run->leaves.cpus[0].family != FAMILY_COMPUTE_UNITS)
        return;
    mark_online(run, checks_report(run, rules, "leaf 0x8000001E EBX[15:8]",
                                   "From linux-6.12 on the threads of a compute unit are no SMT "
                                   "siblings any more, although linux-4.10 to linux-6.1 pair them: "
                                   "the fault that was mended in 2017 is back."));
}

static void check_threads_as_cores(struct check_run *run)
{
    uint32_t cpu = 0;
    uint32_t rules = profiles_that_part(run, run->era_reworked, run->era_classic, &cpu);
    const struct cpu_leaves *boot = run->leaves.cpus;

    if (!rules || (boot->vendor != VENDOR_AMD && boot->vendor != VENDOR_HYGON) ||
        boot->has_topoext || !boot->list[LIST_LEAF_B].count)
        return;
    mark_online(run, checks_report(run, rules, "leaf 0xB EBX, leaf 0x80000001 ECX[22]",
                                   "Leaf 0xB gives cores %u threads, but without the topology "
                                   "extensions linux-5.10 and linux-6.1 do not read it on this "
                                   "vendor's CPUs: they make every thread a core.",
                                   bits_get(boot->list[LIST_LEAF_B].rows[0].ebx, 15, 0)));
}

/* APIC ids leave room for threads that no CPU has. */
static void check_smt_off(struct check_run *run)
{
    const struct topology *topology = run->newest;
    uint32_t shift = topology && topology->cpu_count ? topology->cpus[0].ident.shift[0] : 0;

    if (shift == 0 || cpumask_count(&topology->online) < 2)
        return;
    CPUMASK_FOR_EACH(cpu, &topology->online)
        if (thread_count(topology, cpu) > 1)
            return;
    checks_report(run, 0, "leaf 0xB or 0x1F sub-leaf 0 EAX[4:0]",
                  "SMT off (shift %u, one thread per core).", shift);
}

static const struct check checks[] = {
    {"sibling-other-node", FINDING_WARNING, "9", "all",
     "two CPUs share a core, an L2 or an LLC but are on different nodes",
     "sched: CPU #a's …-sibling CPU #b is not on the same node!",
     "the SRAT splits a core, an L2 or an LLC; the kernel drops the link", check_other_node, NULL},
    {"package-split-over-nodes", FINDING_WARNING, "28", "7.2",
     "CPUs of one package are on different nodes while nodes per package is 1",
     "warning in set_cpu_sibling_map", "the node count of the SRAT is no multiple of the packages",
     check_package_split, NULL},
    {"llc-split-by-node", FINDING_INFO, "", "all",
     "an Intel L3 is shared by CPUs of several nodes", "",
     "sub-NUMA clustering: the kernel restricts the LLC to the node", check_llc_split, NULL},
    {"llc-id-in-two-packages", FINDING_INFO, "", "as noted",
     "CPUs of different packages have one LLC id", "",
     "these kernels link the LLCs of two sockets unless the nodes keep them apart",
     check_llc_packages, NULL},
    {"compute-unit-without-siblings", FINDING_INFO, "", "6.12, 7.2",
     "AMD family 0x15: threads that 4.10 to 6.1 pair stand alone", "",
     "the scheduler takes the halves of a compute unit for cores of their own",
     check_compute_unit, NULL},
    {"threads-made-cores", FINDING_WARNING, "", "5.10, 6.1",
     "AMD or Hygon: leaf 0xB has threads, topology extensions are off", "",
     "these kernels make every thread a core; mostly a hypervisor's doing",
     check_threads_as_cores, NULL},
    {"smt-off", FINDING_INFO, "", "all", "the SMT shift is not 0, but every core has one thread",
     "", "holes between APIC ids are normal then", check_smt_off, NULL},
};
CHECK_GROUP(checks_of_masks, checks);
