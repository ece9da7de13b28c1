/* The grammar of facts.txt and of the corpus: docs/facts.md. What a line means
 * is in its first word; words that are not in the table are skipped. */
#include <string.h>

#include "kernel/facts/corpus_reader.h"

bool corpus_fail(struct corpus_reader *reader, const char *right)
{
    return facts_builder_fail(reader->builder, "a broken line: right is '%s'", right);
}

static struct cpu_facts *open_cpu(struct corpus_reader *reader)
{
    if (!reader->builder->cpu)
        facts_builder_fail(reader->builder, "a line of a CPU before the first 'cpu N' line");
    return reader->builder->cpu;
}

static bool read_cpu(struct corpus_reader *reader, char *rest)
{
    const char *number = text_word(&rest);

    if (*text_rest(rest))
        return corpus_fail(reader, "cpu N");
    return facts_builder_open_cpu(reader->builder, number);
}

static bool read_end(struct corpus_reader *reader, char *rest)
{
    return facts_builder_end(reader->builder, rest);
}

static bool read_msr(struct corpus_reader *reader, char *rest)
{
    const char *address = text_word(&rest);

    return facts_builder_msr(reader->builder, address, rest);
}

static bool read_like(struct corpus_reader *reader, char *rest)
{
    return facts_builder_like(reader->builder, text_word(&rest));
}

static bool read_apic(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);

    if (!cpu)
        return false;
    cpu->has_apic_id = true;
    return text_hex32(text_word(&rest), &cpu->apic_id) || corpus_fail(reader, "apic HEX");
}

static bool read_madt(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);

    if (!cpu)
        return false;
    cpu->has_madt_apic_id = true;
    return text_hex32(text_word(&rest), &cpu->madt_apic_id) || corpus_fail(reader, "madt HEX");
}

static bool read_uid(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);
    uint64_t uid;

    if (!cpu)
        return false;
    if (!text_decimal(text_word(&rest), UINT32_MAX, &uid))
        return corpus_fail(reader, "uid N");
    cpu->has_uid = true;
    cpu->uid = (uint32_t)uid;
    return true;
}

static bool read_bringup(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);

    if (!cpu)
        return false;
    return text_decimal(text_word(&rest), UINT64_MAX, &cpu->bringup_cycles) ||
           corpus_fail(reader, "bringup CYCLES");
}

static bool read_cr0(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);

    if (!cpu)
        return false;
    cpu->has_cr0 = true;
    return text_hex(text_word(&rest), 16, &cpu->cr0) || corpus_fail(reader, "cr0 HEX");
}

static bool read_interrupts(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);
    uint64_t nmi, spurious, other, vector;

    if (!cpu)
        return false;
    if (!text_decimal(text_word(&rest), UINT32_MAX, &nmi) ||
        !text_decimal(text_word(&rest), UINT32_MAX, &spurious) ||
        !text_decimal(text_word(&rest), UINT32_MAX, &other) ||
        !text_hex(text_word(&rest), 2, &vector))
        return corpus_fail(reader, "interrupts NMI SPURIOUS OTHER VECTOR");
    cpu->interrupts = (struct cpu_interrupts){(uint32_t)nmi, (uint32_t)spurious,
                                              (uint32_t)other, (uint8_t)vector};
    return true;
}

static bool read_untried(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);

    if (!cpu)
        return false;
    cpu->is_untried = true;
    return !*text_rest(rest) || corpus_fail(reader, "untried");
}

static bool read_unsent(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);
    uint64_t count;

    if (!cpu)
        return false;
    if (!text_decimal(text_word(&rest), UINT32_MAX, &count))
        return corpus_fail(reader, "unsent N");
    cpu->unsent_count = (uint32_t)count;
    return true;
}

static bool read_state(struct corpus_reader *reader, char *rest)
{
    struct cpu_facts *cpu = open_cpu(reader);
    const char *word = text_word(&rest);

    if (!cpu)
        return false;
    for (unsigned state = 0; state < FACTS_CPU_STATES; state++) {
        if (strcmp(word, facts_state_names[state]) == 0) {
            cpu->state = (enum cpu_state)state;
            return true;
        }
    }
    return corpus_fail(reader, "state online|silent|faulted|disabled");
}

static bool read_node(struct corpus_reader *reader, char *rest)
{
    struct machine_facts *facts = reader->builder->facts;
    uint32_t node;

    if (!open_cpu(reader))
        return false;
    if (!text_number(text_word(&rest), &node))
        return corpus_fail(reader, "node N");
    return facts_set_node(facts, facts->cpu_count - 1, (int32_t)node, reader->builder->arena) ||
           text_out_of_memory(reader->builder->error);
}

