/* The comparisons of a run. Primary ones were declared before it: the pick
 * against every other variant that clears, in settings marked so. [clear 4.4] */
#include "kernel/stats/comparisons.h"

#include <stddef.h>

#include "kernel/stats/fixed_log.h"

enum {
    SMI_SHARE_DIVISOR = 20,      /* one sample in 20 hit by an SMI: no verdict */
    CLOCK_TOLERANCE_DIVISOR = 100,
};

static const struct bench_cell *reference_of(const struct bench_results *results,
                                             const struct bench_setting *setting)
{
    const struct bench_cell *cells = &results->cells[setting->first_cell];
    for (uint32_t i = 0; i < setting->cell_count; i++)
        if (cells[i].is_pick && !cells[i].is_repeat)
            return &cells[i];
    for (uint32_t i = 0; i < setting->cell_count; i++)
        if (!cells[i].is_repeat)
            return &cells[i];
    return NULL;
}

static uint32_t paired_blocks(const struct bench_cell *a, const struct bench_cell *b)
{
    uint32_t count = a->block_count < b->block_count ? a->block_count : b->block_count;
    return count < SHIFT_MAX_PAIRS ? count : SHIFT_MAX_PAIRS;
}

static bool do_clocks_differ(const struct bench_cell *a, const struct bench_cell *b)
{
    if (a->core_hz == 0 || b->core_hz == 0)
        return false;
    uint64_t gap = a->core_hz > b->core_hz ? a->core_hz - b->core_hz : b->core_hz - a->core_hz;
    return gap > a->core_hz / CLOCK_TOLERANCE_DIVISOR;
}

static uint64_t at_least_one(uint64_t value)
{
    return value == 0 ? 1 : value;
}

/* ln(b/a) of each block; time or core cycles, used samples or all. */
static void fill_ratios(const struct bench_cell *a, const struct bench_cell *b, uint32_t count,
                        bool is_core_cycles, bool is_all, int64_t *ratios_q32)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct bench_block *x = &a->blocks[i], *y = &b->blocks[i];
        uint64_t of_a = is_all ? x->all_median_cycles_q8 : x->median_cycles_q8;
        uint64_t of_b = is_all ? y->all_median_cycles_q8 : y->median_cycles_q8;
        ratios_q32[i] = fixed_log_ratio_q32(at_least_one(of_b), at_least_one(of_a));
        if (is_core_cycles && x->core_hz != 0 && y->core_hz != 0)
            ratios_q32[i] += fixed_log_ratio_q32(y->core_hz, x->core_hz);
    }
}

static void measure(const struct bench_results *results, struct bench_verdict *verdict,
                    bool is_all, struct verdict_scratch *scratch)
{
    const struct bench_cell *a = &results->cells[verdict->cell_a];
    const struct bench_cell *b = &results->cells[verdict->cell_b];
    struct rng rng = rng_of(results->seed, (uint64_t)verdict->cell_b << 32 | 0x5f11);
    uint32_t count = paired_blocks(a, b);
    fill_ratios(a, b, count, verdict->is_core_cycles, is_all, scratch->ratios_q32);
    verdict_measure(scratch->ratios_q32, count, &rng, scratch, verdict);
}

static void add(struct bench_results *results, const struct bench_cell *a,
                const struct bench_cell *b, enum bench_comparison kind,
                struct verdict_scratch *scratch)
{
    if (paired_blocks(a, b) == 0)
        return;
    struct bench_verdict *verdict = &results->verdicts[results->verdict_count++];
    *verdict = (struct bench_verdict){
        .cell_a = (uint32_t)(a - results->cells),
        .cell_b = (uint32_t)(b - results->cells),
        .kind = kind,
        .is_core_cycles = do_clocks_differ(a, b),
        .delta_ppm = results->delta_ppm,
    };
    if (verdict->is_core_cycles)
        verdict->delta_ppm = results->delta_ppm / 2;
    measure(results, verdict, false, scratch);
}

static void add_setting(struct bench_results *results, const struct bench_setting *setting,
                        struct verdict_scratch *scratch)
{
    const struct bench_cell *reference = reference_of(results, setting);
    for (uint32_t i = 0; reference != NULL && i < setting->cell_count; i++) {
        const struct bench_cell *cell = &results->cells[setting->first_cell + i];
        bool is_control = results->variants[cell->variant].tier == VARIANT_CONTROL;
        if (cell == reference)
            continue;
        if (cell->is_repeat)
            add(results, reference, cell, BENCH_SAME_AGAINST_SAME, scratch);
        else
            add(results, reference, cell,
                setting->is_primary && !is_control ? BENCH_PRIMARY : BENCH_EXPLORATORY, scratch);
    }
}

