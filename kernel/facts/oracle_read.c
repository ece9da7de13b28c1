/* Records of real kernels (oracle/README.md): the CPUID rows and ACPI tables
 * they saw become facts, what they concluded becomes expectations. */
#include <string.h>

#include "kernel/facts/acpi_sdt.h"
#include "kernel/facts/facts_builder.h"

struct oracle_reader {
    struct facts_builder *builder;
    const char *kernel;          /* the label, "6.12" */
    struct acpi_table *table;    /* that the current section fills, or NULL */
    uint8_t *table_bytes;
    uint32_t table_capacity;
    uint32_t table_line;         /* of its "== acpi" line */
    bool has_ended;              /* "== end" was seen */
};

typedef bool (*section_reader)(struct oracle_reader *reader, char *line);

static bool expect(struct oracle_reader *reader, enum expectation_kind kind, uint32_t cpu,
                   uint32_t index, const char *name, const char *value, const char *more)
{
    return facts_builder_expect(reader->builder, kind, cpu, index, name, value, more,
                                reader->kernel);
}

/* "release 6.12.117" and the like are kept with the header lines. */
static bool read_kernel(struct oracle_reader *reader, char *line)
{
    const char *key = text_word(&line);

    return expectations_add_header(reader->builder->expectations, reader->builder->arena, key,
                                   text_rest(line)) ||
           text_out_of_memory(reader->builder->error);
}

static bool read_cpus(struct oracle_reader *reader, char *line)
{
    const char *subject = text_word(&line), *name = text_word(&line);

    return expect(reader, EXPECT_CPUS, EXPECTATION_NONE, EXPECTATION_NONE, name, text_rest(line),
                  strcmp(subject, "smt") == 0 ? "smt" : "");
}

/* "cpuN …": false with the error set when the line does not begin so. */
static bool take_cpu(struct oracle_reader *reader, char **line, uint32_t *cpu)
{
    const char *word = text_word(line);

    if (text_numbered(word, "cpu", cpu))
        return true;
    return facts_builder_fail(reader->builder, "'%.40s': a line of this section begins with cpuN",
                              word);
}

static bool take_part(struct oracle_reader *reader, char **line, const char *part, uint32_t *number)
{
    const char *word = text_word(line);

    if (text_numbered(word, part, number))
        return true;
    return facts_builder_fail(reader->builder, "'%.40s': after cpuN stands %sN in this section",
                              word, part);
}

static bool read_topology(struct oracle_reader *reader, char *line)
{
    const char *name;
    uint32_t cpu;

    if (!take_cpu(reader, &line, &cpu))
        return false;
    name = text_word(&line);
    return expect(reader, EXPECT_CPU, cpu, EXPECTATION_NONE, name, text_rest(line), "");
}

static bool read_cache(struct oracle_reader *reader, char *line)
{
    const char *name;
    uint32_t cpu, index;

    if (!take_cpu(reader, &line, &cpu) || !take_part(reader, &line, "index", &index))
        return false;
    name = text_word(&line);
    return expect(reader, EXPECT_CACHE, cpu, index, name, text_rest(line), "");
}

static bool read_node(struct oracle_reader *reader, char *line)
{
    const char *word = text_word(&line), *name = text_word(&line);
    uint32_t node = EXPECTATION_NONE;

    if (strcmp(word, "node") != 0 && !text_numbered(word, "node", &node))
        return facts_builder_fail(reader->builder, "'%.40s': a line of this section begins with "
                                                   "node or nodeN", word);
    return expect(reader, EXPECT_NODE, EXPECTATION_NONE, node, name, text_rest(line), "");
}

/* "cpuN domainM MASK [NAME]"; "version …" and other lines are the kernel's. */
static bool read_schedstat(struct oracle_reader *reader, char *line)
{
    const char *mask;
    uint32_t cpu, domain;

    if (strncmp(line, "cpu", 3) != 0)
        return true;
    if (!take_cpu(reader, &line, &cpu) || !take_part(reader, &line, "domain", &domain))
        return false;
    mask = text_word(&line);
    return expect(reader, EXPECT_DOMAIN, cpu, domain, "span", mask, text_rest(line));
}

static bool read_domains(struct oracle_reader *reader, char *line)
{
    const char *name;
    uint32_t cpu, domain;

    if (!take_cpu(reader, &line, &cpu) || !take_part(reader, &line, "domain", &domain))
        return false;
    name = text_word(&line);
    return expect(reader, EXPECT_DOMAIN, cpu, domain, name, text_rest(line), "");
}

