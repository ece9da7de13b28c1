/* The plan of a run. Settings are made in the order of their weight: first those
 * that answer which variant a kernel should use (4K, 2M and 1G extents in the
 * largest region), then the size table, then candidates and controls. What does
 * not fit the budget is dropped from the end, and the plan says so. */
#include "kernel/stats/plan.h"

#include <stdio.h>
#include <string.h>

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

enum {
    MAX_SETTINGS = 96,
    WANTED_SAMPLES = 16,       /* of one sweep, where the extents allow it */
    LEAST_SAMPLES = 15,        /* that a block's median wants [clear 4.1]: by more sweeps */
    CACHES_PER_PASS = 4,
};

static const uint64_t default_sizes[] = { 16 * MIB, 128 * MIB, 1 * GIB, 4 * GIB };
static const uint64_t default_extents[] = { 4 * KIB, 2 * MIB };
static const uint64_t sample_span = 2 * MIB; /* small extents share a sample up to this */
static const uint64_t min_pass = 256 * MIB;
static const uint64_t max_swept = 2 * GIB - 1; /* by one variant in a block; once is always allowed */
static const uint64_t turn_bytes = 16 * MIB; /* milliseconds, and enough to leave one sample out */

/* Which variants a setting compares. */
enum crowd { CROWD_MANDATORY, CROWD_ALL, CROWD_CHOSEN };

struct draft {
    struct bench_setting settings[MAX_SETTINGS];
    enum crowd crowds[MAX_SETTINGS];
    uint32_t count;
    uint32_t unfit;            /* asked for, but larger than the memory or the region */
    uint32_t over;             /* more than MAX_SETTINGS */
};

static bool is_in_crowd(const struct plan_request *request, uint32_t variant, enum crowd crowd)
{
    if (!request->is_runnable[variant])
        return false;
    if (crowd == CROWD_CHOSEN)
        return variant < 64 && request->chosen_variants >> variant & 1;
    return crowd == CROWD_ALL || request->variants[variant].tier == VARIANT_MANDATORY;
}

static uint32_t crowd_size(const struct plan_request *request, enum crowd crowd)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < request->variant_count; i++)
        count += is_in_crowd(request, i, crowd);
    return count;
}

/* The pick, or the first of the crowd: what runs twice as the control. */
static uint32_t reference_of(const struct plan_request *request, enum crowd crowd)
{
    if (is_in_crowd(request, request->pick, crowd))
        return request->pick;
    for (uint32_t i = 0; i < request->variant_count; i++)
        if (is_in_crowd(request, i, crowd))
            return i;
    return UINT32_MAX;
}

/* Extents too large for LEAST_SAMPLES of them in a sweep are swept again, each time made
 * dirty before, as long as that stays below two gigabytes: a sample of one gigabyte takes a
 * tenth of a second and is an average itself. Several CPUs at once time a sweep as one. */
static uint32_t sweeps_for(const struct bench_setting *setting, uint64_t samples, uint64_t bytes)
{
    uint32_t sweeps = 1;
    if (setting->placement != BENCH_PLACE_ONE)
        return 1;
    while (sweeps * samples < LEAST_SAMPLES && (sweeps + 1) * bytes <= max_swept)
        sweeps++;
    return sweeps;
}

/* How much of the region one sweep clears, and in how many samples. Whole regions
 * up to the larger of 256 MiB and four times the caches; beyond it extents drawn
 * from all over the region, because a pass that stays in the caches would not
 * pay for the write-back. */
