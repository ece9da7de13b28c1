/* report.json: the clear_page bench. Every cell keeps the medians of its blocks,
 * so that `coretruth compare` can do the statistics again. */
#include "kernel/report/bench_parts.h"
#include "kernel/report/fixed.h"
#include "kernel/report/sections.h"
#include "kernel/stats/bench_results.h"
#include "kernel/stats/bench_tables.h"

/* 1/256 cycles as cycles with three decimals. */
static void put_cycles(struct json *json, const char *key, uint64_t cycles_q8)
{
    json_fixed(json, key, (int64_t)fixed_muldiv(cycles_q8, 1000, 256), 3);
}

static void put_notes(struct json *json, const struct bench_results *bench)
{
    json_open_array(json, "notes");
    for (uint32_t i = 0; i < bench->note_count; i++) {
        json_open_object(json, NULL);
        json_text(json, "id", bench->notes[i].id);
        json_bool(json, "is_void", bench->notes[i].is_void);
        json_text(json, "text", bench->notes[i].text);
        json_end(json);
    }
    json_end(json);
}

static void put_setting_fields(struct json *json, const struct bench_setting *setting)
{
    json_u64(json, "extent_bytes", setting->extent_bytes);
    json_u64(json, "mapping_page_bytes", setting->page_bytes);
    json_u64(json, "region_bytes", setting->region_bytes);
    json_i64(json, "node", setting->node);
    json_text(json, "placement", bench_placement_name(setting->placement));
    json_u64(json, "cpu_count", setting->cpu_count);
    json_text(json, "state", bench_state_name(setting->state));
}

