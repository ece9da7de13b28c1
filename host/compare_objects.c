/* What tools other than the kernel said about a machine: hwloc's objects and AIDA64's
 * grouping. Only which CPUs belong together is compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/compare_objects.h"
#include "kernel/lib/bits.h"
#include "kernel/topology/rules.h"

enum { FAMILY_BULLDOZER = 0x15, MASK_WORDS = 1024 };
#define MSR_AMD_NODE_ID 0xC001100Cu

enum vendor_name { NAME_INTEL, NAME_AMD, NAME_HYGON, NAME_OTHER };

static const struct object objects[] = {
    {"package", true, TOPOLOGY_PACKAGE, 0, NULL}, {"die", true, TOPOLOGY_DIE, 0, NULL},
    {"core", true, TOPOLOGY_SMT, 0, NULL},        {"l1d", false, 0, 1, "Data"},
    {"l1i", false, 0, 1, "Instruction"},          {"l2", false, 0, 2, "Unified"},
    {"l3", false, 0, 3, "Unified"},               {"l4", false, 0, 4, "Unified"},
};

const struct object *compare_object(const char *name)
{
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (strcmp(objects[i].name, name) == 0)
            return &objects[i];
    return NULL;
}

uint32_t compare_object_mask(const struct topology *topology, const struct object *object,
                             uint32_t cpu)
{
    const struct topology_cpu *one = &topology->cpus[cpu];

    if (object->is_mask)
        return one->mask[object->mask];
    for (uint32_t i = 0; i < one->cache_count; i++)
        if (one->caches[i].level == object->level && strcmp(one->caches[i].type, object->type) == 0)
            return one->caches[i].shared_mask;
    return MASKS_NONE;
}

static bool is_online(const struct topology *topology, uint32_t cpu)
{
    return cpu < topology->cpu_count && topology->cpus[cpu].is_online;
}

void compare_skip(struct compared *result, const char *reason)
{
    result->outcome = COMPARE_SKIPPED;
    result->reason = reason;
}

static enum vendor_name vendor_of(const struct compare_machine *machine, uint32_t *family)
{
    struct cpuid_regs vendor, signature;

    facts_cpuid(machine->facts, &machine->facts->cpus[0], 0, 0, &vendor);
    facts_cpuid(machine->facts, &machine->facts->cpus[0], 1, 0, &signature);
    *family = bits_get(signature.eax, 11, 8);
    if (*family == 15)
        *family += bits_get(signature.eax, 27, 20);
    return memcmp(&vendor.ebx, "Auth", 4) == 0 ? NAME_AMD
         : memcmp(&vendor.ebx, "Hygo", 4) == 0 ? NAME_HYGON
         : memcmp(&vendor.ebx, "Genu", 4) == 0 ? NAME_INTEL : NAME_OTHER;
}

/* AMD parts of several nodes before TOPOEXT name their node in an MSR only. */
static bool lacks_node_msr(const struct topology *topology)
{
    for (uint32_t i = 0; i < topology->notes.count; i++)
        if (topology->notes.list[i].kind == NOTE_ROW_ABSENT &&
            topology->notes.list[i].leaf == MSR_AMD_NODE_ID)
            return true;
    return false;
}

/* The boot CPU of a classic kernel saw one core and one thread: every CPU of the
 * machine stays alone. [rules 4.1] */
static bool is_without_mp(const struct topology *topology)
{
    const struct topology_ident *boot = &topology->cpus[0].ident;

    return !topology->rules->link.counts_registered && boot->max_cores <= 1 &&
           topology->threads_per_core <= 1;
}

/* Documented differences between the tool and Linux, by rule. */
static const char *rule_difference(const struct compare_machine *machine, const char *object)
{
    const struct topology *topology = machine->topology;
    bool is_core = strcmp(object, "core") == 0, is_die = strcmp(object, "die") == 0;
    bool is_package = strcmp(object, "package") == 0, is_cache = object[0] == 'l';
    uint32_t family;
    enum vendor_name vendor = vendor_of(machine, &family);

    if (vendor == NAME_AMD && family == FAMILY_BULLDOZER && is_core)
        return "family 15h: the kernel pairs the cores of a compute unit, the tool does not";
    if (vendor == NAME_OTHER && is_die)
        return "the kernel reads no extended topology leaf of this vendor";
    if (is_package && is_without_mp(topology))
        return "a classic kernel whose boot CPU sees one core links no CPUs at all";
    if (is_cache && notes_first(&topology->notes, NOTE_CACHES_INCOMPLETE))
        return "a CPU with fewer cache rows than the boot CPU gets no cache directory";
    return NULL;
}

void compare_judge(const struct compare_machine *machine, const char *object, bool is_equal,
                   struct compared *result)
{
    if (!is_equal && strcmp(object, "l3") == 0 && lacks_node_msr(machine->topology)) {
        compare_skip(result, "the MSR that names the node was not recorded");
        return;
    }
    result->outcome = is_equal ? COMPARE_EQUAL : COMPARE_DIFFERENT;
    result->reason = is_equal ? NULL : rule_difference(machine, object);
    if (result->reason)
        result->outcome = COMPARE_BY_RULE;
}

