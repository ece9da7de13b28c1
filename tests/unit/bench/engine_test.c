/* The engine: order of the arms, state of the memory, sweeps, budget, preempted passes. */
#include "tests/unit/bench/engine_fake.h"

static void every_block_runs_every_arm_once_on_dirty_memory(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(12, 1000000000);
    engine_run(&f->engine);
    assert_int_equal(fake.clean_calls, 0);
    assert_int_equal(f->results.cell_count, 4);
    assert_int_equal(fake.log_count, 12 * 4);
    uint32_t first_is_stosb = 0;
    for (uint32_t block = 0; block < 12; block++) {
        uint32_t stosb = 0;
        for (uint32_t i = 0; i < 4; i++)
            stosb += fake.log[block * 4 + i] == &variants[0];
        assert_int_equal(stosb, 2); /* the pick and its repeat */
        first_is_stosb += fake.log[block * 4] == &variants[0];
    }
    /* Never all-A-then-all-B: the order changes from block to block. */
    assert_in_range(first_is_stosb, 1, 11);
    assert_int_equal(fake.beside_calls, 12);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f->results.cells[i].block_count, 12);
        assert_int_equal(f->results.cells[i].median_cycles_q8, 700 * 256);
    }
}

/* Four turns of four samples a round, and as many rounds as arms. */
static void arms_take_turns_and_each_clears_every_extent_once(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(3, 1000000000);
    assert_int_equal(f->results.settings[0].pass_samples, 16);
    f->results.settings[0].turn_samples = 4;
    engine_run(&f->engine);
    assert_int_equal(fake.clean_calls, 0);
    assert_int_equal(fake.log_count, 3 * 4 * 4);
    for (uint32_t block = 0; block < 3; block++) {
        uint32_t stosb = 0, movnti = 0;
        uint64_t cleared = 0; /* bit: a turn of movnti8 began there */
        for (uint32_t i = block * 16; i < (block + 1) * 16; i++) {
            stosb += fake.log[i] == &variants[0];
            if (fake.log[i] != &variants[1])
                continue;
            movnti++;
            cleared |= 1ull << fake.log_first[i];
        }
        assert_int_equal(stosb, 8);
        assert_int_equal(movnti, 4);
        assert_int_equal(__builtin_popcountll(cleared), 4);
        for (uint32_t round = 1; round < 4; round++) /* nobody stays at the same extents */
            assert_ptr_equal(fake.log[block * 16 + round * 4], fake.log[block * 16 + round]);
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(f->results.cells[i].median_cycles_q8, 700 * 256);
}

/* A region of four extents is swept four times, dirty each time: 16 samples [clear 4.1]. */
static void few_extents_are_swept_until_a_median_has_samples(void **state)
{
    (void)state;
    struct fixture *f = fixture_with(2, 1000000000, REGION / 4);
    assert_int_equal(f->results.settings[0].sweeps, 4);
    assert_int_equal(f->results.settings[0].pass_samples, 16);
    engine_run(&f->engine);
    assert_int_equal(fake.clean_calls, 0);
    assert_int_equal(fake.log_count, 2 * 4 * 4);
    for (uint32_t i = 4; i < 16; i++) /* within a block the arms keep their order */
        assert_ptr_equal(fake.log[i], fake.log[i - 4]);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f->results.cells[i].sample_count, 2 * 16);
        assert_int_equal(f->results.cells[i].median_cycles_q8, 700 * 256);
    }
    f = fixture_with(2, 1000000000, REGION / 4);
    fake.preempted_passes = 2; /* of the first sweep: no other is taken again */
    engine_run(&f->engine);
    assert_int_equal(f->results.retaken_passes, 2);
    assert_int_equal(fake.log_count, 2 * 4 * 4 + 2);
}

/* Rounds of 256 KiB: another run's lines may lie in caches of more than a quarter of that. */
static void another_run_comes_between_rounds_far_above_the_caches(void **state)
{
    (void)state;
    static const struct { uint64_t l2, llc; uint32_t calls; } cases[] = {
        { 4 * KIB, 60 * KIB, 3 * 4 }, { 4 * KIB, 60 * KIB + 1, 3 }, { 0, 0, 3 },
    };
    for (uint32_t i = 0; i < 3; i++) {
        struct fixture *f = fixture_of(3, 1000000000);
        f->machine.l2_bytes = cases[i].l2;
        f->machine.llc_bytes = cases[i].llc;
        engine_run(&f->engine);
        assert_int_equal(fake.yield_calls, cases[i].calls);
        assert_int_equal(f->results.cells[0].block_count, 3);
    }
}

static void the_budget_ends_the_run_with_equal_blocks(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(100, 60000);
    engine_run(&f->engine);
    uint32_t blocks = f->results.cells[0].block_count;
    assert_in_range(blocks, 1, 99);
    for (uint32_t i = 0; i < f->results.cell_count; i++)
        assert_int_equal(f->results.cells[i].block_count, blocks);
    assert_true(f->results.used_us <= 60000 + 20000);
}

static void a_preempted_pass_is_prepared_and_taken_again(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(2, 1000000000);
    fake.preempted_passes = 2;
    engine_run(&f->engine);
    assert_int_equal(f->results.retaken_passes, 2);
    assert_int_equal(fake.clean_calls, 0);
    for (uint32_t i = 0; i < f->results.cell_count; i++)
        assert_int_equal(f->results.cells[i].flag_counts[BENCH_FLAG_PREEMPTED], 0);
    f = fixture_of(2, 1000000000);
    fake.preempted_passes = 1000; /* it does not try for ever, and the marks stay */
    engine_run(&f->engine);
    assert_true(f->results.cells[0].flag_counts[BENCH_FLAG_PREEMPTED] > 0);
    assert_int_equal(f->results.cells[0].block_count, 2);
    f = fixture_of(2, 1000000000); /* four turns a pass: the block is taken again */
    f->results.settings[0].turn_samples = 4;
    fake.preempted_passes = 16; /* the first block: all turns of all four arms */
    engine_run(&f->engine);
    assert_int_equal(f->results.retaken_passes, 4);
    assert_int_equal(fake.log_count, 3 * 16);
    assert_int_equal(f->results.cells[0].flag_counts[BENCH_FLAG_PREEMPTED], 0);
}