static void put_plan(struct json *json, const struct bench_results *bench)
{
    json_open_object(json, "plan");
    json_u64(json, "seed", bench->seed);
    json_u64(json, "budget_us", bench->budget_us);
    json_u64(json, "planned_us", bench->planned_us);
    json_u64(json, "used_us", bench->used_us);
    json_text(json, "table", bench_table_name((enum bench_table)bench->table));
    json_text(json, "left_out", bench->plan_text);
    json_fixed(json, "delta_percent", (int64_t)bench->delta_ppm, 4);
    json_open_array(json, "settings");
    for (uint32_t i = 0; i < bench->setting_count; i++) {
        const struct bench_setting *setting = &bench->settings[i];
        json_open_object(json, NULL);
        put_setting_fields(json, setting);
        json_bool(json, "is_primary", setting->is_primary);
        json_u64(json, "blocks", setting->blocks);
        json_u64(json, "pass_bytes", setting->pass_bytes);
        json_u64(json, "pass_samples", setting->pass_samples);
        json_u64(json, "sweeps", setting->sweeps);
        json_u64(json, "sample_calls", setting->sample_calls);
        json_u64(json, "turn_samples", setting->turn_samples);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_variants(struct json *json, const struct bench_results *bench)
{
    static const char *const tiers[] = {
        [VARIANT_MANDATORY] = "mandatory", [VARIANT_SECOND] = "second",
        [VARIANT_CONTROL] = "control",
    };
    json_open_array(json, "variants");
    for (uint32_t i = 0; i < bench->variant_count; i++) {
        const struct clear_variant *variant = &bench->variants[i];
        const char *lack = NULL;
        for (uint32_t k = 0; k < bench->skip_count; k++)
            if (bench->skips[k].variant == i)
                lack = bench->skips[k].why;
        json_open_object(json, NULL);
        json_text(json, "variant", variant->id);
        json_text(json, "description", variant->description);
        json_text(json, "tier", tiers[variant->tier]);
        json_text(json, "fence", variant->fence == VARIANT_FENCE_SFENCE ? "sfence" : "none");
        json_bool(json, "is_zero_only", variant->is_zero_only != 0);
        json_fixed(json, "instructions_per_line", variant->instructions_q4 * 10000 / 16, 4);
        json_text(json, "lacks", lack);
        if (lack == NULL && bench->is_verified != NULL)
            json_bool(json, "is_verified", bench->is_verified[i]);
        json_end(json);
    }
    json_end(json);
    json_bool(json, "is_verified_by_other_cpu", bench->is_verified_by_other_cpu);
}

static void put_flags(struct json *json, const uint32_t counts[BENCH_FLAG_COUNT])
{
    json_open_object(json, "flags");
    for (uint32_t flag = 0; flag < BENCH_FLAG_COUNT; flag++)
        if (counts[flag] != 0)
            json_u64(json, bench_flag_name((enum bench_flag)flag), counts[flag]);
    json_end(json);
}

static void put_blocks(struct json *json, const struct bench_cell *cell)
{
    json_open_array(json, "block_cycles");
    for (uint32_t i = 0; i < cell->block_count; i++)
        put_cycles(json, NULL, cell->blocks[i].median_cycles_q8);
    json_end(json);
    if (cell->core_hz == 0)
        return;
    json_open_array(json, "block_core_hz");
    for (uint32_t i = 0; i < cell->block_count; i++)
        json_u64(json, NULL, cell->blocks[i].core_hz);
    json_end(json);
}

static void put_cell_numbers(struct json *json, const struct bench_cell *cell)
{
    json_u64(json, "median_bytes_per_s", cell->bytes_per_s);
    json_u64(json, "low95_bytes_per_s", cell->low_bytes_per_s);
    json_u64(json, "high95_bytes_per_s", cell->high_bytes_per_s);
    if (bench_has_spread(cell->block_count))
        json_fixed(json, "sd_percent", (int64_t)cell->sd_ppm, 4);
    else
        json_no_value(json, "sd_percent");
    put_cycles(json, "extent_cycles_min", cell->min_cycles_q8);
    put_cycles(json, "extent_cycles_q1", cell->q1_cycles_q8);
    put_cycles(json, "extent_cycles_median", cell->median_cycles_q8);
    put_cycles(json, "extent_cycles_q3", cell->q3_cycles_q8);
    put_cycles(json, "extent_cycles_max", cell->max_cycles_q8);
    put_cycles(json, "extent_cycles_mean", cell->mean_cycles_q8);
    put_cycles(json, "page_cycles", cell->page_cycles_q8);
    if (cell->core_hz != 0) {
        json_u64(json, "core_hz", cell->core_hz);
        put_cycles(json, "page_core_cycles", cell->page_core_cycles_q8);
    } else {
        json_no_value(json, "core_hz");
    }
    if (cell->cpu_max_bytes_per_s != 0) {
        json_u64(json, "cpu_min_bytes_per_s", cell->cpu_min_bytes_per_s);
        json_u64(json, "cpu_max_bytes_per_s", cell->cpu_max_bytes_per_s);
    }
    json_fixed(json, "autocorrelation", cell->autocorrelation_ppm, 6);
    json_u64(json, "samples", cell->sample_count);
    json_u64(json, "samples_used", cell->used_count);
}

static void put_results(struct json *json, const struct bench_results *bench)
{
    json_open_array(json, "results");
    for (uint32_t i = 0; i < bench->cell_count; i++) {
        const struct bench_cell *cell = &bench->cells[i];
        json_open_object(json, NULL);
        json_text(json, "variant", bench->variants[cell->variant].id);
        json_bool(json, "is_repeat", cell->is_repeat);
        json_bool(json, "is_kernel_pick", cell->is_pick);
        json_u64(json, "setting", cell->setting);
        put_setting_fields(json, &bench->settings[cell->setting]);
        json_u64(json, "blocks", cell->block_count);
        if (cell->block_count != 0)
            put_cell_numbers(json, cell);
        put_flags(json, cell->flag_counts);
        json_text(json, "implausible", cell->implausible);
        json_bench_cell_counters(json, bench, i);
        put_blocks(json, cell);
        json_end(json);
    }
    json_end(json);
}

/* A ratio in parts per million; null for "no interval". */
static void put_ratio(struct json *json, const char *key, uint64_t ppm)
{
    if (ppm == 0)
        json_no_value(json, key);
    else
        json_fixed(json, key, (int64_t)ppm, 6);
}

static void put_verdict(struct json *json, const struct bench_results *bench,
                        const struct bench_verdict *verdict)
{
    const struct bench_cell *a = &bench->cells[verdict->cell_a];
    const struct bench_cell *b = &bench->cells[verdict->cell_b];
    json_open_object(json, NULL);
    json_u64(json, "cell_a", verdict->cell_a);
    json_u64(json, "cell_b", verdict->cell_b);
    json_text(json, "variant_a", bench->variants[a->variant].id);
    json_text(json, "variant_b", bench->variants[b->variant].id);
    json_u64(json, "setting", a->setting);
    json_text(json, "comparison", bench_comparison_name(verdict->kind));
    json_text(json, "quantity", verdict->is_core_cycles ? "core cycles" : "time");
    json_text(json, "verdict", bench_outcome_name(verdict->outcome));
    json_text(json, "why", verdict->why);
    json_u64(json, "blocks", verdict->blocks);
    put_ratio(json, "ratio", verdict->ratio_ppm);
    put_ratio(json, "low95", verdict->low95_ppm);
    put_ratio(json, "high95", verdict->high95_ppm);
    put_ratio(json, "low99", verdict->low99_ppm);
    put_ratio(json, "high99", verdict->high99_ppm);
    put_ratio(json, "median_ratio", verdict->median_ratio_ppm);
    json_fixed(json, "delta_percent", (int64_t)verdict->delta_ppm, 4);
    json_fixed(json, "noise_floor_percent", (int64_t)verdict->noise_floor_ppm, 4);
    if (bench_has_spread(verdict->blocks))
        json_fixed(json, "mde_percent", (int64_t)verdict->mde_ppm, 4);
    else
        json_no_value(json, "mde_percent");
    json_u64(json, "blocks_needed", verdict->blocks_needed);
    json_fixed(json, "p", (int64_t)verdict->p_ppm, 6);
    json_fixed(json, "p_holm", (int64_t)verdict->holm_p_ppm, 6);
    json_end(json);
}

static void put_choices(struct json *json, const struct bench_results *bench)
{
    json_open_array(json, "kernel_choice");
    for (uint32_t i = 0; i < bench->choice_count; i++) {
        const struct bench_choice *choice = &bench->choices[i];
        json_open_object(json, NULL);
        json_text(json, "profile", choice->profile);
        json_text(json, "variant", choice->variant);
        json_text(json, "primitive", choice->primitive);
        json_u64(json, "max_extent_bytes", choice->max_extent_bytes);
        json_text(json, "why", choice->why);
        json_end(json);
    }
    json_end(json);
}

static void put_marked(struct json *json, const struct bench_results *bench)
{
    json_open_array(json, "marked_samples");
    for (uint32_t i = 0; i < bench->marked_count; i++) {
        const struct bench_marked *marked = &bench->marked[i];
        json_open_object(json, NULL);
        json_u64(json, "cell", marked->cell);
        json_u64(json, "block", marked->block);
        json_u64(json, "sample", marked->sample);
        json_u64(json, "cycles", marked->cycles);
        json_open_array(json, "flags");
        for (uint32_t flag = 0; flag < BENCH_FLAG_COUNT; flag++)
            if (marked->flags >> flag & 1)
                json_text(json, NULL, bench_flag_name((enum bench_flag)flag));
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void put_harness(struct json *json, const struct bench_results *bench)
{
    json_open_object(json, "harness");
    json_u64(json, "calls_per_sample", bench->harness_calls);
    put_cycles(json, "extent_cycles_q1", bench->harness_q1_q8);
    put_cycles(json, "extent_cycles_median", bench->harness_median_q8);
    put_cycles(json, "extent_cycles_q3", bench->harness_q3_q8);
    json_u64(json, "warm_up_runs", bench->warm_up_runs);
    json_u64(json, "retaken_passes", bench->retaken_passes);
    json_end(json);
}

void json_bench(struct json *json, const struct report_model *model)
{
    const struct bench_results *bench = model->bench;
    if (bench == NULL)
        return;
    json_open_object(json, "bench");
    json_text(json, "place", bench->place);
    json_bool(json, "is_hosted", bench->is_hosted);
    json_bool(json, "is_twin", bench->is_twin);
    json_u64(json, "tsc_hz", bench->tsc_hz);
    put_notes(json, bench);
    put_plan(json, bench);
    put_variants(json, bench);
    put_harness(json, bench);
    put_choices(json, bench);
    put_results(json, bench);
    json_open_array(json, "verdicts");
    for (uint32_t i = 0; i < bench->verdict_count; i++)
        put_verdict(json, bench, &bench->verdicts[i]);
    json_end(json);
    put_marked(json, bench);
    json_bench_peer(json, bench);
    json_bench_after(json, bench);
    json_bench_counters(json, bench);
    json_end(json);
}
