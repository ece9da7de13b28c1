/* SRAT: the table that is dropped as a whole when one entry is wrong. */
#include "kernel/topology/nodes_srat.h"

#include <stdlib.h>

enum {
    SRAT_HEADER_BYTES = 48, SRAT_REVISION = 8,
    SRAT_APIC = 0, SRAT_APIC_BYTES = 16,
    SRAT_MEMORY = 1, SRAT_MEMORY_BYTES = 40,
    SRAT_X2APIC = 2, SRAT_X2APIC_BYTES = 24,
    SRAT_GENERIC_INITIATOR = 5, SRAT_GENERIC_INITIATOR_BYTES = 32,
    XAPIC_LAST_ID = 254, APIC_ID_LIMIT = 32768,
    RAM = 1,
};
#define UNCOVERED_LIMIT_BYTES (1ull << 20)

struct srat_reader {
    const struct acpi_table *srat;
    const struct leaves *leaves;
    const struct node_rules *rules;
    struct topology_notes *notes;
    struct nodes *out;
    struct memory_block *blocks;
    uint32_t block_count;
    bool is_bad;
};

static uint32_t le(const uint8_t *bytes, unsigned count)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static void note(struct srat_reader *r, enum note_kind kind, uint32_t offset, uint32_t a,
                 uint32_t b)
{
    notes_add(r->notes, (struct topology_note){.kind = kind, .cpu = NOTES_NO_CPU,
                                               .other_cpu = NOTES_NO_CPU, .offset = offset,
                                               .a = a, .b = b});
}

static void reject(struct srat_reader *r, enum note_kind kind, uint32_t offset, uint32_t a,
                   uint32_t b)
{
    note(r, kind, offset, a, b);
    r->is_bad = true;
}

/* The node of a domain: the first domain seen is node 0. */
static int32_t node_of_domain(struct srat_reader *r, uint32_t domain, uint32_t offset)
{
    for (uint32_t i = 0; i < r->out->count; i++)
        if (r->out->domain[i] == domain)
            return (int32_t)i;
    if (r->out->count == NODES_MAX) {
        reject(r, NOTE_SRAT_TOO_MANY_DOMAINS, offset, domain, NODES_MAX);
        return NODES_NONE;
    }
    r->out->domain[r->out->count] = domain;
    return (int32_t)r->out->count++;
}

static void add_apic(struct srat_reader *r, uint32_t apic_id, int32_t node, uint32_t offset)
{
    if (node != NODES_NONE && apic_id < APIC_ID_LIMIT)
        r->out->apics[r->out->apic_count++] = (struct node_of_apic){apic_id, node, offset};
}

static void read_apic(struct srat_reader *r, const uint8_t *entry, uint32_t offset)
{
    uint32_t domain = entry[2];

    if (entry[1] != SRAT_APIC_BYTES) {
        reject(r, NOTE_SRAT_LENGTH, offset, entry[1], 0);
        return;
    }
    if (!(entry[4] & 1))
        return;
    if (r->srat->bytes[SRAT_REVISION] >= 2)
        domain |= le(entry + 9, 3) << 8;
    add_apic(r, entry[3], node_of_domain(r, domain, offset), offset);
}

static void read_x2apic(struct srat_reader *r, const uint8_t *entry, uint32_t offset)
{
    if (entry[1] < SRAT_X2APIC_BYTES) {
        reject(r, NOTE_SRAT_LENGTH, offset, entry[1], 0);
        return;
    }
    uint32_t domain = le(entry + 4, 4), apic_id = le(entry + 8, 4);

    if (!(entry[12] & 1))
        return;
    if (!r->leaves->was_x2apic && apic_id > XAPIC_LAST_ID) {
        note(r, NOTE_SRAT_ABOVE_LIMIT, offset, apic_id, domain);
        return;
    }
    add_apic(r, apic_id, node_of_domain(r, domain, offset), offset);
}

static void read_generic_initiator(struct srat_reader *r, const uint8_t *entry, uint32_t offset)
{
    if (r->rules->has_generic_initiators && entry[1] >= SRAT_GENERIC_INITIATOR_BYTES &&
        entry[24] & 1)
        node_of_domain(r, le(entry + 4, 4), offset);
}

static void read_memory(struct srat_reader *r, const uint8_t *entry, uint32_t offset)
{
    if (entry[1] < SRAT_MEMORY_BYTES) {
        reject(r, NOTE_SRAT_LENGTH, offset, entry[1], 0);
        return;
    }
    uint32_t domain = le(entry + 2, r->srat->bytes[SRAT_REVISION] <= 1 ? 1 : 4);
    uint64_t start = le(entry + 8, 4) | (uint64_t)le(entry + 12, 4) << 32;
    uint64_t length = le(entry + 16, 4) | (uint64_t)le(entry + 20, 4) << 32, end;

    if (!(entry[28] & 1) || length == 0 || __builtin_add_overflow(start, length, &end))
        return;
    int32_t node = node_of_domain(r, domain, offset);
    if (node == NODES_NONE)
        return;
    r->blocks[r->block_count++] = (struct memory_block){start, end, node};
    r->out->bytes[node] += length;
}

