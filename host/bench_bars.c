/* Three bars: the same instruction here and in the peer takes the same time, the same variant
 * against itself is EQUIVALENT, two runs agree on the ratios of variants. How far the same
 * against the same disagrees between the runs is what this machine allows. */
#include "host/bench_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/shift.h"

static const double slowest_ratio = 0.98, agreement_percent = 1;

enum { SIZE_BYTES = 16, LABEL_BYTES = BENCH_BARS_LABEL };

static const char *size_text(uint64_t bytes, char text[SIZE_BYTES])
{
    static const char letters[] = " KMGT";
    int letter = 0;
    while (bytes != 0 && bytes % 1024 == 0 && letter < 4) {
        bytes /= 1024;
        letter++;
    }
    snprintf(text, SIZE_BYTES, "%llu%.1s", (unsigned long long)bytes,
             letter == 0 ? "" : &letters[letter]);
    return text;
}

/* --- agreement of the two runs -------------------------------------------------------- */

static void keep_worst(struct bench_bars_worst *worst, const char *label, const struct bench_agreement *found)
{
    if (worst->count++ == 0 || fabs(found->gap_percent) > fabs(worst->agreement.gap_percent)) {
        snprintf(worst->label, sizeof worst->label, "%s", label);
        worst->agreement = *found;
    }
    worst->over += fabs(found->gap_percent) > agreement_percent;
}

static void put_agreement(const char *label, const struct bench_agreement *found)
{
    printf("%-40s %8.4f %8.4f %+8.2f", label, found->ratio_a, found->ratio_b, found->gap_percent);
    if (found->has_interval)
        printf("  %+.2f to %+.2f\n", found->low95_percent, found->high95_percent);
    else
        printf("  -\n");
}

static const struct bench_json_cell *pick_of(const struct bench_json *json,
                                             const struct bench_json_cell *cell)
{
    for (uint32_t i = 0; i < json->cell_count; i++)
        if (json->cells[i].is_pick && json->cells[i].setting == cell->setting)
            return &json->cells[i];
    return NULL;
}

static const struct bench_json_cell *same_in(const struct bench_json_cell *list, uint32_t count,
                                             const struct bench_json_cell *cell)
{
    for (uint32_t i = 0; i < count; i++)
        if (bench_json_is_same(&list[i], cell))
            return &list[i];
    return NULL;
}

static struct bench_series to_pick(const struct bench_json_cell *cell,
                                   const struct bench_json_cell *pick)
{
    return (struct bench_series){ cell->block_ps, pick->block_ps, cell->block_count,
                                  pick->block_count };
}

/* Twins are compared block by block. */
static bool agreement_of(const struct bench_json *a, const struct bench_json *b,
                         const struct bench_series *of_a, const struct bench_series *of_b,
                         uint32_t stream, struct unpaired_scratch *scratch,
                         struct bench_agreement *out)
{
    if (a->is_twin && b->is_twin)
        return bench_agreement_of_twins(of_a, of_b, out);
    return bench_agreement_of(of_a, of_b, stream, scratch, out);
}

/* Rows of `of_a` over the pick of their setting, with the same row of the other run. */
static void tell_cells(const struct bench_json *a, const struct bench_json *b, bool is_repeat,
                       struct unpaired_scratch *scratch, struct bench_bars_worst *worst)
{
    const struct bench_json_cell *list = is_repeat ? a->repeats : a->cells;
    uint32_t count = is_repeat ? a->repeat_count : a->cell_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct bench_json_cell *other =
            is_repeat ? same_in(b->repeats, b->repeat_count, &list[i])
                      : same_in(b->cells, b->cell_count, &list[i]);
        const struct bench_json_cell *pick_a = pick_of(a, &list[i]);
        const struct bench_json_cell *pick_b = other == NULL ? NULL : pick_of(b, other);
        if (pick_a == NULL || pick_b == NULL || pick_a == &list[i])
            continue;
        struct bench_series of_a = to_pick(&list[i], pick_a), of_b = to_pick(other, pick_b);
        struct bench_agreement found;
        char label[LABEL_BYTES], extent[SIZE_BYTES], region[SIZE_BYTES];
        snprintf(label, sizeof label, "%s%s, extent %s, region %s", list[i].variant,
                 is_repeat ? " again" : "", size_text(list[i].extent_bytes, extent),
                 size_text(list[i].region_bytes, region));
        if (!agreement_of(a, b, &of_a, &of_b, i, scratch, &found))
            continue;
        put_agreement(label, &found);
        keep_worst(worst, label, &found);
    }
}

