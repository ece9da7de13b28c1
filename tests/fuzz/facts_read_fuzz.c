/* Recorded machines are foreign text: any text is read without a fault, and what
 * was taken as good is written and read back as the same machine. */
#include <stdlib.h>
#include <string.h>

#include "kernel/facts/facts_read.h"
#include "kernel/facts/facts_write.h"

enum { ARENA_BYTES = 32 << 20, TEXT_BYTES = 8 << 20 };

static uint8_t memory[ARENA_BYTES], memory_again[ARENA_BYTES];
static char text[TEXT_BYTES];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_lookups(const struct machine_facts *facts)
{
    static const uint32_t leaves[] = {0, 1, 4, 7, 0xB, 0x1F, 0x80000000, 0x8000001E, 0x80000026};
    struct cpuid_regs regs;

    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        if (facts_cpu_index(facts, facts->number[i]) != i)
            abort();
        for (size_t leaf = 0; leaf < sizeof(leaves) / sizeof(leaves[0]); leaf++)
            facts_cpuid(facts, &facts->cpus[i], leaves[leaf], i % 4, &regs);
        facts_msr(&facts->cpus[i], 0x1B);
        if (facts->stated_nodes && facts->stated_nodes[i] < -1)
            abort();
    }
    facts_table(facts, "APIC");
}

static void check_round_trip(const struct machine_facts *facts, bool is_compact)
{
    struct machine_facts again;
    struct expectations none;
    struct input_error error;
    struct arena arena;
    struct textbuf out;

    textbuf_init(&out, text, sizeof(text));
    facts_write(&out, facts, is_compact);
    if (out.is_cut)
        return;
    arena_init(&arena, memory_again, sizeof(memory_again));
    if (!facts_read(out.text, out.length, "again", &arena, &again, &none, &error)) {
        if (!arena.is_exhausted)
            abort();
        return;
    }
    if (again.cpu_count != facts->cpu_count || again.table_count != facts->table_count ||
        again.memory_count != facts->memory_count)
        abort();
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        const struct cpu_facts *a = &facts->cpus[i], *b = &again.cpus[i];

        if (a->row_count != b->row_count || a->end_count != b->end_count ||
            a->msr_count != b->msr_count || a->state != b->state ||
            (a->row_count && memcmp(a->rows, b->rows, a->row_count * sizeof(*a->rows)) != 0))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct machine_facts facts;
    struct expectations expectations;
    struct input_error error;
    struct arena arena;

    arena_init(&arena, memory, sizeof(memory));
    if (!facts_read((const char *)bytes, length, "fuzz", &arena, &facts, &expectations, &error)) {
        if (!error.text[0])
            abort();
        return 0;
    }
    check_lookups(&facts);
    check_round_trip(&facts, false);
    check_round_trip(&facts, true);
    return 0;
}
