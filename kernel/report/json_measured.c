/* report.json: .latency, .groups, .agreement, .contention, .llc_sharing, .migration,
 * .tsc, .cycles, .noise; CPUs by the numbers of the newest profile. A part that did not
 * run is absent; a value that was not measured is null. */
#include "kernel/report/json_measured.h"

#include "kernel/report/sections.h"
#include "kernel/stats/agreement.h"
#include "kernel/stats/measured_pairs.h"
#include "kernel/stats/measured_summary.h"

void json_measured_cpu(struct json *json, const char *key, const struct measured_results *measured,
                       uint32_t slot)
{
    json_u64(json, key, measured->cpus[slot].cpu);
}

void json_measured_value(struct json *json, const char *key, uint32_t value)
{
    if (value == MEASURED_NONE)
        json_no_value(json, key);
    else
        json_u64(json, key, value);
}

static void put_slots(struct json *json, const char *key, const struct measured_results *measured,
                      const struct cpumask *slots)
{
    struct measured_mask mask;

    measured_mask_of(&mask, measured, slots);
    json_list(json, key, &mask.cpus);
}

static void put_run(struct json *json, const struct measured_results *measured)
{
    json_open_object(json, "measured");
    json_bool(json, "is_virtual_machine", measured->is_virtual);
    json_bool(json, "is_injected", measured->is_injected);
    if (measured->is_injected)
        json_text(json, "injected", measured->injected);
    json_u64(json, "tsc_hz", measured->tsc_hz);
    json_u64(json, "budget_ms", measured->budget_ms);
    json_u64(json, "spent_ms", measured->spent_ms);
    json_bool(json, "is_budget_spent", measured->is_budget_spent);
    json_open_array(json, "cpus");
    for (uint32_t slot = 0; slot < measured->cpu_count; slot++)
        json_measured_cpu(json, NULL, measured, slot);
    json_end(json);
    json_end(json);
}

static void put_matrix(struct json *json, const char *key, const struct measured_latency *latency,
                       const uint32_t *values)
{
    json_open_array(json, key);
    for (uint32_t from = 0; from < latency->cpu_count; from++) {
        json_open_array(json, NULL);
        for (uint32_t to = 0; to < latency->cpu_count; to++)
            json_measured_value(json, NULL, values[from * latency->cpu_count + to]);
        json_end(json);
    }
    json_end(json);
}

/* A sample of a large machine as a list: most of the matrix would be null. */
static void put_pairs(struct json *json, const struct measured_results *measured,
                      const struct measured_latency *latency)
{
    json_open_array(json, "pairs");
    for (uint32_t from = 0; from < latency->cpu_count; from++)
        for (uint32_t to = 0; to < latency->cpu_count; to++) {
            uint32_t at = from * latency->cpu_count + to;

            if (latency->median_ps[at] == MEASURED_NONE)
                continue;
            json_open_object(json, NULL);
            json_measured_cpu(json, "from_cpu", measured, from);
            json_measured_cpu(json, "to_cpu", measured, to);
            json_u64(json, "median_ps", latency->median_ps[at]);
            json_measured_value(json, "iqr_ps", latency->iqr_ps[at]);
            json_end(json);
        }
    json_end(json);
}

