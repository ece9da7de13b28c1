/* Groups by hashing keys; sets are made once a group, not once a pair. */
#include "kernel/topology/groups.h"

#include <string.h>

enum { NOBODY = UINT32_MAX };

bool groups_init(struct groups *g, uint32_t cpu_count, struct mask_table *masks,
                 struct arena *arena)
{
    *g = (struct groups){.masks = masks, .slot_mask = 15};
    while (g->slot_mask < 2 * cpu_count)
        g->slot_mask = 2 * g->slot_mask + 1;
    g->slots = ARENA_NEW(arena, uint32_t, (size_t)g->slot_mask + 1);
    g->result = ARENA_NEW(arena, uint32_t, cpu_count);
    g->key = ARENA_NEW(arena, struct group_key, cpu_count);
    g->next = ARENA_NEW(arena, uint32_t, cpu_count);
    g->last = ARENA_NEW(arena, uint32_t, cpu_count);
    g->heads = ARENA_NEW(arena, uint32_t, cpu_count);
    g->members = ARENA_NEW(arena, uint32_t, cpu_count);
    g->picked = ARENA_NEW(arena, uint32_t, cpu_count);
    return g->slots && g->result && g->key && g->next && g->last && g->heads && g->members &&
           g->picked;
}

void groups_start(struct groups *g, const uint32_t *order, uint32_t count)
{
    g->order = order;
    g->count = count;
    for (uint32_t i = 0; i < count; i++)
        g->result[order[i]] = MASKS_NONE;
}

static uint32_t key_hash(const struct group_key *key)
{
    uint64_t hash = 0;

    for (unsigned i = 0; i < GROUPS_KEY_PARTS; i++)
        hash = (hash ^ key->part[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return (uint32_t)(hash >> 32);
}

static bool keys_are_equal(const struct group_key *a, const struct group_key *b)
{
    return memcmp(a->part, b->part, sizeof a->part) == 0;
}

/* Chains positions with equal keys; heads lists the first of each. */
static void collect(struct groups *g)
{
    memset(g->slots, 0, ((size_t)g->slot_mask + 1) * sizeof *g->slots);
    g->head_count = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const struct group_key *key = &g->key[g->order[i]];

        if (!key->is_set)
            continue;
        uint32_t slot = key_hash(key) & g->slot_mask;
        while (g->slots[slot] &&
               !keys_are_equal(key, &g->key[g->order[g->slots[slot] - 1]]))
            slot = (slot + 1) & g->slot_mask;
        g->next[i] = NOBODY;
        if (g->slots[slot]) {
            uint32_t head = g->slots[slot] - 1;

            g->next[g->last[head]] = i;
            g->last[head] = i;
        } else {
            g->slots[slot] = i + 1;
            g->last[i] = i;
            g->heads[g->head_count++] = i;
        }
    }
}

static uint32_t list_members(struct groups *g, uint32_t head)
{
    uint32_t count = 0;

    for (uint32_t i = head; i != NOBODY; i = g->next[i])
        g->members[count++] = g->order[i];
    return count;
}

static bool join(struct groups *g, uint32_t cpu, uint32_t mask)
{
    if (mask == MASKS_NONE)
        return false;
    g->result[cpu] = g->result[cpu] == MASKS_NONE ? mask
                                                  : masks_union(g->masks, g->result[cpu], mask);
    return g->result[cpu] != MASKS_NONE;
}

static bool join_all(struct groups *g, uint32_t count)
{
    uint32_t mask = masks_of_list(g->masks, g->members, count);

    for (uint32_t i = 0; i < count; i++)
        if (!join(g, g->members[i], mask))
            return false;
    return true;
}

/* The members that the one at `position` is linked with, itself included. */
static uint32_t pick(struct groups *g, uint32_t count, uint32_t position, enum group_link link)
{
    bool initiates = g->key[g->members[position]].initiates;
    uint32_t picked = 0;

    for (uint32_t i = 0; i < count; i++) {
        bool other = g->key[g->members[i]].initiates;
        bool is_linked = link == LINK_BY_EITHER ? initiates || other
                       : i < position ? initiates : other;

        if (i == position || is_linked)
            g->picked[picked++] = g->members[i];
    }
    return picked;
}

/* Some initiate and some do not. Neighbours in the list that all initiate have the
 * same partners, so the sets made are no more than those that do not initiate. */
static bool join_mixed(struct groups *g, uint32_t count, enum group_link link)
{
    uint32_t previous = MASKS_NONE;
    bool previous_initiates = false;

    for (uint32_t i = 0; i < count; i++) {
        bool initiates = g->key[g->members[i]].initiates;

        if (!(i && initiates && previous_initiates)) {
            uint32_t picked = pick(g, count, i, link);

            previous = masks_of_list(g->masks, g->picked, picked);
        }
        previous_initiates = initiates;
        if (!join(g, g->members[i], previous))
            return false;
    }
    return true;
}

static bool link_group(struct groups *g, uint32_t count, enum group_link link)
{
    uint32_t initiators = 0, first = link == LINK_BY_LATER ? 1 : 0;

    for (uint32_t i = first; i < count; i++)
        initiators += g->key[g->members[i]].initiates;
    if (initiators == 0 || count < 2)
        return true;
    if (initiators == count - first || link == LINK_WHOLE)
        return join_all(g, count);
    return join_mixed(g, count, link);
}

bool groups_link(struct groups *g, enum group_link link)
{
    collect(g);
    for (uint32_t i = 0; i < g->head_count; i++)
        if (!link_group(g, list_members(g, g->heads[i]), link))
            return false;
    return true;
}

bool groups_finish(struct groups *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t cpu = g->order[i];

        if (g->result[cpu] == MASKS_NONE)
            g->result[cpu] = masks_of_list(g->masks, &cpu, 1);
        if (g->result[cpu] == MASKS_NONE)
            return false;
    }
    return true;
}

void groups_visit(struct groups *g,
                  void (*visit)(void *context, const uint32_t *cpus, uint32_t count),
                  void *context)
{
    collect(g);
    for (uint32_t i = 0; i < g->head_count; i++) {
        uint32_t count = list_members(g, g->heads[i]);

        if (count > 1)
            visit(context, g->members, count);
    }
}
