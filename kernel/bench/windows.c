/* Alignment and mapping of the bench's memory. */
#include "kernel/bench/windows.h"

#include "kernel/cpu/physmap.h"

#define MIB (1024ull * 1024)

const uint64_t windows_page_kinds[WINDOWS_PAGE_KINDS] = { 4096, 2 * MIB, 1024 * MIB };

/* The largest part of the range that starts at a multiple of `align`. */
static uint64_t aligned_bytes(const struct bench_memory *memory, uint64_t align, uint64_t *start)
{
    *start = (memory->physical + align - 1) & ~(align - 1);
    uint64_t end = memory->physical + memory->bytes;
    return *start >= end ? 0 : (end - *start) & ~(windows_page_kinds[1] - 1);
}

/* 1 GiB alignment when most of the range is left by it, else 2 MiB. */
static void align_memory(struct windows *windows, const struct bench_memory *memory)
{
    uint64_t gib_start, gib_bytes = aligned_bytes(memory, windows_page_kinds[2], &gib_start);
    windows->usable_bytes = aligned_bytes(memory, windows_page_kinds[1], &windows->physical);
    if (gib_bytes >= windows_page_kinds[2] && gib_bytes * 2 > windows->usable_bytes) {
        windows->physical = gib_start;
        windows->usable_bytes = gib_bytes;
    }
}

uint64_t windows_usable(const struct bench_memory *memory)
{
    struct windows windows;
    align_memory(&windows, memory);
    return windows.usable_bytes;
}

static uint64_t bytes_to_map(const struct windows *windows, const struct plan_request *wishes,
                             uint64_t page_bytes)
{
    uint64_t largest = wishes->size_count == 0 ? 4096 * MIB : 0;
    for (uint32_t i = 0; i < wishes->size_count; i++)
        if (wishes->sizes[i] <= windows->usable_bytes && wishes->sizes[i] > largest)
            largest = wishes->sizes[i];
    largest = largest < windows->usable_bytes ? largest : windows->usable_bytes;
    return largest & ~(page_bytes - 1);
}

bool windows_map(struct windows *windows, const struct bench_memory *memory,
                 const struct plan_request *wishes, uint32_t map)
{
    uint32_t wanted = map != 0 ? map : 6;
    uint64_t mapped = 0;
    *windows = (struct windows){ .node = memory->node };
    align_memory(windows, memory);
    for (int pass = 0; pass < 2 && windows->page_count == 0; pass++, wanted = 1)
        for (uint32_t i = 0; i < WINDOWS_PAGE_KINDS; i++) {
            uint64_t bytes = bytes_to_map(windows, wishes, windows_page_kinds[i]);
            if (!(wanted >> i & 1) || bytes == 0)
                continue;
            void *start = physmap_window(windows->physical, bytes, windows_page_kinds[i]);
            if (start == NULL)
                continue;
            windows->page_bytes[windows->page_count] = windows_page_kinds[i];
            windows->starts[windows->page_count++] = start;
            mapped = bytes > mapped ? bytes : mapped;
        }
    windows->usable_bytes = mapped;
    return windows->page_count != 0;
}

void *windows_find(const struct windows *windows, uint64_t region_bytes, uint64_t page_bytes)
{
    for (uint32_t i = 0; i < windows->page_count; i++)
        if (windows->page_bytes[i] == page_bytes && region_bytes <= windows->usable_bytes)
            return windows->starts[i];
    return NULL;
}
