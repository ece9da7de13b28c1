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

size_t arena_left_bytes(const struct arena *arena)
{
    return arena->size_bytes - arena->used_bytes;
}
