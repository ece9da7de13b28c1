/* Plans: what is compared by default, what a budget or the memory leaves out. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/plan.h"

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static const struct clear_variant variants[] = {
    { .id = "orig", .tier = VARIANT_MANDATORY },   { .id = "stosq", .tier = VARIANT_MANDATORY },
    { .id = "stosb", .tier = VARIANT_MANDATORY },  { .id = "movnti8", .tier = VARIANT_MANDATORY },
    { .id = "clzero", .tier = VARIANT_MANDATORY }, { .id = "movdir64b", .tier = VARIANT_SECOND },
    { .id = "read", .tier = VARIANT_CONTROL },
};
enum { VARIANTS = sizeof variants / sizeof variants[0], STOSB = 2, CLZERO = 4 };
static const bool all_run[VARIANTS] = { true, true, true, true, true, true, true };
static const bool no_clzero[VARIANTS] = { true, true, true, true, false, true, true };
static const uint64_t pages[] = { 4 * KIB, 2 * MIB, 1 * GIB };
static const struct plan_placement places[] = { { BENCH_PLACE_ONE, 1 }, { BENCH_PLACE_ALL, 8 } };

static uint8_t memory[1 << 23];
static struct arena arena;

static struct plan_request request_for(uint64_t usable_bytes)
{
    arena_init(&arena, memory, sizeof memory);
    return (struct plan_request){
        .variants = variants, .variant_count = VARIANTS, .is_runnable = all_run, .pick = STOSB,
        .pages = pages, .page_count = 3, .placements = places, .placement_count = 1, .node = -1,
        .budget_us = 300000000, .usable_bytes = usable_bytes, .cache_bytes = 32 * MIB,
        .assumed_bytes_per_s = 3000000000, .seed = 7,
    };
}

static struct bench_results built(const struct plan_request *request)
{
    struct bench_results plan = { 0 };
    const char *why = "not set";
    assert_true(plan_build(request, &arena, &plan, &why));
    assert_null(why);
    return plan;
}

static const struct bench_setting *find(const struct bench_results *plan, uint64_t region,
                                        uint64_t extent)
{
    for (uint32_t i = 0; i < plan->setting_count; i++)
        if (plan->settings[i].region_bytes == region && plan->settings[i].extent_bytes == extent)
            return &plan->settings[i];
    return NULL;
}

static void default_plan_answers_for_4k_2m_and_1g(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    struct bench_results plan = built(&request);
    static const uint64_t extents[] = { 4 * KIB, 2 * MIB, 1 * GIB };
    for (int i = 0; i < 3; i++) {
        const struct bench_setting *setting = find(&plan, 4 * GIB, extents[i]);
        assert_non_null(setting);
        assert_true(setting->is_primary);
        assert_int_equal(setting->page_bytes, 1 * GIB);
    }
    static const uint64_t sizes[] = { 16 * MIB, 128 * MIB, 1 * GIB };
    for (int i = 0; i < 3; i++) {
        assert_non_null(find(&plan, sizes[i], 4 * KIB));
        assert_non_null(find(&plan, sizes[i], 2 * MIB));
        assert_false(find(&plan, sizes[i], 2 * MIB)->is_primary);
    }
    assert_int_equal(find(&plan, 16 * MIB, 4 * KIB)->page_bytes, 2 * MIB);
    assert_null(plan.plan_text);
    assert_true(plan.planned_us <= request.budget_us);
}

static void every_setting_has_the_pick_twice_and_the_control_last(void **state)
{
    (void)state;
    struct plan_request request = request_for(2 * GIB);
    struct bench_results plan = built(&request);
    for (uint32_t i = 0; i < plan.setting_count; i++) {
        const struct bench_setting *setting = &plan.settings[i];
        const struct bench_cell *cells = &plan.cells[setting->first_cell];
        uint32_t picks = 0;
        for (uint32_t k = 0; k < setting->cell_count; k++) {
            assert_int_equal(cells[k].setting, i);
            assert_int_equal(cells[k].is_repeat, k + 1 == setting->cell_count);
            picks += cells[k].variant == STOSB;
        }
        assert_int_equal(picks, 2);
    }
}

static void what_cannot_run_is_not_planned(void **state)
{
    (void)state;
    struct plan_request request = request_for(2 * GIB);
    request.is_runnable = no_clzero;
    struct bench_results plan = built(&request);
    for (uint32_t i = 0; i < plan.cell_count; i++)
        assert_int_not_equal(plan.cells[i].variant, CLZERO);
    request = request_for(2 * GIB);
    request.is_runnable = no_clzero;
    request.chosen_variants = 1 << CLZERO;
    struct bench_results none = { 0 };
    const char *why = NULL;
    assert_false(plan_build(&request, &arena, &none, &why));
    assert_non_null(strstr(why, "no variant"));
}

static void regions_larger_than_the_memory_are_left_out(void **state)
{
    (void)state;
    struct plan_request request = request_for(200 * MIB);
    struct bench_results plan = built(&request);
    for (uint32_t i = 0; i < plan.setting_count; i++)
        assert_true(plan.settings[i].region_bytes <= 200 * MIB);
    assert_non_null(find(&plan, 128 * MIB, 4 * KIB));
    assert_null(find(&plan, 128 * MIB, 1 * GIB));

    static const uint64_t wish[] = { 16 * MIB, 8 * GIB };
    request = request_for(200 * MIB);
    request.sizes = wish;
    request.size_count = 2;
    plan = built(&request);
    assert_non_null(plan.plan_text);
    assert_non_null(strstr(plan.plan_text, "do not fit"));
    request.sizes = wish + 1;
    request.size_count = 1;
    const char *why = NULL;
    assert_false(plan_build(&request, &arena, &plan, &why));
}

/* Samples: at least 16 in a pass where the region allows, small extents share one. */
static void passes_have_enough_samples_to_take_a_median_of(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    struct bench_results plan = built(&request);
    for (uint32_t i = 0; i < plan.setting_count; i++) {
        const struct bench_setting *setting = &plan.settings[i];
        if (setting->extent_bytes * 16 <= setting->region_bytes)
            assert_true(setting->pass_samples >= 15);
        assert_true(setting->pass_samples >= 1 && setting->pass_samples <= PLAN_MAX_SAMPLES);
        assert_true(setting->pass_bytes / setting->sweeps <= setting->region_bytes);
        assert_int_equal(setting->pass_bytes, (uint64_t)setting->pass_samples *
                                                  setting->sample_calls * setting->extent_bytes);
    }
    /* 512 pages of 4K make 2M, what one huge page fault clears. */
    assert_int_equal(find(&plan, 4 * GIB, 4 * KIB)->sample_calls, 512);
}

