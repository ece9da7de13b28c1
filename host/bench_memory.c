/* Memory with pages of a known size: from the pool of huge pages where it has some, else by
 * advice, and looked at afterwards. For bench_machine.h. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "host/bench_machine.h"

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

static const uint64_t page_bytes[BENCH_PAGES_COUNT] = { 4096, 2ull << 20, 1ull << 30 };
static const unsigned page_shift[BENCH_PAGES_COUNT] = { 12, 21, 30 };

uint64_t bench_machine_page_bytes(enum bench_pages pages)
{
    return page_bytes[pages];
}

/* Explicit huge pages: only what the pool has; MAP_POPULATE fails early. */
static uint8_t *map_hugetlb(enum bench_pages pages, uint64_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE |
                (int)(page_shift[pages] << MAP_HUGE_SHIFT);
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

/* Runs that take turns take turns here too: which page frames a run is given changes its
 * times by some per cent (docs/bench.md), so that frames side by side go to both. */
static void touch_in_turns(const struct engine_machine *engine, uint8_t *start, uint64_t bytes)
{
    enum { TURN_BYTES = 64 << 20 };
    for (uint64_t done = 0, some; done < bytes; done += some) {
        some = bytes - done < TURN_BYTES ? bytes - done : TURN_BYTES;
        memset(start + done, 0xC3, some);
        if (engine->yield != NULL)
            engine->yield(engine->context);
    }
}

/* Ordinary memory aligned to 2 MiB with the wish for or against huge pages. */
static uint8_t *map_advised(const struct engine_machine *engine, uint64_t bytes, int advice)
{
    uint64_t align = page_bytes[BENCH_PAGES_2M];
    uint8_t *start = mmap(NULL, bytes + align, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    start += -(uintptr_t)start & (align - 1);
    if (madvise(start, bytes, advice) != 0 && advice == MADV_HUGEPAGE)
        return NULL;
    touch_in_turns(engine, start, bytes);
    return start;
}

/* AnonHugePages of the mapping that holds `start`, in bytes. */
static uint64_t huge_bytes_at(const uint8_t *start)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool is_inside = false;
    uint64_t kib = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long from, to;
        unsigned long long value;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            is_inside = (uintptr_t)start >= from && (uintptr_t)start < to;
        else if (is_inside && sscanf(line, "AnonHugePages: %llu kB", &value) == 1)
            kib += value;
    }
    if (file != NULL)
        fclose(file);
    return kib * 1024;
}

static bool map_2m(struct bench_machine *machine, uint64_t bytes)
{
    uint8_t *start = map_hugetlb(BENCH_PAGES_2M, bytes);
    machine->pages_how[BENCH_PAGES_2M] = "hugetlb 2M";
    if (start == NULL) {
        start = map_advised(&machine->engine, bytes, MADV_HUGEPAGE);
        machine->pages_how[BENCH_PAGES_2M] = "transparent huge pages 2M";
        if (start != NULL && huge_bytes_at(start) < bytes) {
            munmap(start, bytes);
            start = NULL;
        }
    }
    machine->memory[BENCH_PAGES_2M] = start;
    return start != NULL;
}

bool bench_machine_map(struct bench_machine *machine, enum bench_pages pages, uint64_t bytes)
{
    if (machine->memory_bytes[pages] >= bytes)
        return true;
    bytes += -bytes & (page_bytes[pages] - 1);
    if (pages == BENCH_PAGES_2M) {
        if (!map_2m(machine, bytes))
            return false;
    } else if (pages == BENCH_PAGES_1G) {
        machine->memory[pages] = map_hugetlb(pages, bytes);
        machine->pages_how[pages] = "hugetlb 1G";
    } else {
        machine->memory[pages] = map_advised(&machine->engine, bytes, MADV_NOHUGEPAGE);
        machine->pages_how[pages] = "ordinary pages 4K";
    }
    if (machine->memory[pages] == NULL)
        return false;
    machine->memory_bytes[pages] = bytes;
    return true;
}
