/* Loads a recorded machine from a file or a case directory for the desk tool. */
#ifndef HOST_INPUT_H
#define HOST_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/facts/expectations.h"
#include "kernel/facts/machine_facts.h"

struct input {
    struct machine_facts facts;
    struct expectations expectations;
    void *memory;            /* everything the two above point to */
    size_t memory_bytes;
};

/* PATH is facts.txt, a corpus file, an oracle record, a cpuid.txt or msr.txt, a
 * case directory with these and ACPI tables (*.bin), or one such table; a file
 * of a case takes its directory's lapic.txt, nodes.txt, boot.txt and expected*.txt
 * along. False: the reason was printed with file, line and what would be right.
 * input_free() must be called in both cases. */
bool input_load(const char *path, struct input *input);
void input_free(struct input *input);

/* A whole file in memory from malloc, with a NUL behind it. NULL: printed. */
char *input_read_file(const char *path, size_t *length);

#endif
