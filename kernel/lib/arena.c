/* A bump allocator: see arena.h for why nothing is ever given back. */
#include "kernel/lib/arena.h"

#include <string.h>

void arena_init(struct arena *arena, void *base, size_t size_bytes)
{
    arena->base = base;
    arena->size_bytes = base ? size_bytes : 0;
    arena->used_bytes = 0;
    arena->is_exhausted = false;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align)
{
    size_t total;
    uintptr_t free_address = (uintptr_t)arena->base + arena->used_bytes;
    size_t padding = (size_t)(-free_address & (align - 1));
    size_t left = arena_left_bytes(arena);

    if (__builtin_mul_overflow(count, size, &total) || padding > left || total > left - padding) {
        arena->is_exhausted = true;
        return NULL;
    }
    void *memory = arena->base + arena->used_bytes + padding;
    arena->used_bytes += padding + total;
    return memset(memory, 0, total);
}

void *arena_grow(struct arena *arena, void *list, uint32_t count, uint32_t *capacity, size_t size,
                 size_t align)
{
    uint32_t wanted = *capacity ? *capacity * 2 : 8;
    size_t old_bytes = (size_t)*capacity * size;

    if (count < *capacity)
        return list;
    if (wanted <= *capacity) {
        arena->is_exhausted = true;
        return NULL;
    }
    if (list && (uint8_t *)list + old_bytes == arena->base + arena->used_bytes) {
        if (!arena_alloc(arena, wanted - *capacity, size, 1))
            return NULL;
    } else {
        void *larger = arena_alloc(arena, wanted, size, align);

        if (!larger)
            return NULL;
        if (count)
            memcpy(larger, list, (size_t)count * size);
        list = larger;
    }
    *capacity = wanted;
    return list;
}

size_t arena_left_bytes(const struct arena *arena)
{
    return arena->size_bytes - arena->used_bytes;
}