static const struct bench_json_peer *find_peer(const struct bench_json *json, const char *function,
                                               const struct bench_json_peer *like)
{
    for (uint32_t i = 0; i < json->peer_count; i++)
        if (strcmp(json->peers[i].function, function) == 0 &&
            json->peers[i].region_bytes == like->region_bytes &&
            json->peers[i].page_bytes == like->page_bytes)
            return &json->peers[i];
    return NULL;
}

static const struct bench_json_peer *peer_of_variant(const struct bench_json *json,
                                                     const char *variant,
                                                     const struct bench_json_peer *like)
{
    for (uint32_t i = 0; i < json->peer_count; i++)
        if (strcmp(json->peers[i].variant, variant) == 0 &&
            json->peers[i].region_bytes == like->region_bytes &&
            json->peers[i].page_bytes == like->page_bytes)
            return &json->peers[i];
    return NULL;
}

static void tell_peers(const struct bench_json *a, const struct bench_json *b,
                       struct unpaired_scratch *scratch, struct bench_bars_worst *worst)
{
    for (uint32_t i = 0; i < a->peer_count; i++) {
        const struct bench_json_peer *peer = &a->peers[i];
        const struct bench_json_peer *under_a = peer_of_variant(a, "stosb", peer);
        const struct bench_json_peer *other = find_peer(b, peer->function, peer);
        const struct bench_json_peer *under_b = peer_of_variant(b, "stosb", peer);
        if (under_a == NULL || other == NULL || under_b == NULL || under_a == peer)
            continue;
        struct bench_series of_a = { peer->block_ps, under_a->block_ps, peer->block_count,
                                     under_a->block_count };
        struct bench_series of_b = { other->block_ps, under_b->block_ps, other->block_count,
                                     under_b->block_count };
        struct bench_agreement found;
        char label[LABEL_BYTES], region[SIZE_BYTES];
        snprintf(label, sizeof label, "perf %s, region %s", peer->function,
                 size_text(peer->region_bytes, region));
        if (!agreement_of(a, b, &of_a, &of_b, 1000 + i, scratch, &found))
            continue;
        put_agreement(label, &found);
        keep_worst(worst, label, &found);
    }
}

/* --- the peer's time over ours --------------------------------------------------------- */

static void keep_slowest(struct bench_bars_slowest *slowest, const char *label,
                         const struct shift_estimate *shift)
{
    double ratio = exp((double)shift->shift_q32 / 4294967296.0);
    if (slowest->count++ == 0 || ratio < slowest->ratio) {
        snprintf(slowest->label, sizeof slowest->label, "%s", label);
        slowest->ratio = ratio;
        slowest->low95 = exp((double)shift->low95_q32 / 4294967296.0);
        slowest->high95 = exp((double)shift->high95_q32 / 4294967296.0);
    }
    slowest->over += ratio < slowest_ratio;
}

/* One call clears the region, as the peer does. */
static const struct bench_json_cell *whole_region_cell(const struct bench_json *json,
                                                       const struct bench_json_peer *peer)
{
    for (uint32_t i = 0; i < json->cell_count; i++) {
        const struct bench_json_cell *cell = &json->cells[i];
        if (strcmp(cell->variant, peer->variant) == 0 &&
            cell->extent_bytes == peer->region_bytes && cell->region_bytes == peer->region_bytes &&
            cell->page_bytes == peer->page_bytes)
            return cell;
    }
    return NULL;
}

static void tell_against_peer(const char *run, const struct bench_json *json,
                              struct bench_bars_slowest *slowest)
{
    static struct shift_scratch scratch;
    for (uint32_t i = 0; i < json->peer_count; i++) {
        const struct bench_json_peer *peer = &json->peers[i];
        const struct bench_json_cell *cell = whole_region_cell(json, peer);
        int64_t ratios_q32[SHIFT_MAX_PAIRS];
        uint32_t count = 0;
        if (cell == NULL || peer->variant[0] == 0)
            continue;
        for (uint32_t k = 0; k < cell->block_count && k < peer->block_count; k++) {
            uint64_t ours = fixed_log_scale(cell->block_ps[k], json->peer_unit_bytes,
                                            cell->extent_bytes);
            if (peer->block_ps[k] != 0 && ours != 0)
                ratios_q32[count++] = fixed_log_ratio_q32(peer->block_ps[k], ours);
        }
        struct shift_estimate shift;
        char label[LABEL_BYTES], region[SIZE_BYTES];
        if (count == 0)
            continue;
        shift_measure(ratios_q32, count, &scratch, &shift);
        snprintf(label, sizeof label, "%s over %s, region %s, run %s", peer->function,
                 peer->variant, size_text(peer->region_bytes, region), run);
        printf("%-50s %.4f", label, exp((double)shift.shift_q32 / 4294967296.0));
        if (shift.has_interval95)
            printf("  %.4f to %.4f\n", exp((double)shift.low95_q32 / 4294967296.0),
                   exp((double)shift.high95_q32 / 4294967296.0));
        else
            printf("  -\n");
        keep_slowest(slowest, label, &shift);
    }
}

