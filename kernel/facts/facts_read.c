/* Tells the formats apart by their first line and starts the right reader. */
#include "kernel/facts/facts_read.h"

#include <stdio.h>
#include <string.h>

#include "kernel/facts/facts_builder.h"

enum { GRAMMAR_VERSION = 2 };

static bool starts_with(const char *text, size_t length, const char *word)
{
    return length >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static bool read_corpus(struct facts_builder *builder, const char *text, size_t length)
{
    const char *version = text + strlen("# coretruth-cpuid ");
    unsigned number = 0;

    for (; version < text + length && *version >= '0' && *version <= '9' && number < 1000;
         version++)
        number = number * 10 + (unsigned)(*version - '0');
    if (number < 1 || number > GRAMMAR_VERSION) {
        input_error_set(builder->error, PLACE_LINE, 1,
                        "this is not version 1 or %u of coretruth-cpuid", GRAMMAR_VERSION);
        return false;
    }
    if (!corpus_read(builder))
        return false;
    facts_fill_apic_ids(builder->facts, builder->arena);
    /* Without a MADT there is nothing to number by: the section numbers are Linux's. */
    builder->facts->has_linux_numbers = !facts_table(builder->facts, "APIC");
    return true;
}

static bool read_case(struct facts_builder *builder)
{
    builder->facts->has_linux_numbers = true;
    return case_read_cpuid(builder);
}

static bool read_any(struct facts_builder *builder, const char *text, size_t length)
{
    if (starts_with(text, length, "# coretruth-cpuid "))
        return read_corpus(builder, text, length);
    if (starts_with(text, length, "# coretruth oracle record"))
        return oracle_read(builder);
    if (starts_with(text, length, "cpu "))
        return read_case(builder);
    input_error_set(builder->error, PLACE_LINE, 1,
                    "not a recorded machine: right is '# coretruth-cpuid 1' (facts.txt, corpus), "
                    "'# coretruth oracle record 1' or 'cpu 0' (cpuid.txt)");
    return false;
}

/* stated_nodes[] is as long as cpus[], also when only some CPUs had a node. */
static bool finish_nodes(struct facts_builder *builder)
{
    struct machine_facts *facts = builder->facts;
    uint32_t last = facts->cpu_count - 1;

    if (!facts->stated_nodes || facts->cpu_count <= facts->stated_node_capacity)
        return true;
    return facts_set_node(facts, last, -1, builder->arena) || text_out_of_memory(builder->error);
}

bool facts_read(const char *text, size_t length, const char *name, struct arena *arena,
                struct machine_facts *facts, struct expectations *expectations,
                struct input_error *error)
{
    struct facts_builder builder = {
        .facts = facts, .expectations = expectations, .arena = arena, .error = error};

    *facts = (struct machine_facts){0};
    *expectations = (struct expectations){0};
    *error = (struct input_error){0};
    snprintf(facts->source, sizeof(facts->source), "%s", name);
    if (!text_lines_init(&builder.lines, text, length, arena, error) ||
        !read_any(&builder, text, length))
        return false;
    if (!facts->cpu_count) {
        input_error_set(error, PLACE_NONE, 0, "no 'cpu N' section: there is no machine in it");
        return false;
    }
    return finish_nodes(&builder);
}

bool facts_add_table(struct machine_facts *facts, const void *bytes, uint32_t length_bytes,
                     uint64_t address, struct arena *arena)
{
    static const char rsdp[] = "RSD PTR ";
    struct acpi_table *tables = ARENA_NEW(arena, struct acpi_table, facts->table_count + 1);
    uint8_t *copy = ARENA_NEW(arena, uint8_t, length_bytes);
    struct acpi_table *added;

    if (!tables || !copy)
        return false;
    if (facts->table_count)
        memcpy(tables, facts->tables, facts->table_count * sizeof(*tables));
    if (length_bytes)
        memcpy(copy, bytes, length_bytes);
    added = &tables[facts->table_count++];
    *added = (struct acpi_table){.address = address, .bytes = copy, .length_bytes = length_bytes};
    if (length_bytes >= 8 && memcmp(bytes, rsdp, 8) == 0)
        memcpy(added->signature, rsdp, 8);
    else
        memcpy(added->signature, copy, length_bytes < 4 ? length_bytes : 4);
    facts->tables = tables;
    return true;
}