static void shape_pass(const struct plan_request *request, struct bench_setting *setting)
{
    uint64_t limit = CACHES_PER_PASS * request->cache_bytes;
    limit = limit > min_pass ? limit : min_pass;
    uint64_t pass = setting->region_bytes < limit ? setting->region_bytes : limit;
    if (pass < setting->extent_bytes)
        pass = setting->extent_bytes;
    uint64_t calls = 1;
    while (2 * calls * setting->extent_bytes <= sample_span &&
           2 * calls * setting->extent_bytes * WANTED_SAMPLES <= pass)
        calls *= 2;
    uint64_t samples = pass / (calls * setting->extent_bytes);
    while (samples > PLAN_MAX_SAMPLES) {
        calls *= 2;
        samples = pass / (calls * setting->extent_bytes);
    }
    setting->sample_calls = (uint32_t)calls;
    setting->sweeps = sweeps_for(setting, samples, samples * calls * setting->extent_bytes);
    setting->pass_samples = (uint32_t)samples * setting->sweeps;
    setting->pass_bytes = setting->pass_samples * calls * setting->extent_bytes;
    uint64_t turn = turn_bytes / (calls * setting->extent_bytes);
    turn = turn == 0 ? 1 : turn;
    setting->turn_samples = (uint32_t)(turn < samples ? turn : samples);
}

/* Largest page size that the region is a multiple of; `which` counts down from it. */
static uint64_t page_of(const struct plan_request *request, uint64_t region_bytes)
{
    uint64_t page = request->pages[0];
    for (uint32_t i = 0; i < request->page_count; i++)
        if (region_bytes % request->pages[i] == 0)
            page = request->pages[i];
    return page;
}

static void add(const struct plan_request *request, struct draft *draft, uint64_t region,
                uint64_t extent, uint64_t page, uint32_t placement, enum crowd crowd,
                bool is_primary)
{
    const struct plan_placement *place = &request->placements[placement];
    if (extent > region / place->cpu_count || region > request->usable_bytes ||
        region % page != 0 || extent % (4 * KIB) != 0 || extent == 0) {
        draft->unfit++;
        return;
    }
    if (draft->count == MAX_SETTINGS) {
        draft->over++;
        return;
    }
    draft->crowds[draft->count] = crowd;
    struct bench_setting *setting = &draft->settings[draft->count++];
    *setting = (struct bench_setting){
        .region_bytes = region, .extent_bytes = extent, .page_bytes = page,
        .node = request->node, .placement = place->kind, .cpu_count = place->cpu_count,
        .state = request->state, .is_primary = is_primary,
    };
    shape_pass(request, setting);
}

static uint64_t largest_that_fits(const struct plan_request *request, const uint64_t *sizes,
                                  uint32_t count)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sizes[i] <= request->usable_bytes && sizes[i] > largest)
            largest = sizes[i];
    return largest;
}

/* All combinations of what was asked for. */
static void draft_pages(const struct plan_request *request, struct draft *draft, uint64_t region,
                        uint64_t extent, uint32_t placement, enum crowd crowd, bool is_primary)
{
    if (!request->is_every_page) {
        add(request, draft, region, extent, page_of(request, region), placement, crowd,
            is_primary);
        return;
    }
    for (uint32_t i = 0; i < request->page_count; i++)
        add(request, draft, region, extent, request->pages[i], placement, crowd, is_primary);
}

static bool is_kernel_extent(uint64_t extent)
{
    return extent == 4 * KIB || extent == 2 * MIB || extent == 1 * GIB;
}

/* The largest region of that node, with the extent of a huge page fault. */
static void draft_other(const struct plan_request *request, struct draft *draft,
                        const struct plan_memory *other, enum crowd crowd)
{
    bool has_sizes = request->size_count > 0;
    struct plan_request there = *request;
    there.node = other->node;
    there.usable_bytes = other->usable_bytes;
    there.pages = other->pages;
    there.page_count = other->page_count;
    uint64_t largest = largest_that_fits(&there, has_sizes ? request->sizes : default_sizes,
                                         has_sizes ? request->size_count : 4);
    if (largest == 0)
        draft->unfit++;
    else
        draft_pages(&there, draft, largest,
                    request->extent_count > 0 ? request->extents[0] : 2 * MIB, 0, crowd, false);
}