/* Cuts the next "name: value" off a line of such pairs with slashes between; there
 * may be blanks, tabs or nothing after the colon. NULL: no more. */
static char *take_pair(char **line, char **value)
{
    char *name = *line + strspn(*line, " \t"), *end = name + strcspn(name, "/");
    char *colon = memchr(name, ':', (size_t)(end - name));

    if (!*name)
        return NULL;
    *line = *end ? end + 1 : end;
    *end = '\0';
    if (!colon)
        return take_pair(line, value);
    *colon = '\0';
    *value = colon + 1 + strspn(colon + 1, " \t");
    for (char *last = end; last > *value && (last[-1] == ' ' || last[-1] == '\t');)
        *--last = '\0';
    return name;
}

/* "cpuN online: 1 / apicid: 0 / …"; from linux-7.2 on with 0x before hexadecimal. */
static bool read_x86topo(struct oracle_reader *reader, char *line)
{
    char *name, *value;
    uint32_t cpu;

    if (strncmp(line, "cpu", 3) != 0)
        return true;
    if (!take_cpu(reader, &line, &cpu))
        return false;
    while ((name = take_pair(&line, &value)) != NULL) {
        if (strncmp(value, "0x", 2) == 0)
            value += 2;
        if (!expect(reader, EXPECT_X86TOPO, cpu, EXPECTATION_NONE, name, value, ""))
            return false;
    }
    return true;
}

/* "cpuN FIELD: VALUE"; of all fields those that tell about topology. */
static bool read_cpuinfo(struct oracle_reader *reader, char *line)
{
    static const char *const fields[] = {"physical id", "siblings",  "core id",
                                         "cpu cores",   "apicid", "initial apicid"};
    char *colon;
    uint32_t cpu;

    if (!take_cpu(reader, &line, &cpu))
        return false;
    colon = strchr(line, ':');
    if (!colon)
        return true;
    *colon = '\0';
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (strcmp(line, fields[i]) == 0)
            return expect(reader, EXPECT_CPUINFO, cpu, EXPECTATION_NONE, fields[i],
                          text_rest(colon + 1), "");
    return true;
}

static bool read_cpuid(struct oracle_reader *reader, char *line)
{
    const char *word;

    if (facts_builder_is_row(line)) {
        word = text_word(&line);
        return facts_builder_row(reader->builder, (char *)word, line);
    }
    word = text_word(&line);
    if (!*word)
        return true;
    if (strcmp(word, "cpu") != 0)
        return facts_builder_fail(reader->builder, "'%.40s': here stands 'cpu N' or a CPUID row",
                                  word);
    return facts_builder_open_cpu(reader->builder, text_word(&line));
}

static bool read_acpi(struct oracle_reader *reader, char *line)
{
    struct acpi_table *table = reader->table;
    const char *digits = text_word(&line);
    uint32_t count;

    if (!text_bytes(digits, reader->table_bytes + table->length_bytes,
                    reader->table_capacity - table->length_bytes, &count))
        return facts_builder_fail(reader->builder, "broken bytes of table %s: right are two "
                                                   "hexadecimal digits a byte", table->signature);
    table->length_bytes += count;
    return true;
}

/* The only place where a record says in which mode the firmware left the APIC. */
static bool read_dmesg(struct oracle_reader *reader, char *line)
{
    if (strncmp(line, "x2apic: enabled by BIOS", 23) == 0)
        reader->builder->facts->is_x2apic_at_handover = true;
    return expect(reader, EXPECT_DMESG, EXPECTATION_NONE, EXPECTATION_NONE, "", line, "");
}

static bool skip_line(struct oracle_reader *reader, char *line)
{
    (void)reader;
    (void)line;
    return true;
}

/* Two records in one file would be one machine with twice the expectations. */
static bool read_after_end(struct oracle_reader *reader, char *line)
{
    return !*text_rest(line) ||
           facts_builder_fail(reader->builder, "'%.40s': nothing stands after '== end'", line);
}

