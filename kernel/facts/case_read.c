/* The small text files of a case directory (cases/README.md): no header, no
 * comments, numbers in hexadecimal unless the format says decimal. */
#include <string.h>

#include "kernel/facts/facts_builder.h"
#include "kernel/facts/facts_read.h"

typedef bool (*pair_reader)(struct facts_builder *builder, const char *first, char *rest);

static bool start(struct facts_builder *builder, const char *text, size_t length,
                  struct arena *arena, struct input_error *error)
{
    builder->arena = arena;
    builder->error = error;
    return text_lines_init(&builder->lines, text, length, arena, error);
}

static bool read_pairs(struct facts_builder *builder, pair_reader read)
{
    char *line;

    while ((line = text_lines_next(&builder->lines)) != NULL) {
        char *rest = line;
        const char *first = text_word(&rest);

        if (*first && !read(builder, first, rest))
            return false;
    }
    return true;
}

static bool read_section_line(struct facts_builder *builder, const char *first, char *rest)
{
    if (strcmp(first, "cpu") == 0)
        return facts_builder_open_cpu(builder, text_word(&rest));
    return facts_builder_row(builder, (char *)first, rest);
}

static bool read_msr_line(struct facts_builder *builder, const char *first, char *rest)
{
    if (strcmp(first, "cpu") == 0)
        return facts_builder_open_cpu(builder, text_word(&rest));
    return facts_builder_msr(builder, first, rest);
}

/* A leaf that is not listed reads as four zeros. The tables are those of bare
 * metal with x2APIC mode on at hand-over. */
bool case_read_cpuid(struct facts_builder *builder)
{
    struct machine_facts *facts = builder->facts;

    facts->missing_rows_are_zero = true;
    facts->is_x2apic_at_handover = true;
    if (!read_pairs(builder, read_section_line))
        return false;
    facts_builder_close_cpu(builder);
    facts_fill_apic_ids(facts, builder->arena);
    return true;
}

/* The CPU that the first word names, or FACTS_NO_CPU with the error set. */
static uint32_t named_cpu(struct facts_builder *builder, const char *word)
{
    uint32_t number, index = FACTS_NO_CPU;

    if (text_number(word, &number))
        index = facts_cpu_index(builder->facts, number);
    if (index == FACTS_NO_CPU)
        facts_builder_fail(builder, "'%.40s' is not the number of a CPU of cpuid.txt", word);
    return index;
}

bool facts_read_msr_text(const char *text, size_t length, struct arena *arena,
                         struct machine_facts *facts, struct input_error *error)
{
    struct machine_facts own = {.missing_rows_are_zero = true, .is_x2apic_at_handover = true,
                                .has_linux_numbers = true};
    struct facts_builder builder = {.facts = &own};

    if (!start(&builder, text, length, arena, error) || !read_pairs(&builder, read_msr_line))
        return false;
    facts_builder_close_cpu(&builder);
    if (!facts->cpu_count) {
        own.tables = facts->tables;
        own.table_count = facts->table_count;
        memcpy(own.source, facts->source, sizeof(own.source));
        *facts = own;
        return true;
    }
    for (uint32_t i = 0; i < own.cpu_count; i++) {
        uint32_t index = facts_cpu_index(facts, own.number[i]);

        if (index == FACTS_NO_CPU) {
            input_error_set(error, PLACE_NONE, 0, "cpu %u has MSRs but is not in cpuid.txt",
                            own.number[i]);
            return false;
        }
        facts->cpus[index].msrs = own.cpus[i].msrs;
        facts->cpus[index].msr_count = own.cpus[i].msr_count;
    }
    return true;
}

static bool read_lapic_line(struct facts_builder *builder, const char *first, char *rest)
{
    uint32_t index = named_cpu(builder, first);
    struct cpu_facts *cpu;

    if (index == FACTS_NO_CPU)
        return false;
    cpu = &builder->facts->cpus[index];
    if (!text_hex32(text_word(&rest), &cpu->apic_id) || *text_rest(rest))
        return facts_builder_fail(builder, "a broken line: right is 'CPU ID', the id hexadecimal");
    cpu->has_apic_id = true;
    cpu->madt_apic_id = cpu->apic_id;
    return true;
}

