/* The files of an input in memory: one file, or what of a case directory belongs
 * to a recorded machine. */
#ifndef HOST_INPUT_FILES_H
#define HOST_INPUT_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum { INPUT_PATH_BYTES = 4096, INPUT_MAX_FILES = 64 };

struct input_file {
    char path[INPUT_PATH_BYTES];
    const char *name;        /* last component of path */
    char *text;
    size_t length;
};

struct input_files {
    struct input_file *files;
    unsigned count;
    size_t total_bytes;
};

/* Reads what belongs to PATH (input.h). False: the reason was printed.
 * input_files_free() must be called in both cases. */
bool input_files_read(struct input_files *set, const char *path);
void input_files_free(struct input_files *set);

/* NULL: there is no file of that name. */
const struct input_file *input_files_find(const struct input_files *set, const char *name);

/* An ACPI table as it lies in memory, by its name. */
bool input_files_is_table(const char *name);
/* A text file that a case may hold beside its tables. */
bool input_files_is_part_of_a_case(const char *name);

#endif
