/* Where the run's own memory lies: the first part of the largest granted range. The
 * rest of that range, and all others, stay granted for what is measured. */
#include "kernel/run.h"

#include "boot/info/memory_map.h"
#include "kernel/cpu/physmap.h"
#include "kernel/cpu/physmap_state.h"

enum {
    MIB = 1 << 20,
    BASE_BYTES = 24 * MIB,          /* tables, findings, report of a small machine */
    SMALLEST_BYTES = 4 * MIB,
    BYTES_PER_CPU = 112 * 1024,     /* stacks, rows, seven profiles, its part of the report */
    ARENA_ALIGN_BYTES = 2 * MIB,    /* so that large pages can map what follows */
};

static struct boot_range *largest_granted(struct boot_info *info)
{
    struct boot_range *best = NULL;

    for (uint32_t i = 0; i < info->range_count; i++) {
        struct boot_range *range = &info->ranges[i];
        if (range->kind == BOOT_RANGE_GRANTED
            && (!best || range->end - range->start > best->end - best->start))
            best = range;
    }
    return best;
}

bool run_take_memory(struct run *run, struct boot_info *info)
{
    struct boot_range *range = largest_granted(info);
    uint64_t size = range ? range->end - range->start : 0;

    run->info = info;
    if (size < SMALLEST_BYTES) {
        arena_init(&run->arena, NULL, 0);
        return run_fail(run, "the largest free piece of memory has %llu KiB; %u KiB are needed",
                        (unsigned long long)size / 1024, SMALLEST_BYTES / 1024);
    }
    run->arena_limit_bytes = size;
    arena_init(&run->arena, physmap(range->start),
               size < BASE_BYTES ? SMALLEST_BYTES : BASE_BYTES);
    return true;
}

/* Splits `range` at `end`: the lower part is ours now. */
static void mark_taken(struct boot_info *info, struct boot_range *range, uint64_t end)
{
    uint32_t at = (uint32_t)(range - info->ranges);
    struct boot_range rest = *range;

    range->kind = BOOT_RANGE_KERNEL;
    if (end >= rest.end)
        return;
    if (info->range_count == BOOT_INFO_MAX_RANGES) {
        /* No room for one more: the rest is given up, which is always safe. */
        info->dropped_ranges++;
        return;
    }
    for (uint32_t i = info->range_count++; i > at + 1; i--)
        info->ranges[i] = info->ranges[i - 1];
    range->end = end;
    rest.start = end;
    info->ranges[at + 1] = rest;
}

bool run_fix_memory(struct run *run, uint32_t cpu_count)
{
    struct boot_range *range = largest_granted(run->info);
    uint64_t wanted = BASE_BYTES + (uint64_t)cpu_count * BYTES_PER_CPU;
    uint64_t end;

    if (wanted > run->arena_limit_bytes / 4 * 3)
        wanted = run->arena_limit_bytes / 4 * 3;
    end = (range->start + wanted + ARENA_ALIGN_BYTES - 1) & ~(uint64_t)(ARENA_ALIGN_BYTES - 1);
    if (end > range->end)
        end = range->end;
    if (end - range->start < run->arena.size_bytes)
        end = range->start + run->arena.size_bytes;
    run->arena.size_bytes = end - range->start;
    mark_taken(run->info, range, end);
    return true;
}

static void own(struct report_model *model, struct report_memory *list, uint64_t start,
                uint64_t end, const char *use)
{
    if (start < end)
        list[model->owned_count++] = (struct report_memory){start, end, use};
}

void run_tell_memory(struct run *run, struct report_model *model)
{
    enum { OWN_USES = 4, TRAMPOLINE_BYTES = 4096 };
    static struct report_memory list[OWN_USES + BOOT_INFO_MAX_RANGES];
    static const char measured[] = "given to measurements";
    const struct boot_info *info = run->info;
    const struct pagetable *table = &physmap_state.table;
    uint64_t arena = run->arena.size_bytes ? physmap_physical(run->arena.base) : 0;
    const struct boot_range *range = arena ? memory_map_find(info, arena) : NULL;

    model->owned = list;
    own(model, list, info->kernel_physical, info->kernel_physical + info->kernel_bytes,
        "this image and its stacks");
    own(model, list, table->root, table->pool_end, "page tables");
    if (info->trampoline_physical)
        own(model, list, info->trampoline_physical, info->trampoline_physical + TRAMPOLINE_BYTES,
            "page that CPUs start from");
    if (range && range->kind == BOOT_RANGE_KERNEL) /* else it is still part of a granted one */
        own(model, list, arena, arena + run->arena.size_bytes, "facts, results and stacks of CPUs");
    for (uint32_t i = 0; i < info->range_count; i++) {
        if (info->ranges[i].kind == BOOT_RANGE_GRANTED)
            own(model, list, info->ranges[i].start, info->ranges[i].end, measured);
    }
}
