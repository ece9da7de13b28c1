/* The small text files of a case, each reader fed with the same foreign text. */
#include <stdlib.h>

#include "kernel/facts/facts_read.h"

enum { ARENA_BYTES = 8 << 20 };

static uint8_t memory[ARENA_BYTES];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char machine[] = "cpu 0\n00000000 0 00000001 0 0 0\ncpu 1\ncpu 2\n";
    const char *text = (const char *)bytes;
    struct machine_facts facts;
    struct expectations expectations;
    struct input_error error;
    struct arena arena;
    uint32_t apic_id;

    arena_init(&arena, memory, sizeof(memory));
    if (!facts_read(machine, sizeof(machine) - 1, "fuzz", &arena, &facts, &expectations, &error))
        abort();
    facts_read_msr_text(text, length, &arena, &facts, &error);
    facts_read_lapic_text(text, length, &arena, &facts, &error);
    facts_read_nodes_text(text, length, &arena, &facts, &error);
    facts_read_boot_text(text, length, &arena, &apic_id, &error);
    facts_read_e820_text(text, length, &arena, &facts, &error);
    facts_read_expected_text(text, length, "6.12", &arena, &expectations, &error);
    for (uint32_t i = 0; i < facts.cpu_count; i++)
        facts_msr(&facts.cpus[i], 0x8B);
    return 0;
}
