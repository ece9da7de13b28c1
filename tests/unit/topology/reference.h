/* The link and cache rules once more, slow and literal: every CPU that comes up is
 * compared with every one that is up. Written from the specification's tables by
 * profile name, without a look at the fast builder's groups. */
#ifndef TESTS_UNIT_TOPOLOGY_REFERENCE_H
#define TESTS_UNIT_TOPOLOGY_REFERENCE_H

#include <stdlib.h>
#include <string.h>

#include "kernel/topology/rules.h"
#include "kernel/topology/topology.h"
#include "tests/unit/unit_test.h"

enum { REFERENCE_CPUS = 128, REFERENCE_INDEXES = 8 };

struct reference {
    const struct topology *t;
    unsigned age;               /* index of the profile: 0 rfc1 … 6 linux-7.2 */
    bool is_intel_snc, has_several_threads, has_several_cores;
    uint32_t order[REFERENCE_CPUS], count;
    bool link[TOPOLOGY_MASK_KINDS][REFERENCE_CPUS][REFERENCE_CPUS];
    bool is_up[REFERENCE_CPUS];
    uint32_t max_smt;
    uint32_t booted[REFERENCE_CPUS];
    bool shared[REFERENCE_INDEXES][REFERENCE_CPUS][REFERENCE_CPUS];
};

enum { AGE_RFC1, AGE_4_9, AGE_4_10, AGE_5_10, AGE_6_1, AGE_6_12, AGE_7_2 };

static inline const struct topology_cpu *reference_cpu(const struct reference *r, uint32_t cpu)
{
    return &r->t->cpus[cpu];
}

/* [rules 4.1]: threads per core and cores per package from all APIC ids. */
static inline void reference_count_ids(struct reference *r)
{
    const uint8_t *shift = reference_cpu(r, r->order[0])->ident.shift;
    uint32_t threads = 0, cores = 0, first_cores = 0, lowest = UINT32_MAX;

    for (uint32_t i = 0; i < r->count; i++)
        if (reference_cpu(r, r->order[i])->apic_id < lowest)
            lowest = reference_cpu(r, r->order[i])->apic_id;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t id = reference_cpu(r, r->order[i])->apic_id;
        bool is_new = true, is_new_core = true;

        for (uint32_t j = 0; j < i; j++) {
            uint32_t other = reference_cpu(r, r->order[j])->apic_id;

            is_new = is_new && other != id;
            is_new_core = is_new_core && other >> shift[0] != id >> shift[0];
        }
        threads += is_new;
        cores += is_new_core;
        first_cores += is_new_core && (uint64_t)id >> shift[5] == (uint64_t)lowest >> shift[5];
    }
    r->has_several_cores = first_cores > 1;
    r->has_several_threads = (threads + cores - 1) / cores > 1;
}

static inline bool reference_has_smt(const struct reference *r, uint32_t cpu)
{
    return r->age <= AGE_6_1 ? reference_cpu(r, cpu)->ident.siblings > 1
                             : r->has_several_threads;
}

static inline bool reference_has_mp(const struct reference *r, uint32_t cpu)
{
    if (reference_has_smt(r, cpu))
        return true;
    return r->age <= AGE_6_1 ? reference_cpu(r, r->order[0])->ident.max_cores > 1
                             : r->has_several_cores;
}

/* [rules 4.3]; `a` comes up, `b` is up. */
static inline bool reference_smt(const struct reference *r, uint32_t a_cpu, uint32_t b_cpu)
{
    const struct topology_cpu *a = reference_cpu(r, a_cpu), *b = reference_cpu(r, b_cpu);
    bool same_unit = a->ident.cu_id == b->ident.cu_id;
    bool same_core = a->core_id == b->core_id;

    if (a->package_id != b->package_id || a->node != b->node)
        return false;
    if (r->age >= AGE_5_10 && a->die_id != b->die_id)
        return false;
    if (!a->ident.has_topoext)
        return same_core;
    if (a->llc_id != b->llc_id || (r->age >= AGE_6_12 && a->ident.amd_node != b->ident.amd_node))
        return false;
    if (r->age == AGE_RFC1)
        return same_core || same_unit;
    if (r->age == AGE_4_9)
        return same_core;
    return same_core || (a->ident.cu_id != 0xFF && b->ident.cu_id != 0xFF && same_unit);
}

static inline bool reference_match(const struct reference *r, enum topology_mask mask, uint32_t a,
                                   uint32_t b)
{
    const struct topology_cpu *x = reference_cpu(r, a), *y = reference_cpu(r, b);
    const struct topology_ident *boot = &reference_cpu(r, r->order[0])->ident;

    switch (mask) {
    case TOPOLOGY_SMT:
        return reference_has_smt(r, a) && reference_smt(r, a, b);
    case TOPOLOGY_CLUSTER:
        if (x->ident.l2_id == 0xFFFF)
            return reference_smt(r, a, b);
        return x->ident.l2_id == y->ident.l2_id && x->node == y->node;
    case TOPOLOGY_LLC:
        return x->llc_id != 0xFFFF && x->llc_id == y->llc_id && x->node == y->node;
    case TOPOLOGY_DIE:
        return x->package_id == y->package_id && x->die_id == y->die_id &&
               (r->age < AGE_6_12 || !boot->has_topoext || boot->nodes_per_package <= 1 ||
                x->ident.amd_node == y->ident.amd_node);
    default:
        return x->package_id == y->package_id;
    }
}

