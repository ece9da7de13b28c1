/* The decision rule: by cases, and by simulating runs whose truth is known. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/verdict.h"

enum { RUNS = 2 * SIMULATIONS, BLOCKS = 30 /* the plan's default */ };

/* What disturbs a simulated run. The spread of one block's median, 0.7 % each
 * arm, is that of the published page-clearing runs with a fixed clock. */
enum disturbance { QUIET, DRIFT, BIMODAL_CLOCK, SMI_OUTLIERS, DISTURBANCES };
static const char *const disturbance_names[] = { "quiet", "drift", "bimodal clock",
                                                 "SMI-like outliers" };

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(uniform(rng))) * cos(2 * M_PI * uniform(rng));
}

/* Median time of one arm in one block, true value `cycles`. */
static uint64_t simulate_block(struct rng *rng, enum disturbance kind, double cycles,
                               double place)
{
    double time = cycles * exp(0.007 * normal(rng));
    if (kind == DRIFT) /* 5 % over the run, and a step inside blocks as well */
        time *= 1 + 0.05 * place;
    if (kind == BIMODAL_CLOCK && uniform(rng) < 0.3)
        time *= 1.04;
    if (kind == SMI_OUTLIERS && uniform(rng) < 0.04)
        time *= 1 + 9 * uniform(rng);
    return (uint64_t)llround(time * 256);
}

/* One run of two arms in random order inside each block. */
static void simulate_run(struct rng *rng, enum disturbance kind, double effect,
                         int64_t ratios[BLOCKS])
{
    for (int block = 0; block < BLOCKS; block++) {
        bool is_b_first = rng_next(rng) & 1;
        double first = (block + 0.25) / BLOCKS, second = (block + 0.75) / BLOCKS;
        uint64_t a = simulate_block(rng, kind, 50000, is_b_first ? second : first);
        uint64_t b = simulate_block(rng, kind, 50000 * (1 + effect), is_b_first ? first : second);
        ratios[block] = fixed_log_ratio_q32(b, a);
    }
}

static struct bench_verdict judge(const int64_t ratios[BLOCKS], uint64_t delta_ppm,
                                  struct rng *rng, struct verdict_scratch *scratch)
{
    struct bench_verdict verdict = { .kind = BENCH_PRIMARY, .delta_ppm = delta_ppm };
    verdict_measure(ratios, BLOCKS, rng, scratch, &verdict);
    verdict_decide(&verdict);
    return verdict;
}

struct tally {
    int outcomes[4];
    int rejected; /* p < 0.01 and the 99 % interval without 1 */
};

static struct tally simulate(enum disturbance kind, double effect, uint64_t delta_ppm, int runs)
{
    struct verdict_scratch *scratch = calloc(1, sizeof *scratch);
    struct rng rng = rng_of(20260101, kind);
    struct tally tally = { 0 };
    for (int run = 0; run < runs; run++) {
        int64_t ratios[BLOCKS];
        simulate_run(&rng, kind, effect, ratios);
        struct bench_verdict verdict = judge(ratios, delta_ppm, &rng, scratch);
        tally.outcomes[verdict.outcome]++;
        tally.rejected += verdict.p_ppm < 10000 &&
                          (verdict.low99_ppm > 1000000 || verdict.high99_ppm < 1000000);
    }
    free(scratch);
    return tally;
}

/* DIFFERENT at delta 0. Where the 99 % interval covers equality the rule cannot
 * say it, and the slow permutation test is left out. */
static int count_false_claims(enum disturbance kind)
{
    struct verdict_scratch *scratch = calloc(1, sizeof *scratch);
    struct rng rng = rng_of(20260102, kind);
    int claims = 0;
    for (int run = 0; run < RUNS; run++) {
        int64_t ratios[BLOCKS];
        struct shift_estimate shift;
        simulate_run(&rng, kind, 0, ratios);
        shift_measure(ratios, BLOCKS, &scratch->shift, &shift);
        if (shift.low99_q32 > 0 || shift.high99_q32 < 0)
            claims += judge(ratios, 0, &rng, scratch).outcome == BENCH_DIFFERENT;
    }
    free(scratch);
    return claims;
}

/* delta 0 is the strictest: only the statistics stand between noise and a claim. */
static void without_an_effect_at_most_one_run_in_twenty_says_different(void **state)
{
    (void)state;
    for (int kind = 0; kind < DISTURBANCES; kind++) {
        int claims = count_false_claims(kind);
        print_message("no effect, %s: %d of %d runs DIFFERENT at delta 0\n",
                      disturbance_names[kind], claims, RUNS);
        assert_true(claims <= RUNS / 20);
    }
}

static void an_effect_of_one_percent_is_seen_in_nine_runs_of_ten(void **state)
{
    (void)state;
    struct tally tally = simulate(QUIET, 0.01, 0, RUNS / 4);
    print_message("1 %% effect: %d of %d runs reject equality\n", tally.rejected, RUNS / 4);
    assert_true(tally.rejected * 10 >= RUNS / 4 * 9);
    tally = simulate(QUIET, 0.01, 5000, RUNS / 4);
    print_message("1 %% effect: %d of %d runs DIFFERENT at delta 0.5 %%\n",
                  tally.outcomes[BENCH_DIFFERENT], RUNS / 4);
    assert_true(tally.outcomes[BENCH_DIFFERENT] * 10 >= RUNS / 4 * 9);
}

