/* What the readers of recorded machines share: the growing lists, the current
 * CPU section, and the rows in it. */
#ifndef KERNEL_FACTS_FACTS_BUILDER_H
#define KERNEL_FACTS_FACTS_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/facts/expectations.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/facts/text_lines.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/input_error.h"

struct facts_builder {
    struct machine_facts *facts;
    struct expectations *expectations;
    struct arena *arena;
    struct input_error *error;
    struct text_lines lines;
    uint32_t cpu_capacity, number_capacity, table_capacity, memory_capacity,
             register_capacity;
    /* The section that is open; its lists are as large as the section needs. */
    struct cpu_facts *cpu;      /* NULL: no section is open */
    uint32_t row_capacity, end_capacity, msr_capacity;
    bool has_base;              /* the section began with a "like" line */
    bool has_rows;              /* of its own */
    uint64_t last_key;          /* of its own rows */
};

/* Sets the error at the line given last; returns false. */
bool facts_builder_fail(struct facts_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Opens the section of "cpu NUMBER" (the word after "cpu"). The numbers rise. */
bool facts_builder_open_cpu(struct facts_builder *builder, const char *number);
void facts_builder_close_cpu(struct facts_builder *builder);

/* Each takes the words of one line of a section; broken words are an error. */
bool facts_builder_row(struct facts_builder *builder, char *first, char *rest);
bool facts_builder_end(struct facts_builder *builder, char *rest);
bool facts_builder_msr(struct facts_builder *builder, const char *address, char *rest);
/* "like NUMBER": starts from everything an earlier section recorded. */
bool facts_builder_like(struct facts_builder *builder, const char *number);

/* True for the start of a CPUID row: eight characters of which the first is a
 * hexadecimal digit, then a space; or a word that begins with a digit, which no
 * other line does. */
bool facts_builder_is_row(const char *line);

/* Room for one more; NULL: the arena is full. */
struct acpi_table *facts_builder_table(struct facts_builder *builder);
struct memory_range *facts_builder_memory(struct facts_builder *builder);
struct facts_register *facts_builder_register(struct facts_builder *builder);

/* Adds an expectation at the current line. */
bool facts_builder_expect(struct facts_builder *builder, enum expectation_kind kind, uint32_t cpu,
                          uint32_t index, const char *name, const char *value, const char *more,
                          const char *kernel);

/* The formats. Each reads builder->lines to the end. */
bool corpus_read(struct facts_builder *builder);
bool oracle_read(struct facts_builder *builder);
bool case_read_cpuid(struct facts_builder *builder);

#endif