bool facts_read_lapic_text(const char *text, size_t length, struct arena *arena,
                           struct machine_facts *facts, struct input_error *error)
{
    struct facts_builder builder = {.facts = facts};

    return start(&builder, text, length, arena, error) && read_pairs(&builder, read_lapic_line);
}

static bool read_nodes_line(struct facts_builder *builder, const char *first, char *rest)
{
    uint32_t index = named_cpu(builder, first), node;

    if (index == FACTS_NO_CPU)
        return false;
    if (!text_number(text_word(&rest), &node) || *text_rest(rest))
        return facts_builder_fail(builder, "a broken line: right is 'CPU NODE', both decimal");
    return facts_set_node(builder->facts, index, (int32_t)node, builder->arena) ||
           text_out_of_memory(builder->error);
}

bool facts_read_nodes_text(const char *text, size_t length, struct arena *arena,
                           struct machine_facts *facts, struct input_error *error)
{
    struct facts_builder builder = {.facts = facts};

    return start(&builder, text, length, arena, error) && read_pairs(&builder, read_nodes_line);
}

bool facts_read_boot_text(const char *text, size_t length, struct arena *arena,
                          uint32_t *apic_id, struct input_error *error)
{
    struct facts_builder builder = {0};
    char *line, *word;

    if (!start(&builder, text, length, arena, error))
        return false;
    while ((line = text_lines_next(&builder.lines)) != NULL) {
        word = text_word(&line);
        if (strcmp(word, "bsp_apic_id") == 0)
            return text_hex32(text_word(&line), apic_id) ||
                   facts_builder_fail(&builder, "a broken line: right is 'bsp_apic_id HEX'");
    }
    return facts_builder_fail(&builder, "no 'bsp_apic_id HEX' line");
}

static bool read_e820_line(struct facts_builder *builder, const char *first, char *rest)
{
    struct memory_range *range = facts_builder_memory(builder);
    uint64_t length, type;

    if (!range)
        return false;
    if (!text_hex(first, 16, &range->start) || !text_hex(text_word(&rest), 16, &length) ||
        !text_decimal(text_word(&rest), UINT32_MAX, &type) || *text_rest(rest))
        return facts_builder_fail(builder, "a broken line: right is 'BASE LENGTH TYPE', the type "
                                           "decimal");
    if (__builtin_add_overflow(range->start, length, &range->end))
        range->end = UINT64_MAX;
    range->type = (uint32_t)type;
    return true;
}

bool facts_read_e820_text(const char *text, size_t length, struct arena *arena,
                          struct machine_facts *facts, struct input_error *error)
{
    struct facts_builder builder = {.facts = facts};

    facts->memory = NULL;
    facts->memory_count = 0;
    return start(&builder, text, length, arena, error) && read_pairs(&builder, read_e820_line);
}

static bool read_expected_cpu(struct facts_builder *builder, char *rest, const char *kernel)
{
    uint32_t cpu;

    if (!text_number(text_word(&rest), &cpu))
        return facts_builder_fail(builder, "a broken line: right is 'cpu N NAME VALUE …'");
    for (char *name = text_word(&rest); *name; name = text_word(&rest)) {
        const char *value = text_word(&rest);

        if (!*value)
            return facts_builder_fail(builder, "'%.40s' has no value", name);
        if (!facts_builder_expect(builder, EXPECT_CASE, cpu, EXPECTATION_NONE, name, value, "",
                                  kernel))
            return false;
    }
    return true;
}

bool facts_read_expected_text(const char *text, size_t length, const char *kernel,
                              struct arena *arena, struct expectations *expectations,
                              struct input_error *error)
{
    struct facts_builder builder = {.expectations = expectations};
    char *line;

    if (!start(&builder, text, length, arena, error))
        return false;
    while ((line = text_lines_next(&builder.lines)) != NULL) {
        char *rest = line;
        const char *first = text_word(&rest);
        bool is_good = true;

        if (strcmp(first, "cpu") == 0)
            is_good = read_expected_cpu(&builder, rest, kernel);
        else if (strcmp(first, "finding") == 0 || strcmp(first, "error") == 0)
            is_good = facts_builder_expect(&builder, EXPECT_CASE_FINDING, EXPECTATION_NONE,
                                           EXPECTATION_NONE, first, text_rest(rest), "", kernel);
        if (!is_good)
            return false;
    }
    return true;
}
