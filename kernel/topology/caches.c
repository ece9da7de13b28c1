/* cpuN/cache/indexI: what each CPU lists, and who shares it. [rules 6] */
#include "kernel/topology/caches.h"

#include "kernel/lib/bits.h"
#include "kernel/topology/groups.h"

enum { AMD_L3_INDEX = 3 };

struct sharer {
    struct build *build;
    struct groups *groups;
    uint32_t index;
    uint32_t *sharing;       /* by CPU, of this index; 0: it has no such row */
    uint32_t *kinds;         /* distinct values of it */
};

static bool is_amd(const struct build *build, uint32_t cpu)
{
    enum cpu_vendor vendor = build_vendor(build, cpu);

    return vendor == VENDOR_AMD || vendor == VENDOR_HYGON;
}

static bool fill_cpu(struct build *build, uint32_t cpu)
{
    struct topology_cpu *out = &build->out->cpus[cpu];
    uint32_t count = caches_count(build, cpu);

    out->caches = count ? ARENA_NEW(build->arena, struct topology_cache, count) : NULL;
    if (count && !out->caches)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct cache_row row;

        if (!caches_row(build, cpu, i, &row)) {
            build_note(build, NOTE_CACHES_INCOMPLETE, cpu, 4, i, count, 0);
            return true; /* one empty row, and the CPU gets no directory at all */
        }
        out->caches[i] = (struct topology_cache){
            .index = i, .level = row.level, .type = row.type, .size_bytes = row.size_bytes,
            .ways = row.ways, .line_bytes = row.line_bytes, .sets = row.sets,
            .partitions = row.partitions, .sharing = row.sharing,
            .has_id = build->rules->cache.has_id_file,
            .id = bits_shift_right(out->ident.eid, bits_order(row.sharing)),
        };
    }
    out->cache_count = count;
    return true;
}

/* Distinct sharing numbers of this index from `least` on, ascending; how many. */
static uint32_t list_kinds(struct sharer *s, uint32_t least)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->build->online_count; i++) {
        uint32_t cpu = s->build->order[i];
        const struct topology_cpu *out = &s->build->out->cpus[cpu];

        s->sharing[cpu] = s->index < out->cache_count ? out->caches[s->index].sharing : 0;
        if (s->sharing[cpu] >= least && (count == 0 || s->kinds[count - 1] != s->sharing[cpu]))
            s->kinds[count++] = s->sharing[cpu];
    }
    return numbering_sort_unique(s->kinds, count);
}

static void clear_keys(struct sharer *s)
{
    for (uint32_t i = 0; i < s->build->online_count; i++)
        s->groups->key[s->build->order[i]].is_set = false;
}

/* Caches that cover 2^k consecutive ids: everybody with the same id above bit k is
 * linked to those CPUs that report such a cache. */
static bool share_by_shift(struct sharer *s, bool for_amd)
{
    uint32_t kinds = list_kinds(s, 2);
    unsigned done_shift = UINT32_MAX;

    for (uint32_t kind = 0; kind < kinds; kind++) {
        unsigned shift = bits_order(s->kinds[kind]);

        if (shift == done_shift)
            continue;
        done_shift = shift;
        clear_keys(s);
        for (uint32_t i = 0; i < s->build->online_count; i++) {
            uint32_t cpu = s->build->order[i];

            if (s->sharing[cpu] && is_amd(s->build, cpu) == for_amd)
                s->groups->key[cpu] = (struct group_key){
                    .part = {bits_shift_right(s->build->out->cpus[cpu].ident.eid, shift)},
                    .is_set = true,
                    .initiates = s->sharing[cpu] > 1 && bits_order(s->sharing[cpu]) == shift};
        }
        if (!groups_link(s->groups, LINK_BY_EITHER))
            return false;
    }
    return true;
}

/* AMD with TOPOEXT: n consecutive ids from a multiple of n, n as it stands. Even with
 * n = 1 CPUs share where CPUID gives them one id. */
static bool share_by_range(struct sharer *s)
{
    uint32_t kinds = list_kinds(s, 1);

    for (uint32_t kind = 0; kind < kinds; kind++) {
        clear_keys(s);
        for (uint32_t i = 0; i < s->build->online_count; i++) {
            uint32_t cpu = s->build->order[i];

            if (s->sharing[cpu] && is_amd(s->build, cpu))
                s->groups->key[cpu] = (struct group_key){
                    .part = {s->build->out->cpus[cpu].ident.eid / s->kinds[kind]},
                    .is_set = true, .initiates = s->sharing[cpu] == s->kinds[kind]};
        }
        if (!groups_link(s->groups, LINK_WHOLE))
            return false;
    }
    return true;
}

/* AMD index 3 by the LLC mask: everybody in it gets it. */
static bool share_by_llc(struct sharer *s)
{
    for (uint32_t i = 0; i < s->build->online_count; i++) {
        uint32_t cpu = s->build->order[i];
        uint32_t mask = s->build->out->cpus[cpu].mask[TOPOLOGY_LLC];

        if (s->index >= s->build->out->cpus[cpu].cache_count || !is_amd(s->build, cpu))
            continue;
        CPUMASK_FOR_EACH(other, &s->build->masks->masks[mask]) {
            uint32_t *result = &s->groups->result[other];

            if (*result == mask)
                continue;
            *result = *result == MASKS_NONE ? mask : masks_union(s->build->masks, *result, mask);
            if (*result == MASKS_NONE)
                return false;
        }
    }
    return true;
}

static bool share_amd(struct sharer *s)
{
    bool has_topoext = s->build->out->cpus[s->build->order[0]].ident.has_topoext;
    bool is_hygon = build_vendor(s->build, s->build->order[0]) == VENDOR_HYGON;

    if (s->index == AMD_L3_INDEX && (s->build->rules->cache.l3_is_llc_mask || !has_topoext))
        return share_by_llc(s);
    return has_topoext || is_hygon ? share_by_range(s) : share_by_shift(s, true);
}

static bool share_index(struct sharer *s)
{
    groups_start(s->groups, s->build->order, s->build->online_count);
    bool is_done = is_amd(s->build, s->build->order[0]) ? share_amd(s) : share_by_shift(s, false);
    if (!is_done || !groups_finish(s->groups))
        return false;
    for (uint32_t i = 0; i < s->build->online_count; i++) {
        struct topology_cpu *out = &s->build->out->cpus[s->build->order[i]];

        if (s->index < out->cache_count)
            out->caches[s->index].shared_mask = s->groups->result[s->build->order[i]];
    }
    return true;
}

bool caches_build(struct build *build)
{
    struct sharer s = {.build = build, .groups = build->groups};
    uint32_t most = 0;

    for (uint32_t i = 0; i < build->online_count; i++) {
        if (!fill_cpu(build, build->order[i]))
            return false;
        uint32_t count = build->out->cpus[build->order[i]].cache_count;
        most = count > most ? count : most;
    }
    s.sharing = ARENA_NEW(build->arena, uint32_t, build->out->nr_cpu_ids);
    s.kinds = ARENA_NEW(build->arena, uint32_t, build->online_count);
    if (!s.sharing || !s.kinds)
        return false;
    for (s.index = 0; s.index < most; s.index++)
        if (!share_index(&s))
            return false;
    return true;
}
