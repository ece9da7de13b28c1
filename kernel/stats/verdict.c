/* The decision rule of a comparison. [clear 4.1, 4.2, 4.4] */
#include "kernel/stats/verdict.h"

#include <string.h>

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/order.h"

enum {
    P_LIMIT_PPM = 10000,          /* p < 0.01 */
    /* (z(0.995) + z(0.9)) * 1.02 for Hodges-Lehmann, in thousandths: 3.86 * 1.02 */
    MDE_FACTOR_MILLI = 3937,
    NO_INTERVAL_PPM = 0,
};

static uint64_t size_ppm(int64_t x_q32)
{
    uint64_t size = (uint64_t)(x_q32 < 0 ? -x_q32 : x_q32);
    return fixed_log_scale(size, 1000000, (uint64_t)1 << 32);
}

/* Standard deviation of the log ratios, in parts per million. */
static uint64_t deviation_ppm(const int64_t *ratios_q32, uint32_t count)
{
    if (count < 2)
        return 0;
    int64_t mean = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += ratios_q32[i] / (int64_t)count;
    uint64_t squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t size = size_ppm(ratios_q32[i] - mean);
        squares += size * size;
    }
    return fixed_log_square_root(squares / (count - 1));
}

static void measure_detectable(const int64_t *ratios_q32, uint32_t count,
                               struct bench_verdict *out)
{
    uint64_t spread = deviation_ppm(ratios_q32, count) * MDE_FACTOR_MILLI; /* 1e-9 */
    uint64_t root_milli = fixed_log_square_root((uint64_t)count * 1000000);
    out->mde_ppm = spread / root_milli;
    out->blocks_needed = 0;
    if (out->mde_ppm > out->delta_ppm && out->delta_ppm > 0)
        out->blocks_needed = verdict_blocks_needed(ratios_q32, count, out->delta_ppm);
}

uint32_t verdict_blocks_needed(const int64_t *ratios_q32, uint32_t count, uint64_t delta_ppm)
{
    if (delta_ppm == 0)
        return UINT32_MAX;
    uint64_t root_milli = deviation_ppm(ratios_q32, count) * MDE_FACTOR_MILLI / delta_ppm;
    uint64_t blocks = root_milli * root_milli / 1000000 + 1;
    return blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks;
}

void verdict_measure(const int64_t *ratios_q32, uint32_t count, struct rng *rng,
                     struct verdict_scratch *scratch, struct bench_verdict *out)
{
    struct shift_estimate shift;
    shift_measure(ratios_q32, count, &scratch->shift, &shift);
    out->blocks = count;
    out->ratio_ppm = fixed_log_exp_ppm(shift.shift_q32);
    out->low95_ppm = out->high95_ppm = out->low99_ppm = out->high99_ppm = NO_INTERVAL_PPM;
    if (shift.has_interval95) {
        out->low95_ppm = fixed_log_exp_ppm(shift.low95_q32);
        out->high95_ppm = fixed_log_exp_ppm(shift.high95_q32);
    }
    if (shift.has_interval99) {
        out->low99_ppm = fixed_log_exp_ppm(shift.low99_q32);
        out->high99_ppm = fixed_log_exp_ppm(shift.high99_q32);
    }
    memcpy(scratch->sorted, ratios_q32, count * sizeof *ratios_q32);
    out->median_ratio_ppm = fixed_log_exp_ppm(order_median(scratch->sorted, count));
    out->p_ppm = signflip_p_ppm(ratios_q32, count, rng, &scratch->flips);
    out->holm_p_ppm = out->p_ppm;
    measure_detectable(ratios_q32, count, out);
}

/* Step-down: the k-th smallest p times the number of those not smaller, never
 * below what the one before it got. Ties are taken in list order. */
void verdict_holm(struct bench_verdict *verdicts, uint32_t count)
{
    uint32_t primary = 0;
    for (uint32_t i = 0; i < count; i++)
        primary += verdicts[i].kind == BENCH_PRIMARY;
    for (uint32_t i = 0; i < count; i++) {
        struct bench_verdict *self = &verdicts[i];
        self->holm_p_ppm = self->p_ppm;
        if (self->kind != BENCH_PRIMARY)
            continue;
        uint64_t worst = 0;
        for (uint32_t j = 0; j < count; j++) {
            const struct bench_verdict *other = &verdicts[j];
            bool is_before = other->p_ppm < self->p_ppm || (other->p_ppm == self->p_ppm && j <= i);
            if (other->kind != BENCH_PRIMARY || !is_before)
                continue;
            uint32_t rank = 0;
            for (uint32_t k = 0; k < count; k++)
                rank += verdicts[k].kind == BENCH_PRIMARY &&
                        (verdicts[k].p_ppm < other->p_ppm ||
                         (verdicts[k].p_ppm == other->p_ppm && k < j));
            uint64_t scaled = other->p_ppm * (primary - rank);
            worst = scaled > worst ? scaled : worst;
        }
        self->holm_p_ppm = worst > 1000000 ? 1000000 : worst;
    }
}

/* |ln ratio| as parts per million, of a ratio in parts per million. */
static uint64_t distance_ppm(uint64_t ratio_ppm)
{
    return ratio_ppm == 0 ? UINT64_MAX : size_ppm(fixed_log_ratio_q32(ratio_ppm, 1000000));
}

static bool is_inside_delta(const struct bench_verdict *verdict)
{
    uint64_t limit = distance_ppm(1000000 + verdict->delta_ppm);
    return verdict->high95_ppm != NO_INTERVAL_PPM && distance_ppm(verdict->low95_ppm) <= limit &&
           distance_ppm(verdict->high95_ppm) <= limit;
}

static bool is_different(const struct bench_verdict *verdict)
{
    uint64_t limit = distance_ppm(1000000 + verdict->delta_ppm);
    if (verdict->noise_floor_ppm > limit)
        limit = verdict->noise_floor_ppm;
    bool excludes_equal = verdict->high99_ppm != NO_INTERVAL_PPM &&
                          (verdict->low99_ppm > 1000000 || verdict->high99_ppm < 1000000);
    return verdict->holm_p_ppm < P_LIMIT_PPM && excludes_equal &&
           distance_ppm(verdict->ratio_ppm) > limit;
}

void verdict_decide(struct bench_verdict *verdict)
{
    verdict->why = NULL;
    if (is_different(verdict)) {
        verdict->outcome = BENCH_DIFFERENT;
    } else if (is_inside_delta(verdict)) {
        verdict->outcome = BENCH_EQUIVALENT;
    } else {
        verdict->outcome = BENCH_INCONCLUSIVE;
        if (verdict->high99_ppm == NO_INTERVAL_PPM)
            verdict->why = "too few blocks for a 99 % interval";
        else if (verdict->mde_ppm > verdict->delta_ppm)
            verdict->why = "the spread hides differences of delta: more blocks are needed";
        else
            verdict->why = "the interval reaches over delta";
    }
}