/* A pass that fits the caches would not pay for its write-back. */
static void large_caches_make_passes_longer(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    request.cache_bytes = 400 * MIB;
    struct bench_results plan = built(&request);
    assert_true(find(&plan, 4 * GIB, 2 * MIB)->pass_bytes >= 1600 * MIB);
}

static void a_short_budget_takes_blocks_first_and_says_so(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    request.budget_us = 20000000;
    struct bench_results plan = built(&request);
    assert_true(plan.settings[0].blocks < PLAN_DEFAULT_BLOCKS);
    assert_true(plan.settings[0].blocks >= PLAN_MIN_BLOCKS);
    assert_true(plan.settings[0].is_primary);
    assert_true(plan.planned_us <= request.budget_us);
    assert_non_null(strstr(plan.plan_text, "budget of 20 s"));
}

static void blocks_that_were_asked_for_are_kept(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    request.budget_us = 1000;
    request.blocks = 64;
    struct bench_results plan = built(&request);
    assert_int_equal(plan.settings[0].blocks, 64);
    request = request_for(16 * GIB);
    request.blocks = 257;
    const char *why = NULL;
    assert_false(plan_build(&request, &arena, &plan, &why));
    assert_non_null(strstr(why, "256"));
}

static void pages_asked_for_by_name_are_settings_of_their_own(void **state)
{
    (void)state;
    static const uint64_t size[] = { 2 * GIB }, extent[] = { 2 * MIB };
    struct plan_request request = request_for(16 * GIB);
    request.is_every_page = true;
    request.sizes = size;
    request.size_count = 1;
    request.extents = extent;
    request.extent_count = 1;
    request.chosen_variants = 1 << STOSB | 1 << CLZERO;
    struct bench_results plan = built(&request);
    assert_int_equal(plan.setting_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(plan.settings[i].page_bytes, pages[i]);
        assert_int_equal(plan.settings[i].cell_count, 3);
    }
}