static const struct { const char *name; section_reader read; } sections[] = {
    {"kernel", read_kernel},       {"cpus", read_cpus},       {"topology", read_topology},
    {"cache", read_cache},         {"node", read_node},       {"schedstat", read_schedstat},
    {"domains", read_domains},     {"x86topo", read_x86topo}, {"cpuid", read_cpuid},
    {"acpi", read_acpi},           {"dmesg", read_dmesg},     {"cpuinfo", read_cpuinfo},
    {"end", read_after_end},
};

/* A table is as long as its section's digits: they are counted before it is read. */
static bool open_table(struct oracle_reader *reader, const char *name)
{
    struct facts_builder *builder = reader->builder;
    const char *at = builder->lines.next;
    struct acpi_table *table = facts_builder_table(builder);

    if (!table)
        return false;
    if (strlen(name) != 4)
        return facts_builder_fail(builder, "'== acpi %.40s': a signature has four characters",
                                  name);
    while (at < builder->lines.end && *at != '=')
        at++;
    reader->table = table;
    reader->table_line = builder->lines.number;
    reader->table_capacity = (uint32_t)((size_t)(at - builder->lines.next) / 2);
    reader->table_bytes = ARENA_NEW(builder->arena, uint8_t, reader->table_capacity);
    if (!reader->table_bytes)
        return text_out_of_memory(builder->error);
    memcpy(table->signature, name, 5);
    table->bytes = reader->table_bytes;
    return true;
}

/* The kernel would have said so and gone on without a table that is cut: what it
 * concluded came from a whole one. */
static bool close_table(struct oracle_reader *reader)
{
    const struct acpi_table *table = reader->table;

    reader->table = NULL;
    if (!table || acpi_sdt_is_whole(table->bytes, table->length_bytes, table->signature,
                                    reader->builder->error))
        return true;
    reader->builder->error->place_kind = PLACE_LINE;
    reader->builder->error->place = reader->table_line;
    return false;
}

/* "== name": sections this reader does not know are skipped. That a section is
 * there is kept as a header "== name": an empty one says something, too. */
static bool open_section(struct oracle_reader *reader, char *line, section_reader *read)
{
    struct facts_builder *builder = reader->builder;
    char *rest = line + strlen("== ");
    const char *name = text_word(&rest);

    if (reader->has_ended)
        return read_after_end(reader, line);
    if (!close_table(reader))
        return false;
    facts_builder_close_cpu(builder);
    if (!expectations_add_header(builder->expectations, builder->arena, line, ""))
        return text_out_of_memory(builder->error);
    line = rest;
    *read = skip_line;
    reader->has_ended = strcmp(name, "end") == 0;
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        if (strcmp(name, sections[i].name) == 0)
            *read = sections[i].read;
    return strcmp(name, "acpi") != 0 || open_table(reader, text_word(&line));
}

static bool read_header(struct oracle_reader *reader, char *line)
{
    char *colon = strchr(line, ':');

    if (!colon)
        return true;
    *colon = '\0';
    if (strcmp(line, "kernel") == 0)
        reader->kernel = text_rest(colon + 1);
    return expectations_add_header(reader->builder->expectations, reader->builder->arena, line,
                                   text_rest(colon + 1)) ||
           text_out_of_memory(reader->builder->error);
}

/* Online CPUs with ids above 254 can only have been started in x2APIC mode, and
 * the kernels keep such CPUs only when the firmware had switched it on. */
static void note_handover_mode(struct machine_facts *facts)
{
    for (uint32_t i = 0; i < facts->cpu_count; i++)
        if (facts->cpus[i].apic_id > 254)
            facts->is_x2apic_at_handover = true;
}

bool oracle_read(struct facts_builder *builder)
{
    struct oracle_reader reader = {.builder = builder};
    section_reader read = read_header;
    char *line;

    while ((line = text_lines_next(&builder->lines)) != NULL) {
        bool is_good = strncmp(line, "== ", 3) == 0 ? open_section(&reader, line, &read)
                                                    : read(&reader, line);
        if (!is_good)
            return false;
    }
    facts_builder_close_cpu(builder);
    if (!reader.has_ended)
        return facts_builder_fail(builder, "the record ends here without '== end': it is cut");
    if (!reader.kernel)
        return facts_builder_fail(builder, "the record has no 'kernel:' line in its header");
    facts_fill_apic_ids(builder->facts, builder->arena);
    note_handover_mode(builder->facts);
    return expectations_add_truth(builder->expectations, builder->arena, TRUTH_RECORD,
                                  reader.kernel) ||
           text_out_of_memory(builder->error);
}
