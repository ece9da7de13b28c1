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

/* A list with room for one element more: `list` itself while count < *capacity,
 * else twice as large, in place when it was the arena's last allocation. NULL
 * when it does not fit; the old list then stays as it was. */
void *arena_grow(struct arena *arena, void *list, uint32_t count, uint32_t *capacity, size_t size,
                 size_t align);

#define ARENA_GROW(arena, list, count, capacity) \
    ((__typeof__(list))arena_grow((arena), (list), (count), (capacity), sizeof(*(list)), \
                                  _Alignof(__typeof__(*(list)))))

/* The space left, for a caller that splits an arena. */
size_t arena_left_bytes(const struct arena *arena);

#endif