static void several_cpus_get_a_setting_of_their_own(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    request.placement_count = 2;
    struct bench_results plan = built(&request);
    uint32_t together = 0;
    for (uint32_t i = 0; i < plan.setting_count; i++)
        together += plan.settings[i].placement == BENCH_PLACE_ALL &&
                    plan.settings[i].cpu_count == 8;
    assert_int_equal(together, 1);
}

/* Room for 256 blocks where it is cheap; a small memory gets the plan, and fewer. */
static void a_small_arena_takes_the_extension_first(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    struct bench_results plan = built(&request);
    assert_int_equal(plan.settings[0].block_capacity, 256);
    request = request_for(16 * GIB);
    arena_init(&arena, memory, 1 << 20);
    plan = built(&request);
    assert_int_equal(plan.settings[0].blocks, PLAN_DEFAULT_BLOCKS);
    assert_in_range(plan.settings[0].block_capacity, PLAN_DEFAULT_BLOCKS, 128);
}

/* Turns of 16 MiB: eight samples of 2M, and no turn is longer than the pass. */
static void turns_are_short(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    struct bench_results plan = built(&request);
    assert_int_equal(find(&plan, 4 * GIB, 2 * MIB)->turn_samples, 8);
    assert_int_equal(find(&plan, 4 * GIB, 4 * KIB)->turn_samples, 8);
    assert_int_equal(find(&plan, 4 * GIB, 1 * GIB)->turn_samples, 1);
    const struct bench_setting *small = find(&plan, 16 * MIB, 4 * KIB);
    assert_int_equal(small->turn_samples, small->pass_samples);
}

static void a_full_arena_is_said(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    arena_init(&arena, memory, 4096);
    struct bench_results plan = { 0 };
    const char *why = NULL;
    assert_false(plan_build(&request, &arena, &plan, &why));
    assert_non_null(strstr(why, "memory"));
}

static void the_same_request_gives_the_same_plan(void **state)
{
    (void)state;
    struct plan_request request = request_for(16 * GIB);
    struct bench_results first = built(&request), second = built(&request);
    assert_int_equal(first.setting_count, second.setting_count);
    assert_memory_equal(first.settings, second.settings,
                        first.setting_count * sizeof *first.settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_plan_answers_for_4k_2m_and_1g),
        cmocka_unit_test(every_setting_has_the_pick_twice_and_the_control_last),
        cmocka_unit_test(what_cannot_run_is_not_planned),
        cmocka_unit_test(regions_larger_than_the_memory_are_left_out),
        cmocka_unit_test(passes_have_enough_samples_to_take_a_median_of),
        cmocka_unit_test(large_caches_make_passes_longer),
        cmocka_unit_test(a_short_budget_takes_blocks_first_and_says_so),
        cmocka_unit_test(blocks_that_were_asked_for_are_kept),
        cmocka_unit_test(pages_asked_for_by_name_are_settings_of_their_own),
        cmocka_unit_test(several_cpus_get_a_setting_of_their_own),
        cmocka_unit_test(a_small_arena_takes_the_extension_first),
        cmocka_unit_test(turns_are_short),
        cmocka_unit_test(a_full_arena_is_said),
        cmocka_unit_test(the_same_request_gives_the_same_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
