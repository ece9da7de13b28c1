/* Fills machine_facts line by line. A section's lists are taken from the arena
 * once, at its "cpu" line, after counting the lines up to the next one. */
#include "kernel/facts/facts_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct section_size {
    uint32_t rows, ends, msrs;
    const char *like;   /* the number in its "like" line, or NULL */
};

bool facts_builder_fail(struct facts_builder *builder, const char *format, ...)
{
    char text[sizeof(builder->error->text)];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    input_error_set(builder->error, PLACE_LINE, builder->lines.number, "%s", text);
    return false;
}

static bool out_of_memory(struct facts_builder *builder)
{
    return text_out_of_memory(builder->error);
}

static bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool facts_builder_is_row(const char *line)
{
    if (*line >= '0' && *line <= '9')
        return true;
    return is_hex_digit(*line) && strcspn(line, " ") == 8 && line[8] == ' ';
}

static bool starts_with(const char *line, const char *end, const char *word)
{
    size_t length = strlen(word);

    return (size_t)(end - line) >= length && memcmp(line, word, length) == 0;
}

/* Looks at the lines that follow, which are not cut yet. */
static struct section_size measure_section(const struct text_lines *lines)
{
    struct section_size size = {0};
    const char *line = lines->next;

    while (line < lines->end) {
        const char *end = memchr(line, '\n', (size_t)(lines->end - line));

        if (!end)
            end = lines->end;
        if (starts_with(line, end, "cpu ") || starts_with(line, end, "=="))
            break;
        size.rows += line < end && is_hex_digit(*line);
        size.msrs += starts_with(line, end, "msr ") || (line < end && is_hex_digit(*line));
        size.ends += starts_with(line, end, "end ");
        if (starts_with(line, end, "like "))
            size.like = line + strlen("like ");
        line = end + (end < lines->end);
    }
    return size;
}

/* A section that is like another takes that one's rows too. */
static void add_base_size(const struct facts_builder *builder, struct section_size *size)
{
    char digits[12] = "";
    uint32_t number, index;

    if (!size->like)
        return;
    for (unsigned i = 0; i + 1 < sizeof(digits) && size->like + i < builder->lines.end &&
                         size->like[i] >= '0' && size->like[i] <= '9'; i++)
        digits[i] = size->like[i];
    if (!text_number(digits, &number))
        return;
    index = facts_cpu_index(builder->facts, number);
    if (index == FACTS_NO_CPU)
        return;
    size->rows += builder->facts->cpus[index].row_count;
    size->ends += builder->facts->cpus[index].end_count;
    size->msrs += builder->facts->cpus[index].msr_count;
}

static bool grow_cpus(struct facts_builder *builder)
{
    struct machine_facts *facts = builder->facts;
    struct cpu_facts *cpus = ARENA_GROW(builder->arena, facts->cpus, facts->cpu_count,
                                        &builder->cpu_capacity);
    uint32_t *number;

    if (!cpus)
        return false;
    facts->cpus = cpus;
    number = ARENA_GROW(builder->arena, facts->number, facts->cpu_count,
                        &builder->number_capacity);
    if (!number)
        return false;
    facts->number = number;
    return true;
}

bool facts_builder_open_cpu(struct facts_builder *builder, const char *word)
{
    struct machine_facts *facts = builder->facts;
    struct section_size size = measure_section(&builder->lines);
    struct cpu_facts cpu = {.state = CPU_ONLINE};
    uint32_t number;

    facts_builder_close_cpu(builder);
    builder->has_base = builder->has_rows = false;
    if (!text_number(word, &number))
        return facts_builder_fail(builder, "'cpu %.40s': after cpu stands a decimal number", word);
    if (number >= FACTS_CPU_LIMIT)
        return facts_builder_fail(builder, "cpu %u: the largest number of a CPU is %u", number,
                                  FACTS_CPU_LIMIT - 1);
    if (facts->cpu_count && number <= facts->number[facts->cpu_count - 1])
        return facts_builder_fail(builder, "cpu %u after cpu %u: the numbers of sections rise",
                                  number, facts->number[facts->cpu_count - 1]);
    add_base_size(builder, &size);
    builder->row_capacity = size.rows;
    builder->end_capacity = size.ends;
    builder->msr_capacity = size.msrs;
    cpu.rows = ARENA_NEW(builder->arena, struct cpuid_row, size.rows);
    cpu.ends = ARENA_NEW(builder->arena, struct cpuid_end, size.ends);
    cpu.msrs = ARENA_NEW(builder->arena, struct msr_row, size.msrs);
    if (!cpu.rows || !cpu.ends || !cpu.msrs || !grow_cpus(builder))
        return out_of_memory(builder);
    builder->cpu = &facts->cpus[facts->cpu_count];
    *builder->cpu = cpu;
    facts->number[facts->cpu_count++] = number;
    return true;
}

void facts_builder_close_cpu(struct facts_builder *builder)
{
    if (builder->cpu)
        facts_note_order(builder->cpu);
    builder->cpu = NULL;
}

struct acpi_table *facts_builder_table(struct facts_builder *builder)
{
    struct machine_facts *facts = builder->facts;
    struct acpi_table *tables = ARENA_GROW(builder->arena, facts->tables, facts->table_count,
                                           &builder->table_capacity);

    if (!tables) {
        out_of_memory(builder);
        return NULL;
    }
    facts->tables = tables;
    tables[facts->table_count] = (struct acpi_table){0};
    return &tables[facts->table_count++];
}

struct memory_range *facts_builder_memory(struct facts_builder *builder)
{
    struct machine_facts *facts = builder->facts;
    struct memory_range *memory = ARENA_GROW(builder->arena, facts->memory, facts->memory_count,
                                             &builder->memory_capacity);

    if (!memory) {
        out_of_memory(builder);
        return NULL;
    }
    facts->memory = memory;
    memory[facts->memory_count] = (struct memory_range){0};
    return &memory[facts->memory_count++];
}

struct facts_register *facts_builder_register(struct facts_builder *builder)
{
    struct machine_facts *facts = builder->facts;
    struct facts_register *registers =
        ARENA_GROW(builder->arena, facts->registers, facts->register_count,
                   &builder->register_capacity);

    if (!registers) {
        out_of_memory(builder);
        return NULL;
    }
    facts->registers = registers;
    registers[facts->register_count] = (struct facts_register){0};
    return &registers[facts->register_count++];
}

bool facts_builder_expect(struct facts_builder *builder, enum expectation_kind kind, uint32_t cpu,
                          uint32_t index, const char *name, const char *value, const char *more,
                          const char *kernel)
{
    struct expectation one = {kind, cpu, index, builder->lines.number, name, value, more, kernel};

    return expectations_add(builder->expectations, builder->arena, &one) || out_of_memory(builder);
}