static bool is_processor_pass(uint8_t type)
{
    return type != SRAT_MEMORY;
}

/* Both passes go over the table once, in table order. */
static void walk(struct srat_reader *r, bool processors)
{
    uint32_t offset = SRAT_HEADER_BYTES;

    while (!r->is_bad && offset < r->srat->length_bytes) {
        const uint8_t *entry = r->srat->bytes + offset;
        uint32_t left = r->srat->length_bytes - offset;

        if (left < 2 || entry[1] < 2 || entry[1] > left) {
            reject(r, NOTE_SRAT_LENGTH, offset, left < 2 ? 0 : entry[1], 0);
            return;
        }
        if (is_processor_pass(entry[0]) == processors) {
            if (entry[0] == SRAT_APIC)
                read_apic(r, entry, offset);
            else if (entry[0] == SRAT_X2APIC)
                read_x2apic(r, entry, offset);
            else if (entry[0] == SRAT_GENERIC_INITIATOR)
                read_generic_initiator(r, entry, offset);
            else if (entry[0] == SRAT_MEMORY)
                read_memory(r, entry, offset);
        }
        offset += entry[1];
    }
}

static int compare_blocks(const void *a, const void *b)
{
    const struct memory_block *left = a, *right = b;

    return (left->start > right->start) - (left->start < right->start);
}

/* Blocks of different nodes must not overlap. */
static void test_conflicts(struct srat_reader *r)
{
    uint64_t end = 0;
    int32_t node = NODES_NONE;

    for (uint32_t i = 0; i < r->block_count && !r->is_bad; i++) {
        const struct memory_block *block = &r->blocks[i];

        if (block->start < end && block->node != node)
            reject(r, NOTE_SRAT_MEMORY_CONFLICT, 0, (uint32_t)node, (uint32_t)block->node);
        if (block->end > end) {
            end = block->end;
            node = block->node;
        }
    }
}

/* Bytes of a range of RAM that no block claims; the blocks are sorted. */
static uint64_t uncovered_bytes(const struct srat_reader *r, const struct memory_range *ram)
{
    uint64_t at = ram->start, missing = 0;

    for (uint32_t i = 0; i < r->block_count && at < ram->end; i++) {
        const struct memory_block *block = &r->blocks[i];

        if (block->end <= at)
            continue;
        if (block->start >= ram->end)
            break;
        if (block->start > at)
            missing += block->start - at;
        at = block->end;
    }
    return at < ram->end ? missing + (ram->end - at) : missing;
}

static void test_cover(struct srat_reader *r)
{
    const struct machine_facts *facts = r->leaves->facts;
    uint64_t missing = 0;

    for (uint32_t i = 0; i < facts->memory_count; i++)
        if (facts->memory[i].type == RAM && facts->memory[i].end > facts->memory[i].start)
            missing += uncovered_bytes(r, &facts->memory[i]);
    if (missing >= UNCOVERED_LIMIT_BYTES)
        reject(r, NOTE_SRAT_UNCOVERED, 0, (uint32_t)(missing >> 20), 0);
}

static void count_cpu_nodes(struct nodes *out)
{
    bool is_seen[NODES_MAX] = {false};

    for (uint32_t i = 0; i < out->apic_count; i++) {
        out->cpu_node_count += !is_seen[out->apics[i].node];
        is_seen[out->apics[i].node] = true;
    }
}

static void set_online(struct srat_reader *r)
{
    for (uint32_t i = 0; i < r->out->count; i++)
        r->out->is_online[i] = r->out->bytes[i] && r->out->bytes[i] >= r->rules->smallest_bytes;
}

bool nodes_srat_read(const struct acpi_table *srat, const struct leaves *leaves,
                     const struct node_rules *rules, struct arena *arena,
                     struct topology_notes *notes, struct nodes *out, bool *is_accepted)
{
    struct srat_reader r = {.srat = srat, .leaves = leaves, .rules = rules, .notes = notes,
                            .out = out};
    uint32_t most = srat->length_bytes / SRAT_APIC_BYTES + 1;

    out->apics = ARENA_NEW(arena, struct node_of_apic, most);
    r.blocks = ARENA_NEW(arena, struct memory_block, most);
    if (!out->apics || !r.blocks)
        return false;
    walk(&r, true);
    walk(&r, false);
    if (!r.is_bad && r.block_count == 0)
        reject(&r, NOTE_SRAT_NO_MEMORY, 0, 0, 0);
    qsort(r.blocks, r.block_count, sizeof *r.blocks, compare_blocks);
    test_conflicts(&r);
    if (!r.is_bad)
        test_cover(&r);
    nodes_sort(out);
    count_cpu_nodes(out);
    set_online(&r);
    *is_accepted = !r.is_bad;
    return true;
}