static void put_latency(struct json *json, const struct measured_results *measured)
{
    const struct measured_latency *latency = measured->latency;

    json_open_object(json, "latency");
    json_u64(json, "pairs_possible", latency->pairs_possible);
    json_u64(json, "pairs_measured", latency->pairs_measured);
    json_u64(json, "pairs_timed_out", latency->pairs_timed_out);
    json_u64(json, "pairs_left_out", latency->pairs_left_out);
    json_u64(json, "samples_per_pair", latency->samples_per_pair);
    json_u64(json, "round_trips_per_sample", latency->round_trips_per_sample);
    json_bool(json, "is_sampled", latency->is_sampled);
    json_u64(json, "sampled_per_class", latency->sampled_per_class);
    json_u64(json, "seed", latency->seed);
    json_open_object(json, "by_class");
    for (uint32_t i = 0; i < DISTANCE_CLASSES; i++) {
        const struct measured_spread *spread = &latency->by_class[i];

        if (!spread->count)
            continue;
        json_open_object(json, distance_name(i));
        json_u64(json, "median_ps", spread->median_ps);
        json_u64(json, "iqr_ps", spread->iqr_ps);
        json_u64(json, "pairs", spread->count);
        json_end(json);
    }
    json_end(json);
    if (latency->is_sampled) {
        put_pairs(json, measured, latency);
    } else {
        put_matrix(json, "median_ps", latency, latency->median_ps);
        put_matrix(json, "iqr_ps", latency, latency->iqr_ps);
    }
    json_end(json);
}

static const char *verdict_name(enum groups_verdict verdict)
{
    static const char *const names[] = {
        [GROUPS_SEPARATED] = "separated", [GROUPS_UNIFORM] = "uniform",
        [GROUPS_CANNOT_TELL] = "cannot-tell",
    };

    return names[verdict];
}

static void put_groups(struct json *json, const struct measured_results *measured)
{
    const struct measured_groups *groups = measured->groups;

    json_open_object(json, "groups");
    json_text(json, "verdict", verdict_name(groups->verdict));
    json_text(json, "reason", groups->reason);
    json_u64(json, "levels", groups->level_count);
    json_u64(json, "outliers", groups->outliers);
    json_u64(json, "unchecked_group_pairs", groups->unchecked_group_pairs);
    json_measured_value(json, "all_median_ps", groups->all_median_ps);
    json_measured_value(json, "all_iqr_ps", groups->all_iqr_ps);
    json_open_array(json, "list");
    for (uint32_t i = 0; i < groups->group_count; i++) {
        const struct measured_group *group = &groups->groups[i];

        json_open_object(json, NULL);
        json_u64(json, "level", group->depth);
        put_slots(json, "cpus", measured, &group->slots);
        json_u64(json, "inside_median_ps", group->inside_ps);
        json_u64(json, "inside_high_ps", group->inside_high_ps);
        json_u64(json, "outside_low_ps", group->outside_low_ps);
        json_u64(json, "outside_median_ps", group->outside_ps);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_row(struct json *json, const struct measured_results *measured,
                    const struct agreement_row *row)
{
    json_open_object(json, NULL);
    json_text(json, "mask", agreement_kind_name(row->kind));
    json_open_array(json, "rules");
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (row->rules >> i & 1)
            json_text(json, NULL, rules_name(&rule_profiles[i]));
    json_end(json);
    json_text(json, "agreement", agreement_name(row->agreement));
    json_u64(json, "claimed_masks", row->claimed_count);
    json_u64(json, "contradicted_masks", row->contradicted_count);
    put_slots(json, "claimed_cpus", measured, &row->claimed_slots);
    put_slots(json, "measured_cpus", measured, &row->measured_slots);
    json_measured_value(json, "near_median_ps", row->near_ps);
    json_measured_value(json, "near_high_ps", row->near_high_ps);
    json_measured_value(json, "far_low_ps", row->far_low_ps);
    json_measured_value(json, "far_median_ps", row->far_ps);
    json_end(json);
}

static void put_agreement(struct json *json, const struct measured_results *measured)
{
    json_open_array(json, "agreement");
    for (uint32_t i = 0; i < measured->agreement->row_count; i++)
        put_row(json, measured, &measured->agreement->rows[i]);
    json_end(json);
}

void json_measured(struct json *json, const struct report_model *model)
{
    const struct measured_results *measured = model->measured;

    if (!measured || !measured->cpus)
        return;
    put_run(json, measured);
    if (measured->latency)
        put_latency(json, measured);
    if (measured->groups)
        put_groups(json, measured);
    if (measured->agreement)
        put_agreement(json, measured);
    json_measured_costs(json, measured);
    json_measured_times(json, measured);
}