/* [rules 4.9], step by step as CPU `cpu` comes up. */
static inline void reference_count(struct reference *r, uint32_t cpu)
{
    uint32_t threads = 0;

    for (uint32_t other = 0; other < r->t->cpu_count; other++)
        threads += r->is_up[other] && r->link[TOPOLOGY_SMT][cpu][other];
    if (threads > r->max_smt)
        r->max_smt = threads;
    for (uint32_t j = 0; j < r->t->cpu_count; j++) {
        if (!r->is_up[j] ||
            (j != cpu && reference_cpu(r, j)->package_id != reference_cpu(r, cpu)->package_id))
            continue;
        if (threads == 1) {
            uint32_t first = 0;

            while (!(r->is_up[first] && r->link[TOPOLOGY_SMT][j][first]))
                first++;
            r->booted[cpu] += first == j;
            r->booted[j] += j != cpu;
        } else if (j != cpu && !r->booted[cpu]) {
            r->booted[cpu] = r->booted[j];
        }
    }
}

static inline void reference_bring_up(struct reference *r, uint32_t cpu)
{
    r->is_up[cpu] = true;
    for (unsigned mask = 0; mask < TOPOLOGY_MASK_KINDS; mask++)
        r->link[mask][cpu][cpu] = true;
    if (!reference_has_mp(r, cpu)) {
        r->booted[cpu] = 1;
        return;
    }
    for (uint32_t other = 0; other < r->t->cpu_count; other++)
        for (unsigned mask = 0; mask < TOPOLOGY_MASK_KINDS; mask++)
            if (r->is_up[other] && other != cpu && reference_match(r, mask, cpu, other))
                r->link[mask][cpu][other] = r->link[mask][other][cpu] = true;
    reference_count(r, cpu);
}

/* [rules 6.3] */
static inline void reference_share(struct reference *r, bool is_amd, bool has_ranges)
{
    for (uint32_t i = 0; i < REFERENCE_INDEXES; i++)
        for (uint32_t x = 0; x < r->t->cpu_count; x++) {
            const struct topology_cpu *one = &r->t->cpus[x];

            if (!one->is_online || i >= one->cache_count)
                continue;
            uint32_t n = one->caches[i].sharing, eid = one->ident.eid, first = eid - eid % n;
            bool by_llc = is_amd && i == 3 &&
                          (r->age >= AGE_5_10 || !r->t->cpus[r->order[0]].ident.has_topoext);
            uint32_t set[REFERENCE_CPUS], size = 0;
            unsigned order = 0;

            while ((1u << order) < n)
                order++;
            for (uint32_t y = 0; y < r->t->cpu_count; y++) {
                const struct topology_cpu *other = &r->t->cpus[y];
                bool lists = other->is_online && i < other->cache_count;

                if (by_llc ? r->link[TOPOLOGY_LLC][x][y]
                    : is_amd && has_ranges
                        ? lists && other->ident.eid >= first && other->ident.eid - first < n
                        : lists && (y == x || (n > 1 && other->ident.eid >> order == eid >> order)))
                    set[size++] = y;
            }
            for (uint32_t y = 0; y < size; y++)
                for (uint32_t z = 0; z < size; z++)
                    if (by_llc || (is_amd && has_ranges) || set[y] == x || set[z] == x)
                        r->shared[i][set[y]][set[z]] = true;
        }
}

/* First threads first from linux-6.12 on. */
static inline void reference_order(struct reference *r)
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t cpu = 0; cpu < r->t->cpu_count; cpu++) {
            bool is_early = r->age < AGE_6_12 || r->t->cpus[cpu].is_primary;

            if (r->count == 0 || cpu != r->order[0])
                if (r->t->cpus[cpu].is_online &&
                    ((pass == 0 && (is_early || r->count == 0)) ||
                     (pass == 1 && !is_early && r->age >= AGE_6_12)))
                    r->order[r->count++] = cpu;
        }
}

static inline bool reference_mask_is(const struct topology *t, uint32_t mask, const bool *row)
{
    for (uint32_t cpu = 0; cpu < t->cpu_count; cpu++)
        if (cpumask_has(&t->masks[mask], cpu) != row[cpu])
            return false;
    return true;
}

/* Compares a whole topology; prints nothing and returns the first thing that
 * differs, NULL when all is equal. */
static inline const char *reference_compare(const struct topology *t, struct reference *r,
                                            bool is_amd, bool has_ranges, uint32_t *where)
{
    memset(r, 0, sizeof *r);
    r->t = t;
    r->age = (unsigned)(t->rules - rule_profiles);
    reference_order(r);
    if (r->count)
        reference_count_ids(r);
    for (uint32_t i = 0; i < r->count; i++)
        reference_bring_up(r, r->order[i]);
    reference_share(r, is_amd, has_ranges);
    for (uint32_t cpu = 0; cpu < t->cpu_count; cpu++) {
        *where = cpu;
        if (!t->cpus[cpu].is_online)
            continue;
        for (unsigned mask = 0; mask < TOPOLOGY_MASK_KINDS; mask++)
            if (t->cpus[cpu].mask[mask] != MASKS_NONE &&
                !reference_mask_is(t, t->cpus[cpu].mask[mask], r->link[mask][cpu]))
                return mask == TOPOLOGY_SMT ? "smt" : mask == TOPOLOGY_CLUSTER ? "cluster"
                     : mask == TOPOLOGY_LLC ? "llc" : mask == TOPOLOGY_DIE ? "die" : "package";
        for (uint32_t i = 0; i < t->cpus[cpu].cache_count && i < REFERENCE_INDEXES; i++)
            if (!reference_mask_is(t, t->cpus[cpu].caches[i].shared_mask, r->shared[i][cpu]))
                return "cache";
        if (t->cpus[cpu].booted_cores != r->booted[cpu])
            return "booted cores";
    }
    return t->max_smt_threads == r->max_smt ? NULL : "max smt threads";
}

#endif
