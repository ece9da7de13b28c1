/* libcpuid's counts: cores, threads and caches of one kind of core. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/compare_objects.h"

enum core_kind { KIND_ANY, KIND_PERFORMANCE, KIND_EFFICIENCY, KIND_LOW_POWER, KIND_UNKNOWN };

/* Leaf 0x1A tells Intel's kinds of core apart; one without an L3 is the low-power kind.
 * [intel/vol2 CPUID] */
static enum core_kind kind_of(const struct compare_machine *machine, uint32_t cpu)
{
    const struct topology_cpu *one = &machine->topology->cpus[cpu];
    struct cpuid_regs regs;

    if (facts_max_basic_leaf(machine->facts, &machine->facts->cpus[one->fact]) < 0x1A ||
        facts_cpuid(machine->facts, &machine->facts->cpus[one->fact], 0x1A, 0, &regs) !=
            CPUID_RECORDED)
        return KIND_UNKNOWN;
    if (regs.eax >> 24 == 0x40)
        return KIND_PERFORMANCE;
    if (regs.eax >> 24 != 0x20)
        return KIND_UNKNOWN;
    bool has_l3 = compare_object_mask(machine->topology, compare_object("l3"), cpu) != MASKS_NONE;
    return has_l3 ? KIND_EFFICIENCY : KIND_LOW_POWER;
}

static enum core_kind kind_named(const char *purpose)
{
    return strcmp(purpose, "general") == 0 ? KIND_ANY
         : strcmp(purpose, "performance") == 0 ? KIND_PERFORMANCE
         : strcmp(purpose, "efficiency") == 0 ? KIND_EFFICIENCY
         : strcmp(purpose, "low-power-efficiency") == 0 ? KIND_LOW_POWER : KIND_UNKNOWN;
}

/* Distinct masks of an object among the CPUs of a kind; CPUs when there is no object. */
static uint32_t count_kind(const struct compare_machine *machine, enum core_kind kind,
                           const struct object *object)
{
    const struct topology *topology = machine->topology;
    bool *is_seen = calloc(topology->mask_count + 1, sizeof *is_seen);
    uint32_t count = 0;

    CPUMASK_FOR_EACH(cpu, &topology->online) {
        if (kind != KIND_ANY && kind_of(machine, cpu) != kind)
            continue;
        uint32_t mask = object ? compare_object_mask(topology, object, cpu) : 0;

        if (!object || (mask != MASKS_NONE && is_seen && !is_seen[mask]))
            count++;
        if (object && mask != MASKS_NONE && is_seen)
            is_seen[mask] = true;
    }
    free(is_seen);
    return count;
}

/* A line for each package where libcpuid tells them apart: the sum counts. */
static long sum_libcpuid(const struct expectations *expectations,
                         const struct expectation *expected, const char *name)
{
    long sum = 0;

    for (uint32_t i = 0; i < expectations->count; i++) {
        const struct expectation *one = &expectations->list[i];

        if (one->kind == EXPECT_LIBCPUID && strcmp(one->more, expected->more) == 0 &&
            strcmp(one->name, name) == 0)
            sum += strtol(one->value, NULL, 10);
    }
    return sum;
}

void compare_counts(const struct compare_machine *machine, const struct expectation *expected,
                    struct compared *result)
{
    enum core_kind kind = kind_named(expected->more);
    bool is_cores = strcmp(expected->name, "cores") == 0;
    const struct object *object = compare_object(is_cores ? "core" : expected->name);
    long wanted = sum_libcpuid(machine->expectations, expected, expected->name);

    if (wanted < 0) {
        compare_skip(result, "libcpuid did not know");
        return;
    }
    if (is_cores && sum_libcpuid(machine->expectations, expected, "l1d") < 0) {
        compare_skip(result, "libcpuid did not read the topology here: its cores are guessed");
        return;
    }
    if (kind == KIND_UNKNOWN) {
        compare_skip(result, "a kind of core that the rows do not tell apart");
        return;
    }
    uint32_t logical = count_kind(machine, kind, NULL);
    if (machine->facts->cpu_count == 1 || logical == 0) {
        compare_skip(result, "one CPU was dumped: there is nothing to count");
        return;
    }
    uint32_t count = count_kind(machine, kind, object);
    snprintf(result->got, result->got_bytes, "%u", count);
    compare_judge(machine, is_cores ? "core" : expected->name, (uint32_t)wanted == count, result);
}