/* The control of the same setting, or NULL. */
static const struct bench_verdict *control_of(const struct bench_results *results,
                                              const struct bench_verdict *verdict)
{
    uint32_t setting = results->cells[verdict->cell_a].setting;
    for (uint32_t i = 0; i < results->verdict_count; i++)
        if (results->verdicts[i].kind == BENCH_SAME_AGAINST_SAME &&
            results->cells[results->verdicts[i].cell_a].setting == setting)
            return &results->verdicts[i];
    return NULL;
}

static bool covers_equal(const struct bench_verdict *verdict)
{
    return verdict->high99_ppm == 0 ||
           (verdict->low99_ppm <= 1000000 && verdict->high99_ppm >= 1000000);
}

static bool is_smi_ridden(const struct bench_cell *cell)
{
    return cell->flag_counts[BENCH_FLAG_SMI] * SMI_SHARE_DIVISOR > cell->sample_count;
}

static const char *void_reason(const struct bench_results *results,
                               const struct bench_verdict *verdict)
{
    for (uint32_t i = 0; i < results->note_count; i++)
        if (results->notes[i].is_void)
            return results->notes[i].id;
    if (is_smi_ridden(&results->cells[verdict->cell_a]) ||
        is_smi_ridden(&results->cells[verdict->cell_b]))
        return "more than one sample in 20 was hit by an SMI";
    return NULL;
}

/* Marked samples must not make the verdict: with all samples it has to be the same. */
static bool do_marks_matter(const struct bench_results *results,
                            const struct bench_verdict *verdict, struct verdict_scratch *scratch)
{
    struct bench_verdict with_all = *verdict;
    measure(results, &with_all, true, scratch);
    /* Holm's factor depends on the other comparisons: taken over as it was. */
    if (verdict->p_ppm != 0)
        with_all.holm_p_ppm = fixed_log_scale(with_all.p_ppm, verdict->holm_p_ppm, verdict->p_ppm);
    verdict_decide(&with_all);
    bool is_sign_kept = (with_all.ratio_ppm >= 1000000) == (verdict->ratio_ppm >= 1000000);
    return with_all.outcome != verdict->outcome ||
           (verdict->outcome == BENCH_DIFFERENT && !is_sign_kept);
}

static void decide(struct bench_results *results, struct bench_verdict *verdict,
                   struct verdict_scratch *scratch)
{
    const struct bench_verdict *control = control_of(results, verdict);
    if (control != NULL && verdict->kind != BENCH_SAME_AGAINST_SAME)
        verdict->noise_floor_ppm = (control->high99_ppm - control->low99_ppm) / 2;
    verdict_decide(verdict);
    const char *reason = void_reason(results, verdict);
    if (reason != NULL) {
        verdict->outcome = BENCH_NO_VERDICT;
        verdict->why = reason;
    } else if (control != NULL && verdict->kind != BENCH_SAME_AGAINST_SAME &&
               !covers_equal(control)) {
        verdict->outcome = BENCH_INCONCLUSIVE;
        verdict->why = "the same variant against itself differs in this setting";
    } else if (do_marks_matter(results, verdict, scratch)) {
        verdict->outcome = BENCH_INCONCLUSIVE;
        verdict->why = "with the marked samples it would be another verdict";
    }
}

void comparisons_decide(struct bench_results *results, struct verdict_scratch *scratch)
{
    results->verdict_count = 0;
    for (uint32_t i = 0; i < results->setting_count; i++)
        add_setting(results, &results->settings[i], scratch);
    verdict_holm(results->verdicts, results->verdict_count);
    for (uint32_t i = 0; i < results->verdict_count; i++)
        decide(results, &results->verdicts[i], scratch);
}

uint32_t comparisons_blocks_needed(const struct bench_results *results, uint32_t setting)
{
    int64_t ratios_q32[SHIFT_MAX_PAIRS];
    const struct bench_setting *self = &results->settings[setting];
    const struct bench_cell *reference = reference_of(results, self);
    uint32_t most = 0;
    for (uint32_t i = 0; reference != NULL && i < self->cell_count; i++) {
        const struct bench_cell *cell = &results->cells[self->first_cell + i];
        uint32_t count = paired_blocks(reference, cell);
        if (cell == reference || count == 0 ||
            results->variants[cell->variant].tier == VARIANT_CONTROL)
            continue;
        fill_ratios(reference, cell, count, false, false, ratios_q32);
        uint32_t needed = verdict_blocks_needed(ratios_q32, count, results->delta_ppm);
        most = needed > most ? needed : most;
    }
    return most;
}