static void without_an_effect_the_default_delta_says_equivalent(void **state)
{
    (void)state;
    struct tally tally = simulate(QUIET, 0, 20000, 200);
    assert_true(tally.outcomes[BENCH_EQUIVALENT] >= 190);
}

/* A true difference of exactly delta must not be called equivalent too often. */
static void a_difference_of_delta_is_rarely_called_equivalent(void **state)
{
    (void)state;
    struct tally tally = simulate(QUIET, 0.02, 20000, 400);
    assert_true(tally.outcomes[BENCH_EQUIVALENT] <= 400 / 20);
}

/* [clear 4.2]: s = 1 %, 30 blocks: 0.72 % without the factor 1.02. */
static void smallest_detectable_difference_follows_the_table(void **state)
{
    (void)state;
    static const struct { uint32_t blocks; uint64_t low_ppm, high_ppm; } table[] = {
        { 10, 12300, 12800 }, { 16, 9700, 10100 }, { 30, 7100, 7400 },
        { 64, 4800, 5050 },   { 128, 3450, 3600 }, { 256, 2400, 2580 },
    };
    struct verdict_scratch *scratch = calloc(1, sizeof *scratch);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int64_t ratios[256];
        uint32_t n = table[i].blocks;
        double unit = 0.01 * sqrt((n - 1.0) / n) * 4294967296.0; /* sample sd is 1 % */
        for (uint32_t k = 0; k < n; k++)
            ratios[k] = llround(k % 2 ? unit : -unit);
        struct rng rng = rng_of(9, 0);
        struct bench_verdict verdict = { .delta_ppm = 2000 };
        verdict_measure(ratios, n, &rng, scratch, &verdict);
        assert_in_range(verdict.mde_ppm, table[i].low_ppm, table[i].high_ppm);
        /* (3.937 * 1 % / 0.2 %)^2 = 387.5 */
        assert_in_range(verdict.blocks_needed, 386, 390);
    }
    free(scratch);
}

/* Holm 1979: 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02 (R, p.adjust). */
static void holm_steps_down_and_leaves_others_alone(void **state)
{
    (void)state;
    struct bench_verdict list[] = {
        { .kind = BENCH_PRIMARY, .p_ppm = 10000 }, { .kind = BENCH_EXPLORATORY, .p_ppm = 1 },
        { .kind = BENCH_PRIMARY, .p_ppm = 40000 }, { .kind = BENCH_PRIMARY, .p_ppm = 30000 },
        { .kind = BENCH_PRIMARY, .p_ppm = 5000 },
    };
    verdict_holm(list, 5);
    assert_int_equal(list[0].holm_p_ppm, 30000);
    assert_int_equal(list[1].holm_p_ppm, 1);
    assert_int_equal(list[2].holm_p_ppm, 60000);
    assert_int_equal(list[3].holm_p_ppm, 60000);
    assert_int_equal(list[4].holm_p_ppm, 20000);
}

static struct bench_verdict with_interval(uint64_t ratio, uint64_t half99, uint64_t half95)
{
    return (struct bench_verdict){
        .ratio_ppm = ratio, .low99_ppm = ratio - half99, .high99_ppm = ratio + half99,
        .low95_ppm = ratio - half95, .high95_ppm = ratio + half95,
        .delta_ppm = 20000, .holm_p_ppm = 10,
    };
}

static void outcome_follows_the_rule(void **state)
{
    (void)state;
    struct bench_verdict verdict = with_interval(1050000, 9000, 5000);
    verdict_decide(&verdict);
    assert_int_equal(verdict.outcome, BENCH_DIFFERENT);

    verdict.holm_p_ppm = 10000; /* not below 0.01 */
    verdict_decide(&verdict);
    assert_int_equal(verdict.outcome, BENCH_INCONCLUSIVE);

    verdict = with_interval(1050000, 9000, 5000);
    verdict.noise_floor_ppm = 60000; /* same against same moves more than that */
    verdict_decide(&verdict);
    assert_int_equal(verdict.outcome, BENCH_INCONCLUSIVE);

    verdict = with_interval(1010000, 3000, 2000); /* significant, but below delta */
    verdict_decide(&verdict);
    assert_int_equal(verdict.outcome, BENCH_EQUIVALENT);

    verdict = with_interval(985000, 9000, 8000); /* reaches over -2 % */
    verdict_decide(&verdict);
    assert_int_equal(verdict.outcome, BENCH_INCONCLUSIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_effect_at_most_one_run_in_twenty_says_different),
        cmocka_unit_test(an_effect_of_one_percent_is_seen_in_nine_runs_of_ten),
        cmocka_unit_test(without_an_effect_the_default_delta_says_equivalent),
        cmocka_unit_test(a_difference_of_delta_is_rarely_called_equivalent),
        cmocka_unit_test(smallest_detectable_difference_follows_the_table),
        cmocka_unit_test(holm_steps_down_and_leaves_others_alone),
        cmocka_unit_test(outcome_follows_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