static const struct corpus_line lines[] = {
    {"#", corpus_header},
    {"cpu", read_cpu},
    {"end", read_end},
    {"msr", read_msr},
    {"like", read_like},
    {"apic", read_apic},
    {"madt", read_madt},
    {"uid", read_uid},
    {"state", read_state},
    {"bringup", read_bringup},
    {"cr0", read_cr0},
    {"interrupts", read_interrupts},
    {"untried", read_untried},
    {"unsent", read_unsent},
    {"node", read_node},
    {"acpi", corpus_acpi},
    {"hex", corpus_hex},
    {"truth", corpus_truth},
    {"expect-sysfs", corpus_expect_sysfs},
    {"expect-hwloc", corpus_expect_hwloc},
    {"expect-aida64", corpus_expect_aida64},
    {"expect-libcpuid", corpus_expect_libcpuid},
};

static bool read_line(struct corpus_reader *reader, char *line)
{
    bool is_row = facts_builder_is_row(text_rest(line));
    char *rest = line, *word = text_word(&rest);

    if (is_row)
        return facts_builder_row(reader->builder, word, rest);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (strcmp(word, lines[i].word) == 0)
            return lines[i].read(reader, rest);
    for (const struct corpus_line *line_of = corpus_machine_lines; line_of->word; line_of++)
        if (strcmp(word, line_of->word) == 0)
            return line_of->read(reader, rest);
    return true;
}

/* "# cpus: N" is how a reader knows that the sections are all there. */
static bool sections_are_whole(struct facts_builder *builder)
{
    const char *stated = expectations_header(builder->expectations, "cpus");
    uint64_t count;

    if (!stated)
        return true;
    if (!text_decimal(stated, FACTS_CPU_LIMIT, &count))
        return facts_builder_fail(builder, "'# cpus: %.20s': right is the number of sections",
                                  stated);
    return count == builder->facts->cpu_count ||
           facts_builder_fail(builder, "the header says %u CPUs, but here ends a file of %u 'cpu N' "
                                       "sections: it is cut or was put together wrongly",
                              (unsigned)count, builder->facts->cpu_count);
}

/* What a truth line announces follows. */
static bool truths_are_whole(struct facts_builder *builder)
{
    static const struct { enum expectation_kind first, last; const char *word; } announced[] = {
        [TRUTH_SYSFS_SAME] = {EXPECT_CPU, EXPECT_CPUS, "sysfs"},
        [TRUTH_SYSFS_PAIRED] = {EXPECT_CPU, EXPECT_CPUS, "sysfs"},
        [TRUTH_HWLOC_LINUX] = {EXPECT_HWLOC_LINUX, EXPECT_HWLOC_LINUX, "hwloc"},
        [TRUTH_HWLOC_X86] = {EXPECT_HWLOC_X86, EXPECT_HWLOC_X86, "hwloc"},
        [TRUTH_AIDA64] = {EXPECT_AIDA64, EXPECT_AIDA64, "aida64"},
        [TRUTH_LIBCPUID] = {EXPECT_LIBCPUID, EXPECT_LIBCPUID, "libcpuid"},
    };
    const struct expectations *all = builder->expectations;

    for (uint32_t i = 0; i < all->truth_count; i++) {
        enum truth_kind kind = all->truths[i].kind;
        bool is_there = kind >= sizeof(announced) / sizeof(announced[0]);

        for (uint32_t j = 0; j < all->count && !is_there; j++)
            is_there = all->list[j].kind >= announced[kind].first &&
                       all->list[j].kind <= announced[kind].last;
        if (!is_there)
            return facts_builder_fail(builder, "here ends a file with a 'truth' line but no "
                                               "'expect-%s' line: it is cut",
                                      announced[kind].word);
    }
    return true;
}

bool corpus_read(struct facts_builder *builder)
{
    struct corpus_reader reader = {.builder = builder};
    bool ends_in_newline = builder->lines.end[-1] == '\n'; /* the first line is there */
    char *line;

    while ((line = text_lines_next(&builder->lines)) != NULL)
        if (!read_line(&reader, line))
            return false;
    facts_builder_close_cpu(builder);
    if (!ends_in_newline)
        return facts_builder_fail(builder, "the last line has no end: the file is cut");
    return corpus_table_is_whole(&reader) && sections_are_whole(builder) &&
           truths_are_whole(builder);
}