static void compare_hwloc(const struct compare_machine *machine,
                          const struct expectation *expected, struct compared *result)
{
    const struct topology *topology = machine->topology;
    const struct object *object = compare_object(expected->name);
    uint64_t words[MASK_WORDS] = {0};
    struct cpumask wanted = {words, MASK_WORDS};
    struct textbuf text;

    if (!object) {
        compare_skip(result, strcmp(expected->name, "numa") == 0
                         ? "nodes come from ACPI tables that the file does not have"
                         : "a kind of object that the kernel does not have");
        return;
    }
    if (!cpumask_parse_list(&wanted, expected->value) ||
        !is_online(topology, cpumask_first(&wanted))) {
        compare_skip(result, "names CPUs that were not recorded");
        return;
    }
    uint32_t mask = compare_object_mask(topology, object, cpumask_first(&wanted));
    if (mask == MASKS_NONE && object->is_mask) {
        compare_skip(result, "the profile has no such mask");
        return;
    }
    textbuf_init(&text, result->got, result->got_bytes);
    if (mask == MASKS_NONE)
        textbuf_put(&text, "none");
    else
        cpumask_put_list(&text, &topology->masks[mask]);
    compare_judge(machine, expected->name,
          mask != MASKS_NONE && cpumask_equal(&topology->masks[mask], &wanted), result);
}

/* CPUs that AIDA64 numbers alike up to and including `name`. */
static bool is_same_group(const struct compare_machine *machine, uint32_t a, uint32_t b,
                          bool with_core)
{
    return machine->aida_package[a] == machine->aida_package[b] &&
           (!with_core || machine->aida_core[a] == machine->aida_core[b]);
}

static void compare_aida64(const struct compare_machine *machine,
                           const struct expectation *expected, struct compared *result)
{
    const struct topology *topology = machine->topology;
    bool with_core = strcmp(expected->name, "core") == 0;
    struct textbuf text;
    bool is_equal = true;

    if (strcmp(expected->name, "thread") == 0) {
        compare_skip(result, "the thread's number within its core is no grouping");
        return;
    }
    if (!is_online(topology, expected->cpu) || expected->cpu >= machine->aida_count) {
        compare_skip(result, "names CPUs that were not recorded");
        return;
    }
    const struct topology_cpu *cpu = &topology->cpus[expected->cpu];
    const struct cpumask *mask =
        &topology->masks[cpu->mask[with_core ? TOPOLOGY_SMT : TOPOLOGY_PACKAGE]];
    for (uint32_t other = 0; other < machine->aida_count; other++)
        if (machine->aida_package[other] != AIDA_UNKNOWN && is_online(topology, other))
            is_equal = is_equal && cpumask_has(mask, other) ==
                                       is_same_group(machine, expected->cpu, other, with_core);
    textbuf_init(&text, result->got, result->got_bytes);
    cpumask_put_list(&text, mask);
    compare_judge(machine, expected->name, is_equal, result);
}

static bool grow_aida(struct compare_machine *machine, uint32_t cpu)
{
    uint32_t count = machine->aida_count;

    if (cpu < count)
        return true;
    machine->aida_count = cpu + 1;
    machine->aida_package = realloc(machine->aida_package, (cpu + 1) * sizeof(long));
    machine->aida_core = realloc(machine->aida_core, (cpu + 1) * sizeof(long));
    for (uint32_t i = count; i <= cpu && machine->aida_package && machine->aida_core; i++)
        machine->aida_package[i] = machine->aida_core[i] = AIDA_UNKNOWN;
    return machine->aida_package && machine->aida_core;
}

bool compare_machine_init(struct compare_machine *machine, const struct machine_facts *facts,
                          const struct expectations *expectations)
{
    *machine = (struct compare_machine){.facts = facts, .expectations = expectations};
    for (uint32_t i = 0; i < expectations->count; i++) {
        const struct expectation *one = &expectations->list[i];

        if (one->kind != EXPECT_AIDA64 || one->cpu >= 64 * MASK_WORDS)
            continue;
        if (!grow_aida(machine, one->cpu))
            return false;
        long value = strtol(one->value, NULL, 10);
        if (strcmp(one->name, "package") == 0)
            machine->aida_package[one->cpu] = value;
        else if (strcmp(one->name, "core") == 0)
            machine->aida_core[one->cpu] = value;
    }
    return true;
}

void compare_machine_free(struct compare_machine *machine)
{
    free(machine->aida_package);
    free(machine->aida_core);
}

void compare_objects(const struct compare_machine *machine, const struct expectation *expected,
                     struct compared *result)
{
    if (expected->kind == EXPECT_AIDA64)
        compare_aida64(machine, expected, result);
    else if (expected->kind == EXPECT_LIBCPUID)
        compare_counts(machine, expected, result);
    else
        compare_hwloc(machine, expected, result);
}
