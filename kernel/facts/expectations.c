/* Keeps the expected values in the order of the input. */
#include "kernel/facts/expectations.h"

#include <string.h>

bool expectations_add(struct expectations *expectations, struct arena *arena,
                      const struct expectation *one)
{
    struct expectation *list = ARENA_GROW(arena, expectations->list, expectations->count,
                                          &expectations->capacity);

    if (!list)
        return false;
    expectations->list = list;
    list[expectations->count++] = *one;
    return true;
}

bool expectations_add_truth(struct expectations *expectations, struct arena *arena,
                            enum truth_kind kind, const char *kernel)
{
    struct truth *list = ARENA_GROW(arena, expectations->truths, expectations->truth_count,
                                    &expectations->truth_capacity);

    if (!list)
        return false;
    expectations->truths = list;
    list[expectations->truth_count++] = (struct truth){kind, kernel};
    return true;
}

bool expectations_add_header(struct expectations *expectations, struct arena *arena,
                             const char *key, const char *value)
{
    struct input_header *list = ARENA_GROW(arena, expectations->headers,
                                           expectations->header_count,
                                           &expectations->header_capacity);

    if (!list)
        return false;
    expectations->headers = list;
    list[expectations->header_count++] = (struct input_header){key, value};
    return true;
}

const char *expectations_header(const struct expectations *expectations, const char *key)
{
    for (uint32_t i = 0; i < expectations->header_count; i++)
        if (strcmp(expectations->headers[i].key, key) == 0)
            return expectations->headers[i].value;
    return NULL;
}

const struct expectation *expectations_find(const struct expectations *expectations,
                                            enum expectation_kind kind, uint32_t cpu,
                                            uint32_t index, const char *name)
{
    for (uint32_t i = 0; i < expectations->count; i++) {
        const struct expectation *one = &expectations->list[i];

        if (one->kind == kind && one->cpu == cpu && one->index == index &&
            strcmp(one->name, name) == 0)
            return one;
    }
    return NULL;
}
