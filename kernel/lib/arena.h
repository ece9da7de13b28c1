/* Memory handed out once and never given back: every buffer of a run is taken
 * before anything is measured, so that no allocation can fail half way. */
#ifndef KERNEL_LIB_ARENA_H
#define KERNEL_LIB_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t *base;
    size_t size_bytes;
    size_t used_bytes;
    bool is_exhausted; /* sticky: some request did not fit */
};

void arena_init(struct arena *arena, void *base, size_t size_bytes);

/* Zeroed memory aligned to `align` (a power of two), or NULL when it does not
 * fit; the arena then stays marked as exhausted. count * size is checked. */
void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align);

#define ARENA_NEW(arena, type, count) \
    ((type *)arena_alloc((arena), (count), sizeof(type), _Alignof(type)))

/* The space left, for a caller that splits an arena. */
size_t arena_left_bytes(const struct arena *arena);

#endif
