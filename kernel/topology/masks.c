/* Interning by hash: a set is looked up by its members, not by its words. */
#include "kernel/topology/masks.h"

#include <stddef.h>
#include <string.h>

enum { WORD_BITS = 64 };

/* The hash of a set is the sum of its members' hashes, so that order does not matter. */
static uint64_t member_hash(uint32_t cpu)
{
    uint64_t x = (cpu + 1) * 0x9E3779B97F4A7C15u;

    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9u;
    return x ^ x >> 32;
}

static uint32_t slot_of(const struct mask_table *table, uint64_t hash)
{
    return (uint32_t)(hash * 0x9E3779B97F4A7C15u >> (64 - table->slot_bits));
}

static void slot_put(struct mask_table *table, uint32_t index)
{
    uint32_t wrap = (1u << table->slot_bits) - 1;
    uint32_t slot = slot_of(table, table->hashes[index]);

    while (table->slots[slot])
        slot = (slot + 1) & wrap;
    table->slots[slot] = index + 1;
}

static bool grow(struct mask_table *table, unsigned slot_bits)
{
    uint32_t capacity = 1u << (slot_bits - 1);
    struct cpumask *masks = ARENA_NEW(table->arena, struct cpumask, capacity);
    uint64_t *hashes = ARENA_NEW(table->arena, uint64_t, capacity);
    uint32_t *sizes = ARENA_NEW(table->arena, uint32_t, capacity);
    uint32_t *firsts = ARENA_NEW(table->arena, uint32_t, capacity);
    uint32_t *slots = ARENA_NEW(table->arena, uint32_t, 2 * (size_t)capacity);

    if (!masks || !hashes || !sizes || !firsts || !slots)
        return false;
    if (table->count) {
        memcpy(masks, table->masks, table->count * sizeof *masks);
        memcpy(hashes, table->hashes, table->count * sizeof *hashes);
        memcpy(sizes, table->sizes, table->count * sizeof *sizes);
        memcpy(firsts, table->firsts, table->count * sizeof *firsts);
    }
    table->masks = masks;
    table->hashes = hashes;
    table->sizes = sizes;
    table->firsts = firsts;
    table->slots = slots;
    table->capacity = capacity;
    table->slot_bits = slot_bits;
    for (uint32_t i = 0; i < table->count; i++)
        slot_put(table, i);
    return true;
}

static bool has_all(const struct cpumask *mask, const uint32_t *cpus, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!cpumask_has(mask, cpus[i]))
            return false;
    return true;
}

static uint32_t add(struct mask_table *table, uint64_t hash, uint32_t size, uint32_t first)
{
    if (table->count == table->capacity && !grow(table, table->slot_bits + 1))
        return MASKS_NONE;
    if (!cpumask_init(&table->masks[table->count], table->cpu_count, table->arena))
        return MASKS_NONE;
    table->hashes[table->count] = hash;
    table->sizes[table->count] = size;
    table->firsts[table->count] = first;
    slot_put(table, table->count);
    return table->count++;
}

bool masks_init(struct mask_table *table, uint32_t cpu_count, struct arena *arena)
{
    *table = (struct mask_table){.cpu_count = cpu_count, .arena = arena};
    unsigned slot_bits = 5;

    while ((1u << slot_bits) < 2 * (uint64_t)cpu_count && slot_bits < 24)
        slot_bits++;
    return cpumask_init(&table->joined, cpu_count, arena) && grow(table, slot_bits);
}

uint32_t masks_of_list(struct mask_table *table, const uint32_t *cpus, uint32_t count)
{
    uint32_t wrap = (1u << table->slot_bits) - 1;
    uint64_t hash = 0;

    for (uint32_t i = 0; i < count; i++)
        hash += member_hash(cpus[i]);
    for (uint32_t slot = slot_of(table, hash); table->slots[slot]; slot = (slot + 1) & wrap) {
        uint32_t index = table->slots[slot] - 1;

        if (table->hashes[index] == hash && table->sizes[index] == count &&
            has_all(&table->masks[index], cpus, count))
            return index;
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++)
        first = i == 0 || cpus[i] < first ? cpus[i] : first;
    uint32_t index = add(table, hash, count, first);
    for (uint32_t i = 0; i < count && index != MASKS_NONE; i++)
        cpumask_set(&table->masks[index], cpus[i]);
    return index;
}

uint32_t masks_of(struct mask_table *table, const struct cpumask *mask)
{
    uint32_t wrap = (1u << table->slot_bits) - 1;
    uint64_t hash = 0;
    uint32_t count = 0;

    CPUMASK_FOR_EACH(cpu, mask) {
        hash += member_hash(cpu);
        count++;
    }
    for (uint32_t slot = slot_of(table, hash); table->slots[slot]; slot = (slot + 1) & wrap) {
        uint32_t index = table->slots[slot] - 1;

        if (table->hashes[index] == hash && table->sizes[index] == count &&
            cpumask_equal(&table->masks[index], mask))
            return index;
    }
    uint32_t index = add(table, hash, count, count ? cpumask_first(mask) : 0);
    if (index != MASKS_NONE)
        cpumask_or(&table->masks[index], mask);
    return index;
}

bool masks_is_subset(const struct mask_table *table, uint32_t inner, uint32_t outer)
{
    const uint64_t *in = table->masks[inner].words, *out = table->masks[outer].words;
    uint32_t left = table->sizes[inner];

    if (inner == outer || table->sizes[outer] == table->cpu_count)
        return true;
    if (left > table->sizes[outer])
        return false;
    for (uint32_t word = table->firsts[inner] / WORD_BITS; left > 0; word++) {
        if (in[word] & ~out[word])
            return false;
        if (in[word])
            left -= (uint32_t)__builtin_popcountll(in[word]);
    }
    return true;
}

uint32_t masks_union(struct mask_table *table, uint32_t a, uint32_t b)
{
    if (masks_is_subset(table, b, a))
        return a;
    if (masks_is_subset(table, a, b))
        return b;
    cpumask_copy(&table->joined, &table->masks[a]);
    cpumask_or(&table->joined, &table->masks[b]);
    return masks_of(table, &table->joined);
}
