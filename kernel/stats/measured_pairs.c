/* The list of pairs and the declared distance between two CPUs. */
#include "kernel/stats/measured_pairs.h"

#include "kernel/stats/agreement_claims.h"
#include "kernel/stats/rng.h"

enum { RNG_STREAM_PAIRS = 0x70616972 };

const char *distance_name(enum distance_class distance)
{
    static const char *const names[DISTANCE_CLASSES] = {
        [DISTANCE_SMT] = "smt",   [DISTANCE_CLUSTER] = "cluster", [DISTANCE_LLC] = "llc",
        [DISTANCE_DIE] = "die",   [DISTANCE_PACKAGE] = "package", [DISTANCE_MACHINE] = "machine",
    };

    return names[distance];
}

uint32_t distance_nominal_ns(enum distance_class distance)
{
    static const uint32_t ns[DISTANCE_CLASSES] = {
        [DISTANCE_SMT] = 10, [DISTANCE_CLUSTER] = 20, [DISTANCE_LLC] = 40,
        [DISTANCE_DIE] = 60, [DISTANCE_PACKAGE] = 80, [DISTANCE_MACHINE] = 150,
    };

    return ns[distance];
}

enum distance_class pair_distance(const struct measured_results *results,
                                  const struct topology *topology, uint32_t a, uint32_t b)
{
    static const enum topology_mask kinds[] = {TOPOLOGY_SMT, TOPOLOGY_CLUSTER, TOPOLOGY_LLC,
                                               TOPOLOGY_DIE, TOPOLOGY_PACKAGE};
    const struct topology_cpu *cpu = &topology->cpus[results->cpus[a].cpu];

    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (claims_has_kind(topology, kinds[i]) &&
            cpumask_has(&topology->masks[cpu->mask[kinds[i]]], results->cpus[b].cpu))
            return DISTANCE_SMT + i;
    return DISTANCE_MACHINE;
}

static void add_pair(struct pair_list *list, uint32_t from, uint32_t to)
{
    list->pairs[list->count++] = (struct measured_pair){from, to};
}

static bool make_all(struct pair_list *list, uint32_t count, struct arena *arena)
{
    list->pairs = ARENA_NEW(arena, struct measured_pair, list->possible + 1);
    if (!list->pairs)
        return false;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            if (a != b)
                add_pair(list, a, b);
    return true;
}

/* Draws from partners[0 … count-1] without repeating; both directions at once. */
static void draw(struct pair_list *list, struct rng *rng, uint32_t from, uint32_t *partners,
                 uint32_t count, bool *is_taken, uint32_t cpu_count)
{
    for (uint32_t n = 0; n < PAIRS_SAMPLED_PER_CLASS && n < count; n++) {
        uint32_t at = n + (uint32_t)rng_below(rng, count - n);
        uint32_t to = partners[at];

        partners[at] = partners[n];
        partners[n] = to;
        if (is_taken[(size_t)from * cpu_count + to])
            continue;
        is_taken[(size_t)from * cpu_count + to] = is_taken[(size_t)to * cpu_count + from] = true;
        add_pair(list, from, to);
        add_pair(list, to, from);
    }
}

static bool make_sample(const struct measured_results *results, const struct topology *topology,
                        struct rng *rng, struct arena *arena, struct arena *scratch,
                        struct pair_list *list)
{
    uint32_t count = results->cpu_count;
    uint32_t most = 2 * DISTANCE_CLASSES * PAIRS_SAMPLED_PER_CLASS;
    bool *is_taken = ARENA_NEW(scratch, bool, (size_t)count * count);
    uint32_t *partners = ARENA_NEW(scratch, uint32_t, count);

    list->pairs = ARENA_NEW(arena, struct measured_pair, (size_t)count * most);
    if (!is_taken || !partners || !list->pairs)
        return false;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t distance = 0; distance < DISTANCE_CLASSES; distance++) {
            uint32_t found = 0;

            for (uint32_t b = 0; b < count; b++)
                if (b != a && pair_distance(results, topology, a, b) == distance)
                    partners[found++] = b;
            draw(list, rng, a, partners, found, is_taken, count);
        }
    return true;
}

bool pair_list_make(const struct measured_results *results, const struct topology *topology,
                    uint64_t seed, struct arena *arena, struct arena *scratch,
                    struct pair_list *list)
{
    struct rng rng = rng_of(seed, RNG_STREAM_PAIRS);
    uint32_t count = results->cpu_count;

    *list = (struct pair_list){.possible = count * (count - 1),
                               .is_sampled = count > PAIRS_ALL_CPUS};
    if (!(list->is_sampled ? make_sample(results, topology, &rng, arena, scratch, list) :
                             make_all(list, count, arena)))
        return false;
    for (uint32_t i = list->count; i-- > 1;) {
        uint32_t other = (uint32_t)rng_below(&rng, i + 1);
        struct measured_pair kept = list->pairs[i];

        list->pairs[i] = list->pairs[other];
        list->pairs[other] = kept;
    }
    return true;
}
