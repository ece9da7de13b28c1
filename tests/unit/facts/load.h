/* Reads a file of tests/ whole, for tests of the readers. Tests run in the
 * project's top folder. */
#ifndef TESTS_UNIT_FACTS_LOAD_H
#define TESTS_UNIT_FACTS_LOAD_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit_test.h"

struct loaded {
    char *bytes;
    size_t length;
};

static inline struct loaded load_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct loaded loaded = {0};
    long length;

    if (!file)
        fail_msg("%s is not there", path);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    loaded.bytes = malloc((size_t)length + 1);
    assert_non_null(loaded.bytes);
    loaded.length = fread(loaded.bytes, 1, (size_t)length, file);
    assert_int_equal(loaded.length, length);
    fclose(file);
    /* An exact copy, so that the sanitizer sees a read behind the end. */
    loaded.bytes = realloc(loaded.bytes, loaded.length ? loaded.length : 1);
    return loaded;
}

#endif
