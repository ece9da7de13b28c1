/* What the kernel counts while CPUs come up one after the other. */
#include <string.h>

#include "kernel/topology/build.h"
#include "kernel/topology/groups.h"

struct counter {
    struct build *build;
    uint32_t *users;     /* by mask: CPUs whose thread mask it is */
    uint32_t *up;        /* by mask: how many of them are up */
    uint32_t *base;      /* by CPU: its core count less what its package added since */
};

static const struct cpumask *threads_of(const struct counter *c, uint32_t cpu)
{
    return &c->build->masks->masks[c->build->out->cpus[cpu].mask[TOPOLOGY_SMT]];
}

/* All members of this CPU's thread mask have the same one. */
static bool is_class(const struct counter *c, uint32_t cpu)
{
    uint32_t mask = c->build->out->cpus[cpu].mask[TOPOLOGY_SMT];

    return c->users[mask] == c->build->masks->sizes[mask];
}

static bool is_up(const struct counter *c, uint32_t other, uint32_t now)
{
    return c->build->position[other] <= c->build->position[now];
}

/* Threads of this CPU's core that are up when it has come up. */
static uint32_t thread_count(struct counter *c, uint32_t cpu)
{
    uint32_t count = 0;

    if (is_class(c, cpu))
        return ++c->up[c->build->out->cpus[cpu].mask[TOPOLOGY_SMT]];
    CPUMASK_FOR_EACH(other, threads_of(c, cpu))
        count += is_up(c, other, cpu);
    return count;
}

static bool leads_its_core(const struct counter *c, uint32_t cpu, uint32_t now)
{
    CPUMASK_FOR_EACH(other, threads_of(c, cpu))
        if (is_up(c, other, now))
            return other == cpu;
    return false;
}

/* "cpu cores" of the CPUs of one package. A CPU that opens a core counts the cores
 * there are and adds one to everybody else's number; a further thread copies. */
static void count_package(void *context, const uint32_t *cpus, uint32_t count)
{
    struct counter *c = context;
    uint32_t added = 0, cores = 0, lowest = UINT32_MAX;
    bool are_classes = true;

    for (uint32_t i = 0; i < count; i++)
        are_classes = are_classes && is_class(c, cpus[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cpu = cpus[i], threads = thread_count(c, cpu);

        if (!c->build->has_mp[cpu]) {
            cores += threads == 1;
            c->base[cpu] = 1 - added;
        } else if (threads == 1) {
            cores++;
            if (!are_classes) {
                cores = 0;
                for (uint32_t j = 0; j <= i; j++)
                    cores += leads_its_core(c, cpus[j], cpu);
            }
            added++;
            c->base[cpu] = cores - added;
        } else {
            c->base[cpu] = lowest == UINT32_MAX ? 1 - added : c->base[lowest];
        }
        lowest = cpu < lowest ? cpu : lowest;
    }
    for (uint32_t i = 0; i < count; i++)
        c->build->out->cpus[cpus[i]].booted_cores = c->base[cpus[i]] + added;
}

static void count_threads(struct counter *c)
{
    memset(c->up, 0, c->build->masks->count * sizeof *c->up);
    for (uint32_t i = 0; i < c->build->online_count; i++) {
        uint32_t cpu = c->build->order[i], threads = thread_count(c, cpu);

        if (c->build->has_mp[cpu] && threads > c->build->out->max_smt_threads)
            c->build->out->max_smt_threads = threads;
    }
    memset(c->up, 0, c->build->masks->count * sizeof *c->up);
}

bool counters_build(struct build *build)
{
    struct arena scratch = *build->arena; /* all of this is given back */
    struct counter c = {.build = build};

    c.users = ARENA_NEW(&scratch, uint32_t, build->masks->count);
    c.up = ARENA_NEW(&scratch, uint32_t, build->masks->count);
    c.base = ARENA_NEW(&scratch, uint32_t, build->out->nr_cpu_ids);
    if (!c.users || !c.up || !c.base) {
        build->arena->is_exhausted = true;
        return false;
    }
    for (uint32_t i = 0; i < build->online_count; i++) {
        uint32_t cpu = build->order[i];

        c.users[build->out->cpus[cpu].mask[TOPOLOGY_SMT]]++;
        build->out->cpus[cpu].booted_cores = 1;
        build->groups->key[cpu] = (struct group_key){
            .part = {build->out->cpus[cpu].package_id}, .is_set = true};
    }
    count_threads(&c);
    groups_visit(build->groups, count_package, &c);
    return true;
}