static void draft_settings(const struct plan_request *request, struct draft *draft)
{
    bool has_sizes = request->size_count > 0, has_extents = request->extent_count > 0;
    const uint64_t *sizes = has_sizes ? request->sizes : default_sizes;
    const uint64_t *extents = has_extents ? request->extents : default_extents;
    uint32_t size_count = has_sizes ? request->size_count : 4;
    uint32_t extent_count = has_extents ? request->extent_count : 2;
    enum crowd crowd = request->chosen_variants != 0 ? CROWD_CHOSEN : CROWD_MANDATORY;
    uint64_t largest = largest_that_fits(request, sizes, size_count);

    if (largest == 0)
        draft->unfit++;

    for (uint32_t e = 0; e < extent_count && largest > 0; e++)
        draft_pages(request, draft, largest, extents[e], 0, crowd, is_kernel_extent(extents[e]));
    if (!has_extents && largest >= 1 * GIB)
        draft_pages(request, draft, largest, 1 * GIB, 0, crowd, true);
    for (uint32_t s = 0; s < size_count; s++)
        for (uint32_t e = 0; e < extent_count; e++)
            if (sizes[s] != largest && (has_sizes || sizes[s] <= request->usable_bytes))
                draft_pages(request, draft, sizes[s], extents[e], 0, crowd, false);
    for (uint32_t p = 1; p < request->placement_count && largest > 0; p++)
        add(request, draft, largest, has_extents ? extents[0] : 2 * MIB,
            page_of(request, largest), p, crowd, false);
    for (uint32_t i = 0; i < request->other_count; i++)
        draft_other(request, draft, &request->others[i], crowd);
    if (request->has_remote_cpu && largest > 0) {
        struct plan_request remote = *request;
        remote.state = BENCH_STATE_DIRTY_REMOTE;
        draft_pages(&remote, draft, largest, has_extents ? extents[0] : 2 * MIB, 0, crowd, false);
    }
    if (request->chosen_variants == 0 && largest > 0)
        draft_pages(request, draft, largest, has_extents ? extents[extent_count - 1] : 2 * MIB, 0,
                    CROWD_ALL, false);
}

static uint64_t pass_us(const struct plan_request *request, const struct bench_setting *setting)
{
    return setting->pass_bytes / (request->assumed_bytes_per_s / 1000000 + 1) + 50;
}

static uint64_t draft_us(const struct plan_request *request, const struct draft *draft,
                         uint32_t blocks)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < draft->count; i++)
        sum += blocks * (crowd_size(request, draft->crowds[i]) + 1ull) *
               pass_us(request, &draft->settings[i]);
    return sum;
}

static uint64_t blocks_us(const struct plan_request *request)
{
    return request->budget_us - request->reserve_us;
}

/* Fewer blocks first, as long as a verdict stays possible; then fewer settings. */
static uint32_t fit_budget(const struct plan_request *request, struct draft *draft)
{
    uint32_t blocks = request->blocks != 0 ? request->blocks : PLAN_DEFAULT_BLOCKS;
    if (request->blocks != 0)
        return blocks;
    while (draft->count > 1 && draft_us(request, draft, blocks) > blocks_us(request)) {
        if (blocks > 16)
            blocks -= 2;
        else
            draft->count--;
    }
    while (blocks > PLAN_MIN_BLOCKS && draft_us(request, draft, blocks) > blocks_us(request))
        blocks--;
    return blocks;
}

/* Blocks that were asked for are not extended; nor are those of a plan whose records would
 * take more than half of the memory that is left. */
static uint32_t capacity_for(const struct plan_request *request, uint32_t blocks, uint32_t cells,
                             const struct arena *arena)
{
    uint32_t capacity = PLAN_EXTENDED_BLOCKS;
    if (request->blocks != 0)
        return blocks;
    while (capacity / 2 >= blocks && (size_t)cells * capacity * sizeof(struct bench_block) >
                                         arena_left_bytes(arena) / 2)
        capacity /= 2;
    return capacity;
}