static void verification_knows_right_from_wrong(void **state)
{
    (void)state;
    static void (*const wrong[])(void *, uint64_t) = { clear_nothing, clear_too_far,
                                                       clear_too_short, clear_a5 };
    struct fixture *f = fixture_of(2, 1000000000);
    assert_true(engine_verify(&f->engine));
    for (int i = 0; i < VARIANTS; i++)
        assert_true(f->results.is_verified[i]);
    assert_false(f->results.is_verified_by_other_cpu);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        f = fixture_of(2, 1000000000);
        variants[1].clear = wrong[i];
        assert_false(engine_verify(&f->engine));
        assert_false(f->results.is_verified[1]);
        variants[1].clear = clear_zero_too;
    }
}

static void a_spread_that_hides_delta_doubles_the_blocks(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(0, 100000000000);
    assert_int_equal(f->results.settings[0].blocks, PLAN_DEFAULT_BLOCKS);
    engine_run(&f->engine); /* every pass takes the same time: nothing to extend */
    assert_int_equal(f->results.cells[0].block_count, PLAN_DEFAULT_BLOCKS);
    f = fixture_of(0, 100000000000);
    fake.is_noisy = true;
    engine_run(&f->engine);
    assert_int_equal(f->results.cells[0].block_count, PLAN_EXTENDED_BLOCKS);
    assert_int_equal(f->results.settings[0].blocks, PLAN_EXTENDED_BLOCKS);
    static struct bench_note void_note = { .id = "hypervisor", .is_void = true };
    f = fixture_of(0, 100000000000); /* worth nothing anyway */
    fake.is_noisy = true;
    f->results.notes = &void_note;
    f->results.note_count = 1;
    engine_run(&f->engine);
    assert_int_equal(f->results.cells[0].block_count, PLAN_DEFAULT_BLOCKS);
    f = fixture_of(30, 100000000000); /* asked for by name: kept */
    fake.is_noisy = true;
    engine_run(&f->engine);
    assert_int_equal(f->results.cells[0].block_count, 30);
}

/* A busy machine: a turn takes 2.8 s, a block more than 40 s. */
static void a_long_block_gives_signs_of_life_between_its_turns(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(2, 1000000000);
    f->results.settings[0].turn_samples = 4;
    fake.sample_us = 700000;
    engine_run(&f->engine);
    assert_true(fake.clock_us > 2 * 40000000ull);
    assert_in_range(fake.longest_silence_us, ENGINE_BEAT_US, 10000000);
}

/* Only the boot CPU speaks: between the rounds, when another one clears. */
static void a_cpu_elsewhere_clears_in_silence(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(2, 1000000000);
    f->results.settings[0].turn_samples = 4;
    f->machine.run_at = fake_run_at;
    f->machine.clears_elsewhere = true;
    fake.sample_us = 400000;
    engine_run(&f->engine);
    assert_int_equal(f->results.cells[0].block_count, 2);
    assert_in_range(fake.longest_silence_us, ENGINE_BEAT_US, 10000000);
}

static void one_seed_gives_one_order(void **state)
{
    (void)state;
    static const struct clear_variant *first[LOG];
    struct fixture *f = fixture_of(10, 1000000000);
    engine_run(&f->engine);
    memcpy(first, fake.log, sizeof first);
    f = fixture_of(10, 1000000000);
    engine_run(&f->engine);
    assert_memory_equal(first, fake.log, 40 * sizeof *first);
    f = fixture_of(10, 1000000000);
    f->results.seed = 6;
    engine_run(&f->engine);
    assert_int_not_equal(memcmp(first, fake.log, 40 * sizeof *first), 0);
}

static void several_cpus_without_a_way_to_start_them_give_no_numbers(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(3, 1000000000);
    f->results.settings[0].placement = BENCH_PLACE_ALL;
    engine_run(&f->engine);
    assert_int_equal(f->results.cells[0].block_count, 0);
}

static void harness_is_the_empty_body(void **state)
{
    (void)state;
    struct fixture *f = fixture_of(2, 1000000000);
    engine_measure_harness(&f->engine);
    assert_int_equal(f->results.harness_median_q8, 700 * 256);
    assert_int_equal(f->results.harness_calls, f->results.settings[0].sample_calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_runs_every_arm_once_on_dirty_memory),
        cmocka_unit_test(arms_take_turns_and_each_clears_every_extent_once),
        cmocka_unit_test(few_extents_are_swept_until_a_median_has_samples),
        cmocka_unit_test(another_run_comes_between_rounds_far_above_the_caches),
        cmocka_unit_test(the_budget_ends_the_run_with_equal_blocks),
        cmocka_unit_test(a_preempted_pass_is_prepared_and_taken_again),
        cmocka_unit_test(verification_knows_right_from_wrong),
        cmocka_unit_test(a_spread_that_hides_delta_doubles_the_blocks),
        cmocka_unit_test(a_long_block_gives_signs_of_life_between_its_turns),
        cmocka_unit_test(a_cpu_elsewhere_clears_in_silence),
        cmocka_unit_test(one_seed_gives_one_order),
        cmocka_unit_test(several_cpus_without_a_way_to_start_them_give_no_numbers),
        cmocka_unit_test(harness_is_the_empty_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