/* --- the table -------------------------------------------------------------------------- */

static bool put_bar(const char *bar, bool is_met, const char *measured)
{
    printf("%-43s %-4s %s\n", bar, is_met ? "yes" : "NO", measured);
    return is_met;
}

static void add_controls(struct bench_bars_controls *controls, const struct bench_json *json)
{
    for (uint32_t i = 0; i < json->control_count; i++) {
        const struct bench_json_control *control = &json->controls[i];
        controls->equivalent += strcmp(control->verdict, "EQUIVALENT") == 0;
        if (control->high99 - control->low99 > controls->widest)
            controls->widest = control->high99 - control->low99;
    }
    controls->count += json->control_count;
}

static bool put_control_bar(const char *run, const struct bench_bars_controls *controls)
{
    char text[160], bar[64];
    snprintf(bar, sizeof bar, "A against A is EQUIVALENT, run %s", run);
    snprintf(text, sizeof text, "%u of %u settings; widest 99 %% interval +-%.2f %%",
             controls->equivalent, controls->count, controls->widest * 50);
    return put_bar(bar, controls->equivalent == controls->count && controls->count != 0, text);
}

static void put_worst(const char *what, const struct bench_bars_worst *worst)
{
    if (worst->count == 0) {
        printf("%s: not measured\n", what);
        return;
    }
    printf("%s: %+.2f %%", what, worst->agreement.gap_percent);
    if (worst->agreement.has_interval)
        printf(", 95 %% interval %+.2f to %+.2f", worst->agreement.low95_percent,
               worst->agreement.high95_percent);
    printf(" (%s)\n", worst->label);
}

void bench_bars_add(struct bench_bars *bars, const struct bench_json *a,
                    const struct bench_json *b, struct unpaired_scratch *scratch)
{
    printf("time over the kernel's pick          run:        a        b     gap %%  "
           "95 %% interval%s\n", a->is_twin && b->is_twin ? " (runs in turn)" : "");
    tell_cells(a, b, false, scratch, &bars->ours);
    tell_cells(a, b, true, scratch, &bars->same);
    tell_peers(a, b, scratch, &bars->peers);
    if (a->peer_count + b->peer_count != 0) {
        printf("\nperf's time over coretruth's, one call a region     ratio   95 %% interval (%s)\n",
               a->peer_count == 0 ? b->peer_version : a->peer_version);
        tell_against_peer("a", a, &bars->slowest);
        tell_against_peer("b", b, &bars->slowest);
    }
    add_controls(&bars->controls[0], a);
    add_controls(&bars->controls[1], b);
    puts("");
}

bool bench_bars_tell(const struct bench_bars *bars)
{
    const struct bench_bars_slowest *slowest = &bars->slowest;
    const struct bench_bars_worst *ours = &bars->ours;
    char text[200] = "not measured: no run beside perf bench";
    bool is_met = true;
    printf("bar                                         met  measured\n");
    if (slowest->count != 0)
        snprintf(text, sizeof text, "%.4f, 95 %% interval %.4f to %.4f (%s)", slowest->ratio,
                 slowest->low95, slowest->high95, slowest->label);
    is_met &= put_bar("same instruction as perf: ratio >= 0.98", slowest->count != 0 &&
                      slowest->over == 0, text);
    is_met &= put_control_bar("a", &bars->controls[0]);
    is_met &= put_control_bar("b", &bars->controls[1]);
    snprintf(text, sizeof text, "not measured: no common ratio");
    if (ours->count != 0)
        snprintf(text, sizeof text, "%u of %u; largest gap %+.2f %%, 95 %% interval %+.2f to %+.2f "
                 "(%s)", ours->count - ours->over, ours->count, ours->agreement.gap_percent,
                 ours->agreement.low95_percent, ours->agreement.high95_percent, ours->label);
    is_met &= put_bar("two runs agree on every ratio within 1 %", ours->count != 0 &&
                      ours->over == 0, text);
    put_worst("this machine's limit, the same against the same between the runs", &bars->same);
    put_worst("perf's own ratios between the runs", &bars->peers);
    return is_met;
}