static bool fill_cells(const struct plan_request *request, const struct draft *draft,
                       uint32_t blocks, struct arena *arena, struct bench_results *out)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < draft->count; i++)
        total += crowd_size(request, draft->crowds[i]) + 1;
    uint32_t capacity = capacity_for(request, blocks, total, arena);
    out->settings = ARENA_NEW(arena, struct bench_setting, draft->count);
    out->cells = ARENA_NEW(arena, struct bench_cell, total);
    out->verdicts = ARENA_NEW(arena, struct bench_verdict, total);
    struct bench_block *records = ARENA_NEW(arena, struct bench_block, (size_t)total * capacity);
    if (out->settings == NULL || out->cells == NULL || out->verdicts == NULL || records == NULL)
        return false;
    out->setting_count = draft->count;
    out->cell_count = 0;
    for (uint32_t i = 0; i < draft->count; i++) {
        struct bench_setting *setting = &out->settings[i];
        *setting = draft->settings[i];
        setting->blocks = blocks;
        setting->block_capacity = capacity;
        setting->first_cell = out->cell_count;
        uint32_t reference = reference_of(request, draft->crowds[i]);
        for (uint32_t v = 0; v <= request->variant_count; v++) {
            bool is_repeat = v == request->variant_count; /* the control comes last */
            uint32_t variant = is_repeat ? reference : v;
            if (!is_in_crowd(request, variant, draft->crowds[i]))
                continue;
            out->cells[out->cell_count] = (struct bench_cell){
                .setting = i, .variant = variant, .is_repeat = is_repeat,
                .is_pick = variant == request->pick,
                .blocks = &records[(size_t)out->cell_count * capacity],
            };
            out->cell_count++;
        }
        setting->cell_count = out->cell_count - setting->first_cell;
    }
    return true;
}

static const char *tell_cuts(uint32_t drafted, const struct draft *draft, uint32_t blocks,
                             const struct plan_request *request, struct arena *arena)
{
    uint32_t wanted = request->blocks != 0 ? request->blocks : PLAN_DEFAULT_BLOCKS;
    uint32_t all = drafted + draft->over;
    char text[240] = "";
    size_t length = 0;
    if (draft->unfit != 0)
        length = (size_t)snprintf(text, sizeof text,
            "%u settings do not fit: larger than the memory of %llu MiB or than their region. ",
            draft->unfit, (unsigned long long)(request->usable_bytes / MIB));
    if (all != draft->count || blocks != wanted)
        snprintf(text + length, sizeof text - length,
            "The budget of %llu s leaves %u of %u settings and %u of %u blocks.",
            (unsigned long long)(request->budget_us / 1000000), draft->count, all, blocks, wanted);
    char *copy = text[0] == 0 ? NULL : ARENA_NEW(arena, char, strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

uint64_t plan_block_us(const struct plan_request *request, const struct bench_results *plan)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < plan->setting_count; i++)
        sum += plan->settings[i].cell_count * pass_us(request, &plan->settings[i]);
    return sum;
}

bool plan_build(const struct plan_request *request, struct arena *arena,
                struct bench_results *out, const char **why)
{
    struct draft *draft = ARENA_NEW(arena, struct draft, 1);
    *why = "no memory for the plan";
    if (draft == NULL)
        return false;
    draft_settings(request, draft);
    uint32_t drafted = draft->count;
    *why = "more blocks than the statistics take: at most 256";
    if (request->blocks > PLAN_MAX_BLOCKS)
        return false;
    *why = "no region size fits the memory, or every extent is larger than its region";
    if (drafted == 0)
        return false;
    *why = "no variant that was asked for can run on this CPU";
    if (crowd_size(request, draft->crowds[0]) == 0)
        return false;
    uint32_t blocks = fit_budget(request, draft);
    *why = "no memory for the plan";
    if (!fill_cells(request, draft, blocks, arena, out))
        return false;
    out->seed = request->seed;
    out->budget_us = request->budget_us;
    out->reserve_us = request->reserve_us;
    out->planned_us = blocks * plan_block_us(request, out);
    out->variants = request->variants;
    out->variant_count = request->variant_count;
    out->pick = request->pick;
    out->plan_text = tell_cuts(drafted, draft, blocks, request, arena);
    *why = NULL;
    return true;
}
