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

static struct cpuid_row *row_with_key(struct cpu_facts *cpu, uint32_t leaf, uint32_t subleaf)
{
    for (uint32_t i = 0; i < cpu->row_count; i++)
        if (cpu->rows[i].leaf == leaf && cpu->rows[i].subleaf == subleaf)
            return &cpu->rows[i];
    return NULL;
}

static bool needs_a_section(struct facts_builder *builder, const char *what)
{
    if (builder->cpu)
        return true;
    return facts_builder_fail(builder, "a line of %s before the first 'cpu N' line", what);
}

static bool is_full(struct facts_builder *builder)
{
    facts_builder_fail(builder, "a line of a section begins in its first column");
    return false;
}

/* Rows rise in every file a tool has written; only when they do not is the
 * section searched for a row that stands twice. */
static bool store_row(struct facts_builder *builder, const struct cpuid_row *row)
{
    struct cpu_facts *cpu = builder->cpu;
    uint64_t key = (uint64_t)row->leaf << 32 | row->subleaf;
    bool is_rising = !builder->has_rows || key > builder->last_key;
    struct cpuid_row *known = NULL;

    if (!is_rising && builder->has_base)
        return facts_builder_fail(builder, "the rows of a section with 'like' rise by leaf");
    if (!is_rising || builder->has_base)
        known = row_with_key(cpu, row->leaf, row->subleaf);
    if (known && !builder->has_base)
        return facts_builder_fail(builder, "leaf %08x sub-leaf %x stands twice in this section",
                                  row->leaf, row->subleaf);
    if (!known && cpu->row_count >= builder->row_capacity)
        return is_full(builder);
    builder->has_rows = true;
    builder->last_key = is_rising ? key : builder->last_key;
    *(known ? known : &cpu->rows[cpu->row_count++]) = *row;
    return true;
}

bool facts_builder_row(struct facts_builder *builder, char *first, char *rest)
{
    struct cpuid_row row;
    const char *subleaf = text_word(&rest);
    uint32_t *const registers[] = {&row.eax, &row.ebx, &row.ecx, &row.edx};
    bool is_good = text_hex32(first, &row.leaf) && strlen(first) == 8 &&
                   text_hex32(subleaf, &row.subleaf);

    if (!needs_a_section(builder, "CPUID"))
        return false;
    for (unsigned i = 0; i < 4; i++)
        is_good = text_hex32(text_word(&rest), registers[i]) && is_good;
    if (!is_good || *text_rest(rest))
        return facts_builder_fail(builder, "'%.40s …': a CPUID row is LLLLLLLL S AAAAAAAA BBBBBBBB "
                                           "CCCCCCCC DDDDDDDD, all hexadecimal", first);
    return store_row(builder, &row);
}

bool facts_builder_end(struct facts_builder *builder, char *rest)
{
    struct cpu_facts *cpu = builder->cpu;
    struct cpuid_end end;
    const char *leaf = text_word(&rest), *subleaf = text_word(&rest);

    if (!needs_a_section(builder, "'end'"))
        return false;
    if (!text_hex32(leaf, &end.leaf) || !text_hex32(subleaf, &end.subleaf) || *text_rest(rest))
        return facts_builder_fail(builder, "'end %.40s %.40s': right is 'end LLLLLLLL S', "
                                           "hexadecimal", leaf, subleaf);
    for (uint32_t i = 0; i < cpu->end_count; i++) {
        if (cpu->ends[i].leaf == end.leaf) {
            if (!builder->has_base)
                return facts_builder_fail(builder, "leaf %08x ends twice in this section",
                                          end.leaf);
            cpu->ends[i] = end;
            return true;
        }
    }
    if (cpu->end_count >= builder->end_capacity)
        return is_full(builder);
    cpu->ends[cpu->end_count++] = end;
    return true;
}

bool facts_builder_msr(struct facts_builder *builder, const char *address, char *rest)
{
    struct cpu_facts *cpu = builder->cpu;
    struct msr_row msr = {0};
    const char *value = text_word(&rest);

    if (!needs_a_section(builder, "an MSR"))
        return false;
    msr.has_faulted = strcmp(value, "fault") == 0;
    if (!text_hex32(address, &msr.address) || *text_rest(rest) ||
        (!msr.has_faulted && !text_hex(value, 16, &msr.value)))
        return facts_builder_fail(builder, "MSR '%.40s %.40s': right is the address and the value, "
                                           "hexadecimal, or 'fault' for the value",
                                  address, value);
    for (uint32_t i = 0; i < cpu->msr_count; i++) {
        if (cpu->msrs[i].address == msr.address) {
            if (!builder->has_base)
                return facts_builder_fail(builder, "MSR %x stands twice in this section",
                                          msr.address);
            cpu->msrs[i] = msr;
            return true;
        }
    }
    if (cpu->msr_count >= builder->msr_capacity)
        return is_full(builder);
    cpu->msrs[cpu->msr_count++] = msr;
    return true;
}

bool facts_builder_like(struct facts_builder *builder, const char *word)
{
    struct cpu_facts *cpu = builder->cpu;
    const struct cpu_facts *base;
    uint32_t number, index = FACTS_NO_CPU;

    if (!needs_a_section(builder, "'like'"))
        return false;
    if (builder->has_base || builder->has_rows || cpu->end_count || cpu->msr_count)
        return facts_builder_fail(builder, "'like' stands before the rows of its section");
    if (text_number(word, &number))
        index = facts_cpu_index(builder->facts, number);
    if (index == FACTS_NO_CPU || index == builder->facts->cpu_count - 1)
        return facts_builder_fail(builder, "'like %.40s': right is the number of an earlier "
                                           "section", word);
    base = &builder->facts->cpus[index];
    if (base->row_count > builder->row_capacity || base->end_count > builder->end_capacity ||
        base->msr_count > builder->msr_capacity)
        return is_full(builder);
    memcpy(cpu->rows, base->rows, base->row_count * sizeof(*cpu->rows));
    memcpy(cpu->ends, base->ends, base->end_count * sizeof(*cpu->ends));
    memcpy(cpu->msrs, base->msrs, base->msr_count * sizeof(*cpu->msrs));
    cpu->row_count = base->row_count;
    cpu->end_count = base->end_count;
    cpu->msr_count = base->msr_count;
    builder->has_base = true;
    return true;
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

bool facts_builder_expect(struct facts_builder *builder, enum expectation_kind kind, uint32_t cpu,
                          uint32_t index, const char *name, const char *value, const char *more,
                          const char *kernel)
{
    struct expectation one = {kind, cpu, index, builder->lines.number, name, value, more, kernel};

    return expectations_add(builder->expectations, builder->arena, &one) || out_of_memory(builder);
}
