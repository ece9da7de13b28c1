/* The lines of facts.txt and the corpus: one function a first word, split over
 * corpus_read.c (CPUs), corpus_machine.c, corpus_tables.c and corpus_expect.c. */
#ifndef KERNEL_FACTS_CORPUS_READER_H
#define KERNEL_FACTS_CORPUS_READER_H

#include "kernel/facts/facts_builder.h"

/* The table that "hex" lines are filling. */
struct open_table {
    uint8_t *bytes;
    uint32_t length_bytes, filled_bytes;
    uint32_t line;
    char name[12];
};

struct corpus_reader {
    struct facts_builder *builder;
    struct open_table table;
    uint32_t ordinal;           /* of hwloc objects */
};

/* Sets "a broken line: right is '…'"; returns false. */
bool corpus_fail(struct corpus_reader *reader, const char *right);

struct corpus_line {
    const char *word;           /* the line's first */
    bool (*read)(struct corpus_reader *reader, char *rest);
};
extern const struct corpus_line corpus_machine_lines[]; /* ends with a NULL word */

/* Each takes what follows the first word. */
bool corpus_acpi(struct corpus_reader *reader, char *rest);
bool corpus_hex(struct corpus_reader *reader, char *rest);
bool corpus_header(struct corpus_reader *reader, char *rest);
bool corpus_truth(struct corpus_reader *reader, char *rest);
bool corpus_expect_sysfs(struct corpus_reader *reader, char *rest);
bool corpus_expect_hwloc(struct corpus_reader *reader, char *rest);
bool corpus_expect_aida64(struct corpus_reader *reader, char *rest);
bool corpus_expect_libcpuid(struct corpus_reader *reader, char *rest);

/* False with the error set when the last table's hex lines are not complete. */
bool corpus_table_is_whole(struct corpus_reader *reader);

#endif
